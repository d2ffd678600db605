import { hydrate } from '@tanstack/react-router/ssr/client'
import { startTransition, StrictMode, useEffect, type ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { makeQueryClient } from './api/query-client.ts'
import { failureOf, makeTrpcClient, makeTrpcUtils } from './api/trpc.ts'
import { App } from './app/app.tsx'
import { makeRouter, type AppRouterInstance, type ServerRendered } from './app/router.tsx'
import { styleNonce } from './browser/style-nonce.ts'
import { makeRefusedSession } from './identity/refused-session.ts'
import { makeSession } from './identity/session.ts'
import { restoreQueries } from './server-rendered/query-state.ts'
import { fetchBanners } from './shell/banners/banners.tsx'
import { isBrowserTimeZone } from './text/format.ts'

start().catch(globalThis.failToStart)

declare global {
  /** Shows the error from the page's inline script, since nothing else has loaded. */
  var failToStart: (error: unknown) => void
}

/** Between two long pieces of work, so that the browser can take input and paint. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

async function start(): Promise<void> {
  await nextTask()
  const session = makeSession()
  const trpcClient = makeTrpcClient(session.getToken)
  const queryClient = makeQueryClient((error) => handleRefusal(error, { router, sessionRefused }))
  const trpcUtils = makeTrpcUtils(trpcClient, queryClient)
  const sessionRefused = makeRefusedSession({ session, trpcClient, trpcUtils })
  let renderedHref = ''
  const restoreRendered = async ({ href, visitor, queries }: ServerRendered) => {
    renderedHref = href
    session.setVisitor(visitor)
    restoreQueries(queryClient, queries)
    await fetchBanners(trpcUtils)
  }
  const router = makeRouter({ trpcClient, trpcUtils, session }, { hydrate: restoreRendered })
  session.onPersonChange(() => {
    queryClient.clear()
    void router.invalidate()
  })
  const nonce = styleNonce()
  // Read by the library with which Mantine locks scrolling under a dialog.
  Object.assign(globalThis, { __webpack_nonce__: nonce })

  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no element to show the app in')
  const app = (
    <StrictMode>
      <OnceMounted root={root} router={router}>
        <App {...{ router, session, queryClient, trpcClient, nonce }} />
      </OnceMounted>
    </StrictMode>
  )
  if (!root.hasChildNodes()) return createRoot(root).render(app)
  const hasMoved = () => renderedHref !== location.pathname + location.search
  keepScrollPosition(router)
  await nextTask()
  await hydrate(router)
  await nextTask()
  // The user has gone back since, or days and hours differ from what the server rendered.
  if (hasMoved() || !isBrowserTimeZone(session.visitor()?.timeZone ?? '')) return createRoot(root).render(app)
  // HTML rendered for another address cannot be hydrated, and React renders from scratch.
  const onRecoverableError = (error: unknown) => void (hasMoved() || reportError(error))
  // As a transition, so that the page can scroll and take input in between.
  startTransition(() => void hydrateRoot(root, app, { onRecoverableError }))
}

interface OnceMountedProps {
  root: HTMLElement
  router: AppRouterInstance
  children: ReactNode
}

function OnceMounted({ root, router, children }: OnceMountedProps): ReactNode {
  useEffect(() => {
    // Before this a click does nothing, and the pointer over a button says so (index.html).
    root.setAttribute('data-interactive', '')
    // The router listens to the history only from here on. The user may have gone back before.
    if (router.history.location.href !== router.state.location.href) void router.load()
  }, [root, router])
  return children
}

/** The router would scroll a page to the top when it hydrates it, even if the user has already scrolled. */
function keepScrollPosition(router: AppRouterInstance): void {
  router.options.scrollRestoration = () => false
  const unsubscribe = router.subscribe('onRendered', () => {
    unsubscribe()
    router.options.scrollRestoration = true
    // The router keeps scroll positions that it knows of, for when the user comes back.
    if (scrollY > 0) document.dispatchEvent(new Event('scroll'))
  })
}

interface RefusalHandling {
  router: AppRouterInstance
  sessionRefused: () => Promise<void>
}

/** On any screen: a session that ended leads to sign-in, a subscription that ended to checkout. */
function handleRefusal(error: unknown, { router, sessionRefused }: RefusalHandling): void {
  const { refusal } = failureOf(error)
  if (refusal === 'NOT_SIGNED_IN') void sessionRefused()
  if (refusal === 'SUBSCRIPTION_REQUIRED') void recheckSubscription(router)
}

async function recheckSubscription(router: AppRouterInstance): Promise<void> {
  const { trpcUtils } = router.options.context
  const { screens } = await trpcUtils.billing.subscription.fetch(undefined, { staleTime: 0 })
  if (screens === 'checkout') await router.invalidate()
}
