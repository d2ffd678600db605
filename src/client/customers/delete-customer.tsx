import { trpc } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { DeleteDialog } from '#client/forms/delete-dialog.tsx'
import type { Customer } from './customer-form.ts'

const FAILURE = {
  failed: 'Server error occurred while deleting customer',
  network: 'Network error occurred - please check if the server is running',
}

interface DeleteCustomerProps {
  opened: boolean
  customer: Customer | undefined
  onDeleted: () => void
  onClose: () => void
}

export function DeleteCustomer({ customer, onDeleted, ...dialog }: DeleteCustomerProps) {
  const { client } = trpc.useUtils()
  const refresh = useRefresh()
  if (!customer) return null
  return (
    <DeleteDialog
      title="Delete Customer"
      remove={() => client.customers.remove.mutate({ id: customer.id })}
      done="Customer deleted successfully!"
      failure={FAILURE}
      onDeleted={() => {
        onDeleted()
        void refresh()
      }}
      {...dialog}
    >
      <p>Are you sure you want to delete this customer?</p>
      <p>
        <strong>{customer.name}</strong>
      </p>
    </DeleteDialog>
  )
}
