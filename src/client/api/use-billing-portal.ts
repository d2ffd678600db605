import { useEffect } from 'react'
import { failureText } from './failure-text.ts'
import { trpc } from './trpc.ts'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { onPageRestored } from '#client/browser/on-page-restored.ts'

const FAILED = 'Failed to create portal session'

/** Opens Stripe's billing portal: change the card, cancel or resume the subscription. */
export function useBillingPortal() {
  const portal = trpc.billing.openPortal.useMutation(HANDLERS)
  const { mutate, reset, isPending, isSuccess } = portal
  useEffect(() => onPageRestored(reset), [reset])
  return {
    open: () => mutate(),
    isOpening: isPending || isSuccess,
  }
}

/** The same without a state of its own, for what has no button to show it. */
export function useOpenPortal(): () => void {
  const { client } = trpc.useUtils()
  return () => void client.billing.openPortal.mutate().then(HANDLERS.onSuccess, HANDLERS.onError)
}

const HANDLERS = {
  onSuccess: ({ url }: { url: string }) => location.assign(url),
  onError: (error: unknown) => toastFailure(failureText(error, { failed: FAILED, network: FAILED })),
}
