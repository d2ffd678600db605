import { Anchor } from '@mantine/core'
import { Cross2Icon, UploadIcon } from '@radix-ui/react-icons'
import { RowAction } from '#client/ui/lists/row-actions.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { usePdfActions, type Contract } from './pdf-actions.ts'
import { PdfProgress } from './pdf-progress.tsx'
import { usePdfUpload } from './pdf-uploads.ts'
import classes from './pdf.module.css'

/** The PDF of a contract in the table's row. */
export function PdfCell({ contract }: { contract: Contract }) {
  const upload = usePdfUpload(contract.id)
  const kept = useKeptFocus(upload ? 'upload' : String(contract.pdfPath))
  return (
    <div className={classes.cell} data-pdf-of={contract.id} {...kept}>
      {upload ? <PdfProgress upload={upload} /> : <Controls contract={contract} />}
    </div>
  )
}

function Controls({ contract }: { contract: Contract }) {
  const { view, choose, remove } = usePdfActions()
  const ofContract = `of the contract with ${contract.customerName}`
  if (!contract.pdfPath) {
    return (
      <TextButton
        text="Upload"
        quiet
        name={`Upload PDF for the contract with ${contract.customerName}`}
        onClick={() => choose(contract)}
      />
    )
  }
  return (
    <>
      <TextButton text="View" name={`View PDF ${ofContract}`} onClick={() => view(contract)} />
      <RowAction label="Replace PDF" name={ofContract} onAct={() => choose(contract)}>
        <UploadIcon />
      </RowAction>
      <RowAction label="Delete PDF" name={ofContract} onAct={() => remove(contract)}>
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
