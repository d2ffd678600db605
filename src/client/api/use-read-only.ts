import { readOnlyRefusal } from '#shared/domain/access.ts'
import { READ_ONLY_REFUSALS } from '#shared/refusals/read-only.ts'
import { showToast } from '#client/ui/toasts/toasts.tsx'
import { trpc } from './trpc.ts'
import { useOpenPortal } from './use-billing-portal.ts'

const TOAST_MS = 8000

/**
 * Why the account is read-only, so that a form can say so before anything is entered. The server decides.
 */
export function useReadOnlyReason(): string | undefined {
  // Fetched before any screen of the app.
  const { data } = trpc.billing.subscription.useQuery(undefined, { enabled: false })
  return data?.access === 'read-only' ? READ_ONLY_REFUSALS[readOnlyRefusal(data.status)].message : undefined
}

/** Whether a form may not open; a toast then says why and leads to the card. */
export function useReadOnlyGuard(): () => boolean {
  const text = useReadOnlyReason()
  const openPortal = useOpenPortal()
  return () => {
    const action = { label: 'Update Card', onAct: openPortal }
    if (text) showToast({ tone: 'error', text, durationMs: TOAST_MS, action })
    return text !== undefined
  }
}
