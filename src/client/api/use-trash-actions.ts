import { useQueryClient } from '@tanstack/react-query'
import { getMutationKey } from '@trpc/react-query'
import { counted } from '#client/text/counted.ts'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'
import { failureText } from './failure-text.ts'
import { trpc, type Outputs } from './trpc.ts'
import { useReadOnlyGuard } from './use-read-only.ts'
import { useRefresh } from './use-refresh.ts'

type Restored = Outputs['trash']['restore']

const DELETIONS = [getMutationKey(trpc.contracts.remove), getMutationKey(trpc.customers.remove)]

const NETWORK = 'Network error'

/** Moves customers and contracts to the trash, and takes them out again. A toast says what was done, and undoes it. */
export function useTrashActions() {
  const refresh = useRefresh()
  const client = useQueryClient()
  const isRefused = useReadOnlyGuard()
  const restore = trpc.trash.restore.useMutation({
    onSuccess: (restored) => toastSuccess(restoredText(restored)),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to restore', network: NETWORK })),
    onSettled: refresh,
  })
  const contract = trpc.contracts.remove.useMutation({
    onSuccess: (_nothing, { id }) =>
      toastUndo('Contract deleted successfully!', () => restore.mutateAsync({ customers: [], contracts: [id] })),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to delete contract' })),
    onSettled: refresh,
  })
  const customer = trpc.customers.remove.useMutation({
    onSuccess: (_nothing, { id }) =>
      toastUndo('Customer deleted successfully!', () => restore.mutateAsync({ customers: [id], contracts: [] })),
    onError: (error) => toastFailure(failureText(error, DELETION_OF_CUSTOMER)),
    onSettled: refresh,
  })
  // A second click comes before the screen knows of the first one.
  const isDeleting = () => DELETIONS.some((mutationKey) => client.isMutating({ mutationKey }) > 0)
  return {
    restore,
    isDeleting: contract.isPending || customer.isPending,
    /** `onDeleted` is called if it is still on screen. */
    deleteContract: ({ id }: { id: number }, onDeleted: () => void) =>
      isRefused() || isDeleting() || contract.mutate({ id }, { onSuccess: onDeleted }),
    deleteCustomer: ({ id }: { id: number }, onDeleted: () => void) =>
      isRefused() || isDeleting() || customer.mutate({ id }, { onSuccess: onDeleted }),
  }
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
