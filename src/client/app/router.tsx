import { createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { routeTree } from '#client/routeTree.gen.ts'
import type { RouterContext } from './router-context.ts'

export type AppRouterInstance = ReturnType<typeof makeRouter>

export function makeRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    scrollRestoration: true,
    defaultPreload: 'intent',
    // The query client keeps what was preloaded, and knows when it is stale.
    defaultPreloadStaleTime: 0,
    // A screen that is ready is not held back for the sake of its spinner.
    defaultPendingMinMs: 0,
    defaultErrorComponent: lazyRouteComponent(() => import('#client/shell/route-failure.tsx'), 'RouteFailure'),
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
