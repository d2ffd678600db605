import { trpc } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { DeleteDialog } from '#client/forms/delete-dialog.tsx'
import { formatMoney } from '#client/text/format.ts'
import type { TrashRow } from './trash-table.tsx'

interface RemoveForGoodProps {
  opened: boolean
  row: TrashRow | undefined
  onClose: () => void
}

/** Deleting for good cannot be undone, so it asks first. */
export function RemoveForGood({ row, ...dialog }: RemoveForGoodProps) {
  const { client } = trpc.useUtils()
  const refresh = useRefresh()
  if (!row) return null
  const isCustomer = row.kind === 'customer'
  const call = isCustomer ? client.trash.removeCustomer : client.trash.removeContract
  return (
    <DeleteDialog
      title={isCustomer ? 'Delete Customer' : 'Delete Contract'}
      remove={() => call.mutate({ id: row.rowId })}
      done={isCustomer ? 'Customer deleted permanently' : 'Contract deleted permanently'}
      failure={{ failed: isCustomer ? 'Failed to delete customer' : 'Failed to delete contract' }}
      onDeleted={() => void refresh()}
      {...dialog}
    >
      <p>{isCustomer ? 'Are you sure you want to delete this customer?' : 'Delete this contract?'}</p>
      <p>
        <strong>{row.name}</strong>
        {row.amount !== null && `, ${formatMoney(row.amount)}`}
      </p>
      <p>
        {isCustomer
          ? 'Their contracts in the trash are deleted with them. This cannot be undone.'
          : 'Its PDF, notes and terms are deleted with it. This cannot be undone.'}
      </p>
    </DeleteDialog>
  )
}
