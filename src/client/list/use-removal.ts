import { failureText, type FailureTexts } from '#client/api/failure-text.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'

interface Removal {
  /** The message afterwards. */
  done: string
  failure: FailureTexts
  onDeleted: () => void
  onClose: () => void
}

/** What follows when a row is deleted from a list, or is not. */
export function useRemoval({ done, failure, onDeleted, onClose }: Removal) {
  const refresh = useRefresh()
  return {
    onSuccess: () => {
      toastSuccess(done)
      onDeleted()
      void refresh()
    },
    onError: (error: unknown) => toastFailure(failureText(error, failure)),
    onSettled: onClose,
  }
}
