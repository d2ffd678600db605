import { createRequestHandler } from '@tanstack/react-router/ssr/server'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { CookieVisitor } from '#shared/visitor.ts'
import { makeQueryClient } from '#client/api/query-client.ts'
import { makeTrpcClientOver, makeTrpcUtils, type TrpcLink } from '#client/api/trpc.ts'
import { App } from '#client/app/app.tsx'
import { makeRouter } from '#client/app/router.tsx'
import { screenTitle } from '#client/browser/screen-title.ts'
import { makeSession } from '#client/identity/session.ts'
import { showTimesIn } from '#client/text/format.ts'
import { dehydrateQueries } from './query-state.ts'

export interface ScreenRequest {
  request: Request
  visitor: CookieVisitor
  /** Runs queries without a request. */
  link: TrpcLink
  /** Of the page's content security policy. */
  nonce: string
}

export interface RenderedScreen {
  title: string
  /** The route that shows it. */
  routeId: string
  /** The HTML of the app's element, and the data to hydrate it with. */
  html: string
}

/** Renders a screen on the server. Undefined if the browser has to do more than hydrate it, such as redirect. */
export async function renderScreen({
  request,
  visitor,
  link,
  nonce,
}: ScreenRequest): Promise<RenderedScreen | undefined> {
  const session = makeSession(visitor)
  const queryClient = makeQueryClient(() => {})
  const trpcClient = makeTrpcClientOver(link)
  const trpcUtils = makeTrpcUtils(trpcClient, queryClient)
  const { pathname, search } = new URL(request.url)
  const dehydrate = async () => ({ href: pathname + search, visitor, queries: await dehydrateQueries(queryClient) })
  const router = makeRouter({ trpcClient, trpcUtils, session }, { dehydrate, ssr: { nonce } })
  // A route opts in if it renders the same on the server as in the browser.
  const screen = router.matchRoutes(pathname).at(-1)
  if (!screen || router.routesById[screen.routeId].options.ssr !== true) return undefined
  await trpcUtils.identity.config.prefetch()
  const handle = createRequestHandler({ request, createRouter: () => router })
  let title = ''
  const response = await handle(async () => {
    const { matches } = router.state
    if (!matches.every(({ status }) => status === 'success')) return new Response(null, { status: 204 })
    title = screenTitle(matches)
    showTimesIn(visitor.timeZone)
    const app = <App {...{ router, session, queryClient, trpcClient, nonce }} />
    return new Response(renderToString(<StrictMode>{app}</StrictMode>))
  })
  return response.status === 200 ? { title, routeId: screen.routeId, html: await response.text() } : undefined
}

/** Whether the app has a screen at a path; others are not found. */
export function isScreen(pathname: string): boolean {
  const [, , route] = (pathRouter ??= makePathRouter()).getMatchedRoutes(pathname)
  return route !== undefined && route.id !== '/$'
}

let pathRouter: ReturnType<typeof makeRouter> | undefined

/** Only for its paths. */
function makePathRouter() {
  const link: TrpcLink = () => () => {
    throw new Error('No call is needed to know a path')
  }
  const trpcClient = makeTrpcClientOver(link)
  const trpcUtils = makeTrpcUtils(
    trpcClient,
    makeQueryClient(() => {}),
  )
  return makeRouter({ trpcClient, trpcUtils, session: makeSession() })
}

export type RenderScreen = typeof renderScreen
