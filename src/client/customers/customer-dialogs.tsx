import { CustomerDialog } from './customer-dialog.tsx'
import { DeleteCustomer } from './delete-customer.tsx'
import type { useEntityDialogs } from '#client/list/use-entity-dialogs.ts'
import type { Customer } from './customer-form.ts'

interface CustomerDialogsProps {
  dialogs: ReturnType<typeof useEntityDialogs<Customer>>
  onAdded: (id: number) => void
  onDeleted: () => void
}

export function CustomerDialogs({ dialogs, onAdded, onDeleted }: CustomerDialogsProps) {
  const { form, removal } = dialogs
  return (
    <>
      <CustomerDialog
        page="customers"
        opened={form.opened}
        customer={form.row}
        onAdded={onAdded}
        onClose={form.close}
      />
      <DeleteCustomer opened={removal.opened} customer={removal.row} onDeleted={onDeleted} onClose={removal.close} />
    </>
  )
}
