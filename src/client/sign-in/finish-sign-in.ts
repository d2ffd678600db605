import type { useSignIn } from '@clerk/clerk-react'

type SignIn = Pick<ReturnType<typeof useSignIn>['signIn'], 'status' | 'finalize'>

/** Signs in, or goes on to the second factor where the person has one. */
export async function finishSignIn(signIn: SignIn, onSecondFactor: () => void): Promise<{ error: unknown }> {
  if (signIn.status !== 'needs_second_factor') return signIn.finalize()
  onSecondFactor()
  return { error: null }
}
