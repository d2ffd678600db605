import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'
import { counted } from '#client/text/counted.ts'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'
import { failureText } from './failure-text.ts'
import { trpc, type Inputs, type Outputs } from './trpc.ts'
import { inRows, useAtOnce } from './use-at-once.ts'
import { useReadOnlyGuard } from './use-read-only.ts'
import { useRefresh } from './use-refresh.ts'

type Restored = Outputs['trash']['restore']

const NETWORK = 'Network error'

/** Moves customers and contracts to the trash, and takes them out again. A toast says what was done, and undoes it. */
export function useTrashActions() {
  const refresh = useRefresh()
  const isRefused = useReadOnlyGuard()
  const restore = trpc.trash.restore.useMutation({
    onSuccess: (restored) => toastSuccess(restoredText(restored)),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to restore', network: NETWORK })),
    onSettled: refresh,
  })
  const contract = trpc.contracts.remove.useMutation({
    ...useAtOnce('contracts', without, { failure: { failed: 'Failed to delete contract' } }),
    onSuccess: (_nothing, { id }) =>
      toastUndo('Contract deleted successfully!', () => restore.mutateAsync({ customers: [], contracts: [id] })),
  })
  const customer = trpc.customers.remove.useMutation({
    ...useAtOnce('customers', without, { failure: DELETION_OF_CUSTOMER }),
    onSuccess: (_nothing, { id }) =>
      toastUndo('Customer deleted successfully!', () => restore.mutateAsync({ customers: [id], contracts: [] })),
  })
  const deletion =
    ({ mutate }: Pick<typeof contract, 'mutate'>) =>
    ({ id }: { id: number }, onDeleted?: () => void) => {
      if (isRefused()) return
      ignoreSecondClick()
      mutate({ id }, { onSuccess: () => onDeleted?.() })
    }
  return {
    restore,
    isDeleting: contract.isPending || customer.isPending,
    /** `onDeleted` is called if it is still on screen. */
    deleteContract: deletion(contract),
    deleteCustomer: deletion(customer),
  }
}

function without({ id }: Inputs['contracts']['remove']) {
  return inRows(() => null, Number(id))
}

const DELETION_OF_CUSTOMER = {
  failed: 'Server error occurred while deleting customer',
  network: 'Network error occurred - please check if the server is running',
}

function restoredText({ customers, contracts, droppedNumbers, notRestored }: Restored): string {
  const parts = [
    ...(contracts.length > 0 ? [counted(contracts.length, 'contracts')] : []),
    ...(customers.length > 0 ? [counted(customers.length, 'customers')] : []),
  ]
  const sentences = [parts.length > 0 ? `${parts.join(' and ')} restored` : 'Nothing was restored']
  const [dropped] = droppedNumbers
  if (dropped && droppedNumbers.length === 1)
    sentences.push(`${dropped.name} no longer has the number ${dropped.customerNumber}, which another customer has`)
  else if (dropped) sentences.push(`${droppedNumbers.length} no longer have their numbers, which other customers have`)
  if (notRestored.length > 0) sentences.push(`${notRestored.length} are no longer in the trash`)
  return sentences.join('. ')
}
