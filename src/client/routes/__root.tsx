import { createRootRouteWithContext, Outlet, Scripts } from '@tanstack/react-router'
import type { RouterContext } from '#client/app/router-context.ts'
import { useArrival } from '#client/shell/use-arrival.ts'

export const Route = createRootRouteWithContext<RouterContext>()({ component: Root })

function Root() {
  useArrival()
  return (
    <>
      <Outlet />
      <Scripts />
    </>
  )
}
