import { Button, Group, Text } from '@mantine/core'
import { FileTextIcon } from '@radix-ui/react-icons'
import { MAX_PDF_BYTES } from '#shared/domain/contract-pdf.ts'
import { DropHint } from '#client/ui/files/drop-hint.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { usePdfActions, type Contract } from './pdf-actions.ts'
import { PdfProgress } from './pdf-progress.tsx'
import { usePdfUpload } from './pdf-uploads.ts'
import classes from './pdf.module.css'

const MAX_SIZE = `${MAX_PDF_BYTES / 1024 / 1024} MB`

/** The PDF of a contract among its details. */
export function PdfPanel({ contract }: { contract: Contract }) {
  const upload = usePdfUpload(contract.id)
  const kept = useKeptFocus(upload ? 'upload' : String(contract.pdfPath))
  return (
    <div role="group" aria-label="PDF" className={classes.panel} data-pdf-of={contract.id} {...kept}>
      <FileTextIcon width={24} height={24} className={classes.icon} />
      <div className={classes.words}>
        <Text size="sm" fw={600}>
          {contract.pdfPath ? 'PDF attached' : 'No PDF yet'}
        </Text>
        <Text size="xs" c="dimmed">
          <DropHint otherwise={`Up to ${MAX_SIZE}`}>Drop a file here, up to {MAX_SIZE}</DropHint>
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        {upload ? <PdfProgress upload={upload} /> : <Controls contract={contract} />}
      </Group>
    </div>
  )
}

function Controls({ contract }: { contract: Contract }) {
  const { view, choose, remove } = usePdfActions()
  const { customerName, pdfPath } = contract
  const ofContract = `of the contract with ${customerName}`
  if (!pdfPath) {
    return (
      <Button
        size="xs"
        variant="light"
        aria-label={`Upload PDF for the contract with ${customerName}`}
        onClick={() => choose(contract)}
      >
        Upload PDF
      </Button>
    )
  }
  return (
    <>
      <Button size="xs" variant="light" aria-label={`View PDF ${ofContract}`} onClick={() => view(contract)}>
        View PDF
      </Button>
      <Button size="xs" variant="default" aria-label={`Replace PDF ${ofContract}`} onClick={() => choose(contract)}>
        Replace
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        aria-label={`Delete PDF ${ofContract}`}
        onClick={() => remove(contract)}
      >
        Delete
      </Button>
    </>
  )
}
