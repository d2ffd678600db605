import { createFileRoute } from '@tanstack/react-router'
import { VerifyScreen } from '#client/verify/verify-screen.tsx'

/** For anybody, signed in or not. */
export const Route = createFileRoute('/verify')({
  staticData: { title: 'Verify a certificate' },
  component: VerifyScreen,
})
