import { Anchor } from '@mantine/core'
import { Cross2Icon, UploadIcon } from '@radix-ui/react-icons'
import { RowAction } from '#client/ui/lists/row-actions.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import type { Contract } from './pdf-call.ts'
import { PdfProgress } from './pdf-progress.tsx'
import { usePdfUpload } from './pdf-uploads.ts'
import classes from './pdf.module.css'
import type { PdfActs } from './use-pdfs.ts'

interface PdfCellProps {
  contract: Contract
  pdfs: PdfActs
}

/** The PDF of a contract in the table's row. */
export function PdfCell({ contract, pdfs }: PdfCellProps) {
  const upload = usePdfUpload(contract.id)
  const kept = useKeptFocus(upload ? 'upload' : String(contract.pdfPath))
  return (
    <div className={classes.cell} {...kept}>
      {upload ? <PdfProgress upload={upload} /> : <Controls contract={contract} pdfs={pdfs} />}
    </div>
  )
}

function Controls({ contract, pdfs }: PdfCellProps) {
  const ofContract = `of the contract with ${contract.customerName}`
  if (!contract.pdfPath) {
    return (
      <TextButton
        text="Upload"
        quiet
        name={`Upload PDF for the contract with ${contract.customerName}`}
        onClick={() => pdfs.choose(contract)}
      />
    )
  }
  return (
    <>
      <TextButton text="View" name={`View PDF ${ofContract}`} onClick={() => pdfs.view(contract)} />
      <RowAction label="Replace PDF" name={ofContract} onAct={() => pdfs.choose(contract)}>
        <UploadIcon />
      </RowAction>
      <RowAction label="Delete PDF" name={ofContract} onAct={() => pdfs.remove(contract)}>
        <Cross2Icon />
      </RowAction>
    </>
  )
}

interface TextButtonProps {
  text: string
  name: string
  quiet?: boolean
  onClick: () => void
}

function TextButton({ text, name, quiet = false, onClick }: TextButtonProps) {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      {...(quiet && { c: 'dimmed' })}
      className={classes.text ?? ''}
      aria-label={name}
      onClick={onClick}
    >
      {text}
    </Anchor>
  )
}
