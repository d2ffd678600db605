import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { toastSuccess } from '#client/ui/toasts/toasts.tsx'

const FAILURE = {
  accept: { failed: 'Failed to accept the answer', network: 'Network error' },
  decline: { failed: 'Failed to decline the answer', network: 'Network error' },
}

/** Accepts and declines customers' answers. */
export function useAnswerActs() {
  const utils = trpc.useUtils()
  const refresh = useRefresh()
  const isRefused = useReadOnlyGuard()
  const refreshAll = () => Promise.all([utils.answers.invalidate(), utils.notifications.invalidate(), refresh()])
  const accept = trpc.answers.accept.useMutation({
    onSuccess: async ({ customerName, emailsToday }) => {
      const another = emailsToday.length > 0 ? ', and another about the new renewal date today' : ''
      toastSuccess(`Accepted. ${customerName} gets an email about it${another}`)
      await refreshAll()
    },
  })
  const decline = trpc.answers.decline.useMutation({
    onSuccess: async ({ customerName, state }) => {
      toastSuccess(state === 'overtaken' ? 'Dismissed' : `Declined. ${customerName} gets an email about it`)
      await refreshAll()
    },
  })
  return {
    accept,
    decline,
    isRefused,
    refreshAll,
    failureOf: (act: keyof typeof FAILURE, error: unknown) => failureText(error, FAILURE[act]),
  }
}
