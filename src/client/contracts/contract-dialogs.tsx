import { ContractDialog } from './form/contract-dialog.tsx'
import type { RowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import type { Contract } from './form/contract-form.ts'

// One chunk for all dialogs of the page.
export { SaveStatus } from './save-status.tsx'

interface ContractDialogsProps {
  form: RowDialog<Contract>
  /** They are on the page of their contract. */
  onOwnPage?: boolean
  onAdded?: (id: number) => void
}

export function ContractDialogs({ form, onOwnPage, onAdded }: ContractDialogsProps) {
  return (
    <ContractDialog
      page="contracts"
      opened={form.opened}
      contract={form.row}
      {...(onOwnPage && { onOwnPage })}
      onAdded={onAdded}
      onClose={form.close}
    />
  )
}
