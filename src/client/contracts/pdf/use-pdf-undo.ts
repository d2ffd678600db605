import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'
import type { Contract } from './pdf-actions.ts'

const FAILURE = { failed: 'Failed to restore PDF', network: 'Network error' }

/** Removes the toast about the latest change of each contract's PDF. Only that change can be undone. */
const latest = new Map<number, () => void>()

/** Says what became of a contract's PDF, with an Undo that gives back the one before. */
export function usePdfUndo() {
  const utils = trpc.useUtils()
  const { mutateAsync } = trpc.contracts.restorePdf.useMutation({
    onSuccess: () => toastSuccess('PDF restored'),
    onError: (error) => toastFailure(failureText(error, FAILURE)),
    onSettled: () => utils.contracts.invalidate(),
  })
  return (text: string, { id }: Contract) => {
    latest.get(id)?.()
    latest.set(
      id,
      toastUndo(text, () => mutateAsync({ id })),
    )
  }
}
