import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { answerError } from '#server/rest/errors.ts'

/**
 * Answers only to names that are ours. Some page's own name may be made to lead to this machine, and what that page then
 * asks comes from a browser here, as the same origin. An address in digits cannot be made to lead elsewhere.
 */
export function refuseOtherHosts(app: FastifyInstance, origins: string[]): void {
  const own = new Set(['localhost', ...origins.map((origin) => new URL(origin).hostname)])
  // Answered here, since stand-ins say what went wrong in their own way.
  app.addHook('onRequest', async (request, reply) => {
    const name = hostnameOf(request.headers.host ?? 'localhost')
    const isOurs = own.has(name) || isIP(name.replaceAll(/[[\]]/g, '')) > 0
    if (!isOurs) return answerError(new AppError('HOST_UNKNOWN'), request, reply)
  })
}

function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? ''
}
