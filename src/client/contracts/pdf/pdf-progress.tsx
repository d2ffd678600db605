import { Text } from '@mantine/core'
import { Cross2Icon } from '@radix-ui/react-icons'
import { RowAction } from '#client/ui/lists/row-actions.tsx'
import type { PdfUpload } from './pdf-uploads.ts'
import classes from './pdf.module.css'

/** The progress of an upload, and a button to cancel it. At 100% the server still has to store the PDF. */
export function PdfProgress({ upload: { customerName, sent, cancel } }: { upload: PdfUpload }) {
  const isSent = sent === 1
  return (
    <>
      <progress
        className={classes.bar}
        aria-label={`PDF upload for the contract with ${customerName}`}
        {...(!isSent && { value: sent })}
      />
      <Text component="span" size="xs" c="dimmed" className={classes.share ?? ''}>
        {isSent ? 'Saving…' : `${Math.floor(sent * 100)}%`}
      </Text>
      <RowAction label="Cancel" name={`the PDF upload for the contract with ${customerName}`} onAct={cancel}>
        <Cross2Icon />
      </RowAction>
    </>
  )
}
