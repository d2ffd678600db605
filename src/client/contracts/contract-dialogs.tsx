import type { ReactNode } from 'react'
import { ContractDetails } from './contract-details.tsx'
import { ContractDialog } from './form/contract-dialog.tsx'
import type { Contract } from './form/contract-form.ts'
import { DeleteContract } from './delete-contract.tsx'
import { DeletePdf } from './pdf/delete-pdf.tsx'
import type { useContractDialogs } from './use-contract-dialogs.ts'

// One chunk for all dialogs of the page.
export { ReopenContract } from './reopen-contract.tsx'

interface ContractDialogsProps {
  dialogs: ReturnType<typeof useContractDialogs>
  reminders?: ((contract: Contract) => ReactNode) | undefined
  onAdded: (id: number) => void
  onDeleted: () => void
}

export function ContractDialogs({ dialogs, reminders, onAdded, onDeleted }: ContractDialogsProps) {
  const { details, form, removal, pdfRemoval } = dialogs
  return (
    <>
      <ContractDetails
        opened={details.opened}
        contract={details.row}
        covered={form.opened || pdfRemoval.opened}
        onEdit={() => form.open(details.row)}
        reminders={reminders}
        onClose={details.close}
      />
      <ContractDialog
        page="contracts"
        opened={form.opened}
        contract={form.row}
        overDetails={details.opened}
        onAdded={onAdded}
        onClose={form.close}
      />
      <DeleteContract opened={removal.opened} contract={removal.row} onDeleted={onDeleted} onClose={removal.close} />
      <DeletePdf opened={pdfRemoval.opened} contract={pdfRemoval.row} onClose={pdfRemoval.close} />
    </>
  )
}
