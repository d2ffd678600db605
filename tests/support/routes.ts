import type { FastifyInstance, FastifyPluginAsync, RouteOptions } from 'fastify'

/** A plugin for the whole server, and the routes that are added after it. */
export function routeList(): { routes: RouteOptions[]; plugin: FastifyPluginAsync } {
  const routes: RouteOptions[] = []
  const plugin = async (app: FastifyInstance) => void app.addHook('onRoute', (route) => void routes.push(route))
  // Fastify keeps a plugin's hooks to itself unless it says otherwise.
  return { routes, plugin: Object.assign(plugin, { [Symbol.for('skip-override')]: true }) }
}

/** Those that are no procedures, each method by itself. */
export function callableRoutes(routes: RouteOptions[]) {
  return routes
    .filter(({ url }) => !url.startsWith('/trpc'))
    .flatMap(({ method, url, config = {} }) =>
      [method].flat().map((one) => ({ method: one, url, forPrograms: 'keyScope' in config })),
    )
}
