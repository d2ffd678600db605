/** What has become of the checkout that somebody comes back from. */
export type CheckoutOutcome = 'signed-out' | 'no-session' | 'trial' | 'subscription' | 'unconfirmed'

interface Return {
  isSignedIn: boolean
  sessionId: string | undefined
  /** As Stripe knows it now; undefined where that is not known. */
  subscription: { status: string; screens: string } | undefined
}

export function checkoutOutcome({ isSignedIn, sessionId, subscription }: Return): CheckoutOutcome {
  if (!isSignedIn) return 'signed-out'
  if (!sessionId) return 'no-session'
  if (!subscription || subscription.screens === 'checkout') return 'unconfirmed'
  return subscription.status === 'trialing' ? 'trial' : 'subscription'
}
