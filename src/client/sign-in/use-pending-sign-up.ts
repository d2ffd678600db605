import { useSignUp } from '@clerk/clerk-react'

/** Whether a sign-up waits for its emailed code; survives a reload. */
export function usePendingSignUp(): boolean {
  const { signUp } = useSignUp()
  return signUp.status === 'missing_requirements' && signUp.unverifiedFields.includes('email_address')
}
