/** The result of a checkout, once the visitor is back from Stripe. */
export type CheckoutOutcome = 'signed-out' | 'no-session' | 'trial' | 'subscription' | 'unconfirmed'

interface Return {
  isSignedIn: boolean
  sessionId: string | undefined
  /** Undefined if Stripe did not answer. */
  subscription: { status: string; screens: string } | undefined
}

export function checkoutOutcome({ isSignedIn, sessionId, subscription }: Return): CheckoutOutcome {
  if (!isSignedIn) return 'signed-out'
  if (!sessionId) return 'no-session'
  if (!subscription || subscription.screens === 'checkout') return 'unconfirmed'
  return subscription.status === 'trialing' ? 'trial' : 'subscription'
}
