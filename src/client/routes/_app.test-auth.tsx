import { createFileRoute } from '@tanstack/react-router'
import { TestAuthScreen } from '#client/test-auth/test-auth-screen.tsx'

export const Route = createFileRoute('/_app/test-auth')({
  staticData: { title: 'Test authentication' },
  component: TestAuthScreen,
})
