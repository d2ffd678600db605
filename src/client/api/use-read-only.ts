import { readOnlyRefusal } from '#shared/domain/access.ts'
import { READ_ONLY_REFUSALS } from '#shared/refusals/read-only.ts'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { trpc } from './trpc.ts'

/**
 * Why the account is read-only, so that a form can say so before anything is entered. The server decides.
 */
export function useReadOnlyReason(): () => string | undefined {
  const { billing } = trpc.useUtils()
  return () => {
    const subscription = billing.subscription.getData()
    if (subscription?.access !== 'read-only') return undefined
    return READ_ONLY_REFUSALS[readOnlyRefusal(subscription.status)].message
  }
}

/** Whether a form may not open; a toast then says why. */
export function useReadOnlyGuard(): () => boolean {
  const reason = useReadOnlyReason()
  return () => {
    const text = reason()
    if (text) toastFailure(text)
    return text !== undefined
  }
}
