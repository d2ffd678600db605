import { createRouter } from '@tanstack/react-router'
import type { CookieVisitor } from '#shared/visitor.ts'
import { routeTree } from '#client/routeTree.gen.ts'
import { PendingScreen } from '#client/shell/pending-screen.tsx'
import { RouteFailure } from '#client/shell/route-failure.tsx'
import type { RouterContext } from '#client/routes/-router-context.ts'
import { failWhenUnreachable } from '#client/shell/screen-loading.ts'

export type AppRouterInstance = ReturnType<typeof makeRouter>

/** Sent with a page that the server has rendered. */
export interface ServerRendered {
  /** The address: its path and query. */
  href: string
  visitor: CookieVisitor
  /** The queries' results, for `restoreQueries`. */
  queries: string
}

/** The server dehydrates the data it rendered a screen from; the browser hydrates it. */
interface RenderingOptions {
  dehydrate?: () => Promise<ServerRendered>
  hydrate?: (rendered: ServerRendered) => Promise<void>
  ssr?: { nonce: string }
}

export function makeRouter(context: RouterContext, rendering: RenderingOptions = {}) {
  const router = createRouter({
    routeTree,
    context,
    scrollRestoration: true,
    defaultPreload: 'intent',
    // The query client decides what is stale.
    defaultPreloadStaleTime: 0,
    // Shows a screen as soon as it is ready, however short its spinner was.
    defaultPendingMinMs: 0,
    defaultPendingComponent: PendingScreen,
    // Not loaded on demand: it is shown where nothing can be loaded.
    defaultErrorComponent: RouteFailure,
    ...rendering,
  })
  // The server has every screen's files.
  if (typeof document !== 'undefined') failWhenUnreachable(Object.values(router.routesById))
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouterInstance
  }
  interface StaticDataRouteOption {
    /** The browser's title, before the name of the product. */
    title?: string
  }
}
