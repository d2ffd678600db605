import type { FlashControl } from '#client/ui/flash.tsx'
import { useRowDialog } from '#client/ui/use-row-dialog.ts'
import { ContractDetails } from './contract-details.tsx'
import { ContractDialog } from './contract-dialog.tsx'
import type { Contract } from './contract-form.ts'
import { DeleteContract } from './delete-contract.tsx'

/** The dialogs of the contracts page. The form without a row adds a contract. */
export function useContractDialogs(rows: Contract[] | undefined) {
  return { details: useRowDialog(rows), form: useRowDialog(rows), removal: useRowDialog(rows) }
}

interface ContractDialogsProps {
  dialogs: ReturnType<typeof useContractDialogs>
  flash: FlashControl
  onViewPdf: (contract: Contract) => void
  onDeleted: () => void
}

export function ContractDialogs({ dialogs, flash, onViewPdf, onDeleted }: ContractDialogsProps) {
  const { details, form, removal } = dialogs
  return (
    <>
      <ContractDetails
        opened={details.opened}
        contract={details.row}
        covered={form.opened}
        onEdit={() => form.open(details.row)}
        onViewPdf={onViewPdf}
        onClose={details.close}
      />
      <ContractDialog door="contracts" opened={form.opened} contract={form.row} onClose={form.close} />
      <DeleteContract
        opened={removal.opened}
        contract={removal.row}
        flash={flash}
        onDeleted={onDeleted}
        onClose={removal.close}
      />
    </>
  )
}
