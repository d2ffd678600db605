import { CustomerDetails } from './customer-details.tsx'
import { CustomerDialog } from './customer-dialog.tsx'
import { DeleteCustomer } from './delete-customer.tsx'
import type { useCustomerDialogs } from './use-customer-dialogs.ts'

interface CustomerDialogsProps {
  dialogs: ReturnType<typeof useCustomerDialogs>
  onAdded: (id: number) => void
  onDeleted: () => void
}

export function CustomerDialogs({ dialogs, onAdded, onDeleted }: CustomerDialogsProps) {
  const { details, form, removal } = dialogs
  return (
    <>
      <CustomerDetails
        opened={details.opened}
        customer={details.row}
        covered={form.opened}
        onEdit={() => form.open(details.row)}
        onClose={details.close}
      />
      <CustomerDialog
        page="customers"
        opened={form.opened}
        customer={form.row}
        overDetails={details.opened}
        onAdded={onAdded}
        onClose={form.close}
      />
      <DeleteCustomer opened={removal.opened} customer={removal.row} onDeleted={onDeleted} onClose={removal.close} />
    </>
  )
}
