import { useEffect } from 'react'
import { failureText } from './failure-text.ts'
import { trpc } from './trpc.ts'
import { whenShownAgain } from './when-shown-again.ts'

const FAILED = 'Failed to create portal session'

/** Leads to the payment provider's own page, where the card is changed and the subscription canceled or resumed. */
export function usePortal() {
  const portal = trpc.billing.openPortal.useMutation({ onSuccess: ({ url }) => location.assign(url) })
  const { mutate, reset, error, isPending, isSuccess } = portal
  useEffect(() => whenShownAgain(reset), [reset])
  return {
    open: () => mutate(),
    isOpening: isPending || isSuccess,
    error: error ? failureText(error, { failed: FAILED, network: FAILED }) : undefined,
  }
}
