import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { destinationOrHome } from '#client/browser/destination.ts'
import { RestFailure } from '#client/api/rest-failure.ts'
import { failureOf, trpc } from '#client/api/trpc.ts'
import { forgetSignUp } from '#client/browser/just-signed-up.ts'
import { onPageRestored } from '#client/browser/on-page-restored.ts'

const UNKNOWN_ERROR = 'Unknown error occurred'

export type Checkout = ReturnType<typeof useCheckout>

/** Opens the hosted checkout: automatically if `byItself`, and whenever `start` is called. */
export function useCheckout(byItself: boolean) {
  const [byHand, setByHand] = useState(false)
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const refresh = trpc.billing.refresh.useMutation()
  const portal = trpc.billing.openPortal.useMutation()
  const checkout = trpc.billing.startCheckout.useMutation({
    onSuccess: async ({ sessionId, url }) => {
      if (!sessionId || !url) throw missingSession()
      // Going back from the payment page must not start the next checkout.
      await navigate({ to: '/checkout', search: { trial: true, canceled: true }, replace: true })
      location.assign(url)
    },
    onError: async (error) => {
      if (failureOf(error).refusal !== 'ALREADY_SUBSCRIBED') return
      const subscription = await refresh.mutateAsync()
      utils.billing.subscription.setData(undefined, subscription)
      if (subscription.screens !== 'checkout') return navigate({ href: destinationOrHome(), replace: true })
      // A first payment that is incomplete is finished in the billing portal.
      const { url } = await portal.mutateAsync()
      location.assign(url)
    },
  })
  const { mutate, reset, error, isIdle, isPending, isSuccess } = checkout

  useEffect(() => {
    if (!byItself) return
    // Delayed, since React's strict mode mounts twice and only the second time counts.
    const timer = setTimeout(() => {
      forgetSignUp()
      mutate()
    })
    return () => clearTimeout(timer)
  }, [byItself, mutate])

  useEffect(() => onPageRestored(reset), [reset])

  const isBusy = isPending || isSuccess || (byItself && isIdle)
  return {
    start: () => {
      setByHand(true)
      mutate()
    },
    isBusy,
    /** Busy because checkout started automatically. */
    isSettingUp: isBusy && !byHand,
    /** The trial takes an address that is verified. */
    needsAddress: error !== null && failureOf(error).refusal === 'TRIAL_UNVERIFIED',
    reset,
    error: error ? `Error creating checkout session: ${failureOf(error).message || UNKNOWN_ERROR}` : undefined,
  }
}

function missingSession(): RestFailure {
  reportError(new Error('The server returned no checkout session'))
  return RestFailure.refusedHere('CHECKOUT_FAILED', UNKNOWN_ERROR)
}
