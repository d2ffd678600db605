import { trpc } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { DeleteDialog } from '#client/forms/delete-dialog.tsx'
import { formatDay, formatMoney } from '#client/text/format.ts'
import type { Contract } from './form/contract-form.ts'

const FAILURE = { failed: 'Failed to delete contract' }

interface DeleteContractProps {
  opened: boolean
  contract: Contract | undefined
  onDeleted: () => void
  onClose: () => void
}

export function DeleteContract({ contract, onDeleted, ...dialog }: DeleteContractProps) {
  const { client } = trpc.useUtils()
  const refresh = useRefresh()
  if (!contract) return null
  return (
    <DeleteDialog
      title="Delete Contract"
      remove={() => client.contracts.remove.mutate({ id: contract.id })}
      done="Contract deleted successfully!"
      failure={FAILURE}
      onDeleted={() => {
        onDeleted()
        void refresh()
      }}
      {...dialog}
    >
      <p>Delete this contract?</p>
      <p>
        {contract.customerName}, {formatMoney(contract.amount)}, renews{' '}
        <span style={{ whiteSpace: 'nowrap' }}>{formatDay(contract.renewalDate)}</span>
      </p>
    </DeleteDialog>
  )
}
