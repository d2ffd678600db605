/** What the checkout screen shows. */
export type CheckoutVariant = 'setting-up' | 'welcome' | 'sign-up' | 'landing'

interface CheckoutState {
  isSignedIn: boolean
  /** Whether a checkout has started by itself, until the browser leaves for the payment page. */
  isSettingUp: boolean
  trial: boolean
  hasPendingSignUp: boolean
}

export function checkoutVariant({ isSignedIn, isSettingUp, trial, hasPendingSignUp }: CheckoutState): CheckoutVariant {
  if (isSignedIn) return isSettingUp ? 'setting-up' : 'welcome'
  return trial || hasPendingSignUp ? 'sign-up' : 'landing'
}

interface Arrival {
  isSignedIn: boolean
  /** After sign-up, payment comes next; after sign-in, the plan is shown first. */
  hasJustSignedUp: boolean
  trial: boolean
  /** Back from the payment page without having paid. */
  canceled: boolean
  /** Undefined until it is known. */
  trialUsed: boolean | undefined
}

/** Whether checkout starts without another click: not after leaving Stripe's page, nor where it charges at once. */
export function startsByItself({ isSignedIn, hasJustSignedUp, trial, canceled, trialUsed }: Arrival): boolean {
  return isSignedIn && hasJustSignedUp && trial && !canceled && trialUsed === false
}
