import type { ReactNode } from 'react'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import { CheckoutLanding } from './checkout-landing.tsx'
import { checkoutVariant, startsByItself } from './checkout-variant.ts'
import { useCheckout } from './use-checkout.ts'
import { Welcome, type Buyer } from './welcome.tsx'

interface CheckoutScreenProps {
  buyer: Buyer | undefined
  trial: boolean
  canceled: boolean
  /** Undefined until it is known. */
  subscription: { trialUsed: boolean; deletesAt: Date | null } | undefined
  hasJustSignedUp: boolean
  hasPendingSignUp: boolean
  /** The sign-up form, for a visitor who has no account yet. */
  signUp: ReactNode
}

/** Leads a visitor to the hosted payment page. */
export function CheckoutScreen({ buyer, trial, hasPendingSignUp, signUp, ...rest }: CheckoutScreenProps) {
  const { canceled, subscription, hasJustSignedUp } = rest
  const isSignedIn = buyer !== undefined
  const checkout = useCheckout(
    startsByItself({ isSignedIn, hasJustSignedUp, trial, canceled, trialUsed: subscription?.trialUsed }),
  )
  const isSettingUp = checkout.isSettingUp || subscription === undefined
  switch (checkoutVariant({ isSignedIn, isSettingUp, trial, hasPendingSignUp })) {
    case 'setting-up':
      return <LoadingScreen title="Setting up your checkout..." />
    case 'welcome':
      return buyer && subscription && <Welcome buyer={buyer} subscription={subscription} checkout={checkout} />
    case 'sign-up':
      return signUp
    case 'landing':
      return <CheckoutLanding />
  }
}
