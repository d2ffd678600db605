import { startTransition, StrictMode, useEffect, type ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { doubtOldAnswers, readAhead, takeAnswers, type Ahead } from './ahead.ts'
import { dropEarlyActs, holdEarlyActs } from './early-acts.ts'
import { isBrowserTimeZone } from './format.ts'
import { makeSession } from './identity/session.ts'
import { makeQueryClient } from './query-client.ts'
import { makeRouter } from './router.tsx'
import { failureOf, makeTrpcClient, makeTrpcUtils } from './trpc.ts'

const ahead = readAhead(document)
const session = makeSession(ahead?.known)
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
if (!ahead) void trpcUtils.identity.config.prefetch()

show().catch(globalThis.failToStart)

declare global {
  /** Tells whoever looks at the page, in the page's own script: there is nothing else to show it with. */
  var failToStart: (error: unknown) => void
}

async function show(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no element to show the app in')
  const { App } = await appModule
  const app = (
    <StrictMode>
      <CaughtUp>
        <App {...{ router, session, queryClient, trpcClient }} />
      </CaughtUp>
    </StrictMode>
  )
  if (!ahead) return createRoot(root).render(app)
  takeAnswers(queryClient, ahead)
  await router.load()
  doubtOldAnswers(queryClient)
  const moved = hasMoved(ahead)
  if (!moved) stayScrolled()
  // Somebody has gone back meanwhile, or days and hours would be others than those the server has shown.
  if (moved || !isBrowserTimeZone(ahead.known.timeZone)) {
    dropEarlyActs()
    return createRoot(root).render(app)
  }
  // What the server has rendered is taken over as it is, a little at a time: the page stays ready to scroll and type.
  router.ssr = { manifest: undefined }
  const doEarlyActs = holdEarlyActs()
  startTransition(() => void hydrateRoot(root, app, { onRecoverableError }))
  doEarlyActs()
}

/** A page that is taken over stays as far down as somebody has scrolled it, or the browser after a reload. */
function stayScrolled(): void {
  router.options.scrollRestoration = () => false
  const unsubscribe = router.subscribe('onRendered', () => {
    unsubscribe()
    router.options.scrollRestoration = true
    // The router keeps the place of what it has heard to be scrolled, for whoever comes back.
    if (scrollY > 0) document.dispatchEvent(new Event('scroll'))
  })
}

function hasMoved({ href }: Ahead): boolean {
  return href !== location.pathname + location.search
}

/** What was rendered for one address cannot be taken over at another, and is rendered anew. */
function onRecoverableError(error: unknown): void {
  if (ahead && !hasMoved(ahead)) reportError(error)
}

/** Somebody may have gone back while the page was taken over, when the router did not listen yet. */
function CaughtUp({ children }: { children: ReactNode }): ReactNode {
  useEffect(() => {
    if (ahead && router.history.location.href !== router.state.location.href) void router.load()
  }, [])
  return children
}

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
