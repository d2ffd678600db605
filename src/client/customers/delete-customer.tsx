import { trpc } from '#client/api/trpc.ts'
import { useRemoval } from '#client/list/use-removal.ts'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'
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

/** Asks first; a toast shows the result. */
export function DeleteCustomer({ opened, customer, onDeleted, onClose }: DeleteCustomerProps) {
  const outcome = useRemoval({ done: 'Customer deleted successfully!', failure: FAILURE, onDeleted, onClose })
  const remove = trpc.customers.remove.useMutation(outcome)
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete Customer"
      confirmLabel="Delete"
      danger
      busy={remove.isPending}
      onConfirm={() => customer && remove.mutate({ id: customer.id })}
      onCancel={onClose}
    >
      <p>Are you sure you want to delete this customer?</p>
      <p>
        <strong>{customer?.name}</strong>
      </p>
    </ConfirmDialog>
  )
}
