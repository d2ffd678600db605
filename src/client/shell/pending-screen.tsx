import { useRouterState } from '@tanstack/react-router'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'

/** Shown while the session and the subscription are checked. */
export function PendingScreen() {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  if ('stripe_success' in search) {
    return <LoadingScreen title="Activating your subscription..." hint="This may take a few moments" />
  }
  return pathname.startsWith('/checkout') ? <LoadingScreen title="Setting up your checkout..." /> : <LoadingScreen />
}
