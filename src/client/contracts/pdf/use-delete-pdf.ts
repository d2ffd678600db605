import { useMutation } from '@tanstack/react-query'
import { failureText } from '#client/api/failure-text.ts'
import { restFetch } from '#client/api/rest-request.ts'
import { trpc } from '#client/api/trpc.ts'
import { useGetToken } from '#client/identity/session-context.tsx'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { PDF_TEXTS, type Contract } from './pdf-actions.ts'
import { usePdfUndo } from './use-pdf-undo.ts'

/** Deletes a contract's PDF at once, with an Undo. */
export function useDeletePdf() {
  const getToken = useGetToken()
  const utils = trpc.useUtils()
  const offerUndo = usePdfUndo()
  const deletion = useMutation({
    // If it was deleted elsewhere, the server says so.
    mutationFn: ({ id }: Contract) => restFetch({ path: `/contracts/${id}/pdf`, method: 'DELETE' }, getToken),
    onSuccess: (_response, contract) => offerUndo('PDF deleted successfully', contract),
    onError: (error) => toastFailure(failureText(error, PDF_TEXTS.removal)),
    onSettled: () => utils.contracts.invalidate(),
  })
  return (contract: Contract) => {
    const isUnderWay = deletion.isPending && deletion.variables.id === contract.id
    if (!isUnderWay) deletion.mutate(contract)
  }
}
