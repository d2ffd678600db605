import type { QueryClient } from '@tanstack/react-query'
import { startTransition, StrictMode, useEffect, type ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { doubtOldAnswers, readAhead, takeAnswers, type Ahead } from './server-rendered/ahead.ts'
import { dropEarlyActs, holdEarlyActs } from './server-rendered/early-acts.ts'
import { isBrowserTimeZone } from './text/format.ts'
import { makeRefusedSession } from './identity/refused-session.ts'
import { makeSession } from './identity/session.ts'
import { makeQueryClient } from './api/query-client.ts'
import { makeRouter, type AppRouterInstance } from './app/router.tsx'
import { styleNonce } from './browser/style-nonce.ts'
import { failureOf, makeTrpcClient, makeTrpcUtils } from './api/trpc.ts'

start().catch(globalThis.failToStart)

declare global {
  /** Tells whoever looks at the page, in the page's own script: there is nothing else to show it with. */
  var failToStart: (error: unknown) => void
}

/** A little at a time: in between the page can scroll and be typed into. */
async function start(): Promise<void> {
  await aTurn()
  const ahead = readAhead(document)
  const session = makeSession(ahead?.known)
  const trpcClient = makeTrpcClient(session.getToken)
  const queryClient = makeQueryClient((error) => obeyRefusal(error, { router, sessionRefused }))
  const trpcUtils = makeTrpcUtils(trpcClient, queryClient)
  const sessionRefused = makeRefusedSession({ session, trpcClient, trpcUtils })
  await aTurn()
  const router = makeRouter({ trpcClient, trpcUtils, session })
  session.onChange(() => {
    queryClient.clear()
    void router.invalidate()
  })
  await aTurn()
  const appModule = fetchPieces(router)
  if (!ahead) void trpcUtils.identity.config.prefetch()
  const { App } = await appModule
  const nonce = styleNonce()
  // Where Mantine keeps a page from scrolling under a dialog, the library that does so looks here.
  Object.assign(globalThis, { __webpack_nonce__: nonce })
  await show(<App {...{ router, session, queryClient, trpcClient, nonce }} />, { ahead, router, queryClient })
}

function aTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** Side by side: the pieces every screen needs, and this screen's own. */
function fetchPieces(router: AppRouterInstance) {
  const appModule = import('./app/app.tsx')
  const matched = new Set<string>(router.matchRoutes(location.pathname).map(({ routeId }) => routeId))
  for (const route of Object.values(router.routesById)) {
    if (matched.has(route.id)) void router.loadRouteChunk(route)
  }
  return appModule
}

interface Surroundings {
  ahead: Ahead | undefined
  router: AppRouterInstance
  queryClient: QueryClient
}

async function show(app: ReactNode, { ahead, router, queryClient }: Surroundings): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no element to show the app in')
  const caughtUp = (
    <StrictMode>
      <CaughtUp ahead={ahead} router={router}>
        {app}
      </CaughtUp>
    </StrictMode>
  )
  if (!ahead) return createRoot(root).render(caughtUp)
  takeAnswers(queryClient, ahead)
  await router.load()
  doubtOldAnswers(queryClient)
  const moved = hasMoved(ahead)
  if (!moved) stayScrolled(router)
  // Somebody has gone back meanwhile, or days and hours would be others than those the server has shown.
  if (moved || !isBrowserTimeZone(ahead.known.timeZone)) {
    dropEarlyActs()
    return createRoot(root).render(caughtUp)
  }
  // What the server has rendered is taken over as it is, a little at a time: the page stays ready to scroll and type.
  router.ssr = { manifest: undefined }
  const doEarlyActs = holdEarlyActs()
  // What was rendered for one address cannot be taken over at another, and is rendered anew.
  const onRecoverableError = (error: unknown) => void (hasMoved(ahead) || reportError(error))
  startTransition(() => void hydrateRoot(root, caughtUp, { onRecoverableError }))
  doEarlyActs()
}

/** A page that is taken over stays as far down as somebody has scrolled it, or the browser after a reload. */
function stayScrolled(router: AppRouterInstance): void {
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

/** Somebody may have gone back while the page was taken over, when the router did not listen yet. */
function CaughtUp({ ahead, router, children }: CaughtUpProps): ReactNode {
  useEffect(() => {
    if (ahead && router.history.location.href !== router.state.location.href) void router.load()
  }, [ahead, router])
  return children
}

interface CaughtUpProps extends Pick<Surroundings, 'ahead' | 'router'> {
  children: ReactNode
}

interface Obeyed {
  router: AppRouterInstance
  sessionRefused: () => Promise<void>
}

/** Whichever screen asked: a session that ended leads to sign-in, a subscription that ended to checkout. */
function obeyRefusal(error: unknown, { router, sessionRefused }: Obeyed): void {
  const { refusal } = failureOf(error)
  if (refusal === 'NOT_SIGNED_IN') void sessionRefused()
  if (refusal === 'SUBSCRIPTION_REQUIRED') void recheckSubscription(router)
}

async function recheckSubscription(router: AppRouterInstance): Promise<void> {
  const { trpcUtils } = router.options.context
  const { screens } = await trpcUtils.billing.subscription.fetch(undefined, { staleTime: 0 })
  if (screens === 'checkout') await router.invalidate()
}
