import { readOnlyRefusal } from '#shared/domain/access.ts'
import { ACCESS_REFUSALS } from '#shared/refusals/access.ts'
import { showToast } from '#client/ui/toasts/toasts.tsx'
import { trpc } from './trpc.ts'
import { useOpenPortal } from './use-billing-portal.ts'

const TOAST_MS = 8000

/**
 * Why the account is read-only, so that a form can say so before anything is entered. The server decides.
 */
export function useReadOnlyReason(): string | undefined {
  const refusal = useReadOnlyRefusal()
  return refusal && ACCESS_REFUSALS[refusal].message
}

/** Whether a card would help: it does not end a suspension. */
export function useMayUpdateCard(): boolean {
  return useReadOnlyRefusal() !== 'ACCOUNT_SUSPENDED'
}

function useReadOnlyRefusal(): keyof typeof ACCESS_REFUSALS | undefined {
  // Fetched before any screen of the app.
  const { data } = trpc.billing.subscription.useQuery(undefined, { enabled: false })
  if (data?.isSuspended) return 'ACCOUNT_SUSPENDED'
  return data?.access === 'read-only' ? readOnlyRefusal(data.status) : undefined
}

/** Whether a form may not open; a toast then says why and, where that helps, leads to the card. */
export function useReadOnlyGuard(): () => boolean {
  const text = useReadOnlyReason()
  const mayUpdateCard = useMayUpdateCard()
  const openPortal = useOpenPortal()
  return () => {
    const action = mayUpdateCard ? { label: 'Update Card', onAct: openPortal } : undefined
    if (text) showToast({ tone: 'error', text, durationMs: TOAST_MS, ...(action && { action }) })
    return text !== undefined
  }
}
