import { AuthenticateWithRedirectCallback } from '@clerk/clerk-react'
import { createFileRoute } from '@tanstack/react-router'
import { ClerkForms } from '#client/sign-in/clerk-forms.tsx'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'

export const Route = createFileRoute('/sso-callback/$')({
  staticData: { title: 'Sign in' },
  component: SsoCallbackRoute,
})

function SsoCallbackRoute() {
  return (
    <>
      <LoadingScreen title="Processing sign-in..." />
      <ClerkForms>
        <AuthenticateWithRedirectCallback
          signInFallbackRedirectUrl="/dashboard"
          signUpFallbackRedirectUrl="/checkout?trial=true"
        />
      </ClerkForms>
    </>
  )
}
