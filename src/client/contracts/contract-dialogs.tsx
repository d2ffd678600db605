import { ContractDialog } from './form/contract-dialog.tsx'
import { DeleteContract } from './delete-contract.tsx'
import { DeletePdf } from './pdf/delete-pdf.tsx'
import type { useContractDialogs } from './use-contract-dialogs.ts'

// One chunk for all dialogs of the page.
export { ReopenContract } from './reopen-contract.tsx'

interface ContractDialogsProps {
  dialogs: ReturnType<typeof useContractDialogs>
  onAdded: (id: number) => void
  onDeleted: () => void
}

export function ContractDialogs({ dialogs, onAdded, onDeleted }: ContractDialogsProps) {
  const { form, removal, pdfRemoval } = dialogs
  return (
    <>
      <ContractDialog
        page="contracts"
        opened={form.opened}
        contract={form.row}
        onAdded={onAdded}
        onClose={form.close}
      />
      <DeleteContract opened={removal.opened} contract={removal.row} onDeleted={onDeleted} onClose={removal.close} />
      <DeletePdf opened={pdfRemoval.opened} contract={pdfRemoval.row} onClose={pdfRemoval.close} />
    </>
  )
}
