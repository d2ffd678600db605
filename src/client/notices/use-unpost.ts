import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'

/** Records that a contract's letter was not mailed after all. */
export function useUnpost(): (contractId: number) => void {
  const utils = trpc.useUtils()
  const unpost = trpc.notices.unpost.useMutation({
    onSuccess: () => toastSuccess('The letter is no longer marked as mailed'),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to change the notice' })),
    onSettled: () => utils.notices.invalidate(),
  })
  return (id) => unpost.mutate({ id })
}
