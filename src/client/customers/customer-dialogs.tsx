import type { FlashControl } from '#client/ui/flash.tsx'
import { useRowDialog } from '#client/ui/use-row-dialog.ts'
import { CustomerDetails } from './customer-details.tsx'
import { CustomerDialog } from './customer-dialog.tsx'
import type { Customer } from './customer-form.ts'
import { DeleteCustomer } from './delete-customer.tsx'

/** The dialogs of the customers page. The form without a row adds a customer. */
export function useCustomerDialogs(rows: Customer[] | undefined) {
  return { details: useRowDialog(rows), form: useRowDialog(rows), removal: useRowDialog(rows) }
}

interface CustomerDialogsProps {
  dialogs: ReturnType<typeof useCustomerDialogs>
  flash: FlashControl
  onDeleted: () => void
}

export function CustomerDialogs({ dialogs, flash, onDeleted }: CustomerDialogsProps) {
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
      <CustomerDialog door="customers" opened={form.opened} customer={form.row} onClose={form.close} />
      <DeleteCustomer
        opened={removal.opened}
        customer={removal.row}
        flash={flash}
        onDeleted={onDeleted}
        onClose={removal.close}
      />
    </>
  )
}
