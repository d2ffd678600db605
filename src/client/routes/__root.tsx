import { createRootRouteWithContext, Outlet, Scripts } from '@tanstack/react-router'
import type { RouterContext } from './-router-context.ts'
import { useScreenChange } from '#client/shell/use-screen-change.ts'

export const Route = createRootRouteWithContext<RouterContext>()({ component: Root })

function Root() {
  useScreenChange()
  return (
    <>
      <Outlet />
      <Scripts />
    </>
  )
}
