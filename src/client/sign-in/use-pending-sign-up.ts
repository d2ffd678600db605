import { useSignUp } from '@clerk/clerk-react'

/** Whether a sign-up waits for the code that was mailed; it outlives a reload of the page. */
export function usePendingSignUp(): boolean {
  const { signUp } = useSignUp()
  return signUp.status === 'missing_requirements' && signUp.unverifiedFields.includes('email_address')
}
