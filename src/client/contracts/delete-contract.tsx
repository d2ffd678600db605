import { formatDay, formatMoney } from '#client/text/format.ts'
import { trpc } from '#client/api/trpc.ts'
import { useRemoval } from '#client/list/use-removal.ts'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'
import type { Contract } from './form/contract-form.ts'

const FAILURE = { failed: 'Failed to delete contract' }

interface DeleteContractProps {
  opened: boolean
  contract: Contract | undefined
  onDeleted: () => void
  onClose: () => void
}

/** Asks first; a toast shows the result. */
export function DeleteContract({ opened, contract, onDeleted, onClose }: DeleteContractProps) {
  const outcome = useRemoval({ done: 'Contract deleted successfully!', failure: FAILURE, onDeleted, onClose })
  const remove = trpc.contracts.remove.useMutation(outcome)
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete Contract"
      confirmLabel="Delete"
      danger
      busy={remove.isPending}
      onConfirm={() => contract && remove.mutate({ id: contract.id })}
      onCancel={onClose}
    >
      <p>Delete this contract?</p>
      {contract && (
        <p>
          {contract.customerName}, {formatMoney(contract.amount)}, renews {formatDay(contract.renewalDate)}
        </p>
      )}
    </ConfirmDialog>
  )
}
