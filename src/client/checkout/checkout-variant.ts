/** The faces of the checkout screen. */
export type CheckoutVariant = 'setting-up' | 'welcome' | 'sign-up' | 'landing'

interface CheckoutState {
  isSignedIn: boolean
  /** Whether a checkout has started by itself, up to the browser's leaving for the payment page. */
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
  /** The sign-up form said that payment comes next. Whoever signs in sees the plan first. */
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
