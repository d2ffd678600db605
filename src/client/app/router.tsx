import { createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { CookieVisitor } from '#shared/visitor.ts'
import { routeTree } from '#client/routeTree.gen.ts'
import { PendingScreen } from '#client/shell/pending-screen.tsx'
import type { RouterContext } from './router-context.ts'

export type AppRouterInstance = ReturnType<typeof makeRouter>

/** What travels with a page that the server has rendered. */
export interface ServerRendered {
  /** The address: its path and query. */
  href: string
  known: CookieVisitor
  /** Of the queries, for `restoreQueries`. */
  queries: string
}

/** The server dehydrates what it has rendered a screen from, the browser hydrates it. */
interface RenderingOptions {
  dehydrate?: () => Promise<ServerRendered>
  hydrate?: (rendered: ServerRendered) => Promise<void>
  ssr?: { nonce: string }
}

export function makeRouter(context: RouterContext, rendering: RenderingOptions = {}) {
  return createRouter({
    routeTree,
    context,
    scrollRestoration: true,
    defaultPreload: 'intent',
    // The query client keeps what was preloaded, and knows when it is stale.
    defaultPreloadStaleTime: 0,
    // A screen that is ready is not held back for the sake of its spinner.
    defaultPendingMinMs: 0,
    defaultPendingComponent: PendingScreen,
    defaultErrorComponent: lazyRouteComponent(() => import('#client/shell/route-failure.tsx'), 'RouteFailure'),
    ...rendering,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouterInstance
  }
  interface StaticDataRouteOption {
    /** What the browser calls the screen, before the name of the product. */
    title?: string
  }
}
