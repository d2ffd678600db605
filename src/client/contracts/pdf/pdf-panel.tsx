import { Button, Group, Text } from '@mantine/core'
import { FileTextIcon } from '@radix-ui/react-icons'
import { MAX_PDF_BYTES } from '#shared/domain/contract-pdf.ts'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import type { Contract } from './pdf-call.ts'
import { PdfProgress } from './pdf-progress.tsx'
import { usePdfUpload } from './pdf-uploads.ts'
import classes from './pdf.module.css'
import type { PdfActs } from './use-pdfs.ts'

interface PdfPanelProps {
  contract: Contract
  pdfs: PdfActs
}

/** The PDF of a contract among its details. */
export function PdfPanel({ contract, pdfs }: PdfPanelProps) {
  const upload = usePdfUpload(contract.id)
  const kept = useKeptFocus(upload ? 'upload' : String(contract.pdfPath))
  return (
    <div role="group" aria-label="PDF" className={classes.panel} {...kept}>
      <FileTextIcon width={24} height={24} className={classes.icon} />
      <div className={classes.words}>
        <Text size="sm" fw={600}>
          {contract.pdfPath ? 'PDF attached' : 'No PDF yet'}
        </Text>
        <Text size="xs" c="dimmed">
          <span className={classes.dropHint}>Drop a file here, up to </span>
          <span className={classes.plainHint}>Up to </span>
          {MAX_PDF_BYTES / 1024 / 1024} MB
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        {upload ? <PdfProgress upload={upload} /> : <Controls contract={contract} pdfs={pdfs} />}
      </Group>
    </div>
  )
}

function Controls({ contract, pdfs }: PdfPanelProps) {
  const { customerName, pdfPath } = contract
  const ofContract = `of the contract with ${customerName}`
  if (!pdfPath) {
    return (
      <Button
        size="xs"
        variant="light"
        aria-label={`Upload PDF for the contract with ${customerName}`}
        onClick={() => pdfs.choose(contract)}
      >
        Upload PDF
      </Button>
    )
  }
  return (
    <>
      <Button size="xs" variant="light" aria-label={`View PDF ${ofContract}`} onClick={() => pdfs.view(contract)}>
        View PDF
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={`Replace PDF ${ofContract}`}
        onClick={() => pdfs.choose(contract)}
      >
        Replace
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        aria-label={`Delete PDF ${ofContract}`}
        onClick={() => pdfs.remove(contract)}
      >
        Delete
      </Button>
    </>
  )
}
