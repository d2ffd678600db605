import { hydrate } from '@tanstack/react-router/ssr/client'
import { startTransition, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { makeQueryClient } from './api/query-client.ts'
import { failureOf, makeTrpcClient, makeTrpcUtils } from './api/trpc.ts'
import { App } from './app/app.tsx'
import { makeRouter, type AppRouterInstance, type ServerRendered } from './app/router.tsx'
import { styleNonce } from './browser/style-nonce.ts'
import { makeRefusedSession } from './identity/refused-session.ts'
import { makeSession } from './identity/session.ts'
import { takeAnswers } from './server-rendered/answers.ts'
import { isBrowserTimeZone } from './text/format.ts'

start().catch(globalThis.failToStart)

declare global {
  /** Tells whoever looks at the page, in the page's own script: there is nothing else to show it with. */
  var failToStart: (error: unknown) => void
}

async function start(): Promise<void> {
  const session = makeSession()
  const trpcClient = makeTrpcClient(session.getToken)
  const queryClient = makeQueryClient((error) => obeyRefusal(error, { router, sessionRefused }))
  const trpcUtils = makeTrpcUtils(trpcClient, queryClient)
  const sessionRefused = makeRefusedSession({ session, trpcClient, trpcUtils })
  const takeOver = ({ known, answers }: ServerRendered) => {
    session.know(known)
    takeAnswers(queryClient, answers)
  }
  const router = makeRouter({ trpcClient, trpcUtils, session }, { hydrate: takeOver })
  session.onChange(() => {
    queryClient.clear()
    void router.invalidate()
  })
  const nonce = styleNonce()
  // Where Mantine keeps a page from scrolling under a dialog, the library that does so looks here.
  Object.assign(globalThis, { __webpack_nonce__: nonce })

  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no element to show the app in')
  const app = (
    <StrictMode>
      <App {...{ router, session, queryClient, trpcClient, nonce }} />
    </StrictMode>
  )
  if (!root.hasChildNodes()) return createRoot(root).render(app)
  stayScrolled(router)
  await hydrate(router)
  // Days and hours would be others than those the server has shown.
  if (!isBrowserTimeZone(session.known()?.timeZone ?? '')) return createRoot(root).render(app)
  // A little at a time: in between the page can scroll and be typed into.
  startTransition(() => void hydrateRoot(root, app))
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
