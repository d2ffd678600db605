import { failureText } from '#client/api/failure-text.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { trpc } from '#client/api/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts.tsx'
import { useRefresh } from '#client/api/use-refresh.ts'
import type { Contract } from './contract-form.ts'

interface DeleteContractProps {
  opened: boolean
  contract: Contract | undefined
  onDeleted: () => void
  onClose: () => void
}

/** Asks first; how it went is said on the page. */
export function DeleteContract({ opened, contract, onDeleted, onClose }: DeleteContractProps) {
  const refresh = useRefresh()
  const remove = trpc.contracts.remove.useMutation({
    onSuccess: () => {
      toastSuccess('Contract deleted successfully!')
      onDeleted()
      void refresh()
    },
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to delete contract' })),
    onSettled: onClose,
  })
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
