/** The result of a checkout, once the visitor is back from Stripe. */
export type CheckoutOutcome = 'signed-out' | 'no-session' | 'trial' | 'subscription' | 'trial-refused' | 'unconfirmed'

interface Subscription {
  status: string
  screens: string
  trialEnd: Date | null
  endedAt: Date | null
}

interface Return {
  isSignedIn: boolean
  sessionId: string | undefined
  /** Undefined if Stripe did not answer. */
  subscription: Subscription | undefined
}

export function checkoutOutcome({ isSignedIn, sessionId, subscription }: Return): CheckoutOutcome {
  if (!isSignedIn) return 'signed-out'
  if (!sessionId) return 'no-session'
  if (subscription && endedInTrial(subscription)) return 'trial-refused'
  if (!subscription || subscription.screens === 'checkout') return 'unconfirmed'
  return subscription.status === 'trialing' ? 'trial' : 'subscription'
}

/** The server has ended a second trial of the same mailbox. */
function endedInTrial({ status, trialEnd, endedAt }: Subscription): boolean {
  return status === 'canceled' && trialEnd !== null && endedAt !== null && endedAt < trialEnd
}
