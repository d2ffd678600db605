import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { makeSession } from './identity/session.ts'
import { makeQueryClient } from './query-client.ts'
import { makeRouter } from './router.tsx'
import { failureOf, makeTrpcClient, makeTrpcUtils } from './trpc.ts'

const session = makeSession()
const trpcClient = makeTrpcClient(session.getToken)
const queryClient = makeQueryClient(obeyRefusal)
const trpcUtils = makeTrpcUtils(trpcClient, queryClient)
const router = makeRouter({ trpcClient, trpcUtils, session })

session.onChange(() => {
  queryClient.clear()
  void router.invalidate()
})

// Fetched side by side: the pieces every screen needs, this screen's own, and where the identity provider is.
const appModule = import('./app.tsx')
const matched = new Set<string>(router.matchRoutes(location.pathname).map(({ routeId }) => routeId))
for (const route of Object.values(router.routesById)) {
  if (matched.has(route.id)) void router.loadRouteChunk(route)
}
void trpcUtils.identity.config.prefetch()

const App = lazy(() => appModule.then(({ App: component }) => ({ default: component })))
const root = document.getElementById('root')
if (!root) throw new Error('The page has no element to show the app in')
createRoot(root).render(
  <StrictMode>
    <Suspense>
      <App {...{ router, session, queryClient, trpcClient }} />
    </Suspense>
  </StrictMode>,
)

/** Whichever screen asked: a session that ended leads to sign-in, a subscription that ended to checkout. */
function obeyRefusal(error: unknown): void {
  const { refusal } = failureOf(error)
  if (refusal === 'NOT_SIGNED_IN') void session.end()
  if (refusal === 'SUBSCRIPTION_REQUIRED') void recheckSubscription()
}

async function recheckSubscription(): Promise<void> {
  const { screens } = await trpcUtils.billing.subscription.fetch(undefined, { staleTime: 0 })
  if (screens === 'checkout') await router.invalidate()
}
