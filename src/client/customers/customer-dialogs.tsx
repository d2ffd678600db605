import { CustomerDialog } from './customer-dialog.tsx'
import { DeleteCustomer } from './delete-customer.tsx'
import type { RowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import type { Customer } from './customer-form.ts'

interface CustomerDialogsProps {
  dialogs: Record<'form' | 'removal', RowDialog<Customer>>
  /** They are on the page of their customer. */
  onOwnPage?: boolean
  onAdded?: (id: number) => void
  onDeleted: () => void
}

export function CustomerDialogs({ dialogs, onOwnPage, onAdded, onDeleted }: CustomerDialogsProps) {
  const { form, removal } = dialogs
  return (
    <>
      <CustomerDialog
        page="customers"
        opened={form.opened}
        customer={form.row}
        {...(onOwnPage && { onOwnPage })}
        onAdded={onAdded}
        onClose={form.close}
      />
      <DeleteCustomer opened={removal.opened} customer={removal.row} onDeleted={onDeleted} onClose={removal.close} />
    </>
  )
}
