import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { answerError } from '#server/rest/answers/errors.ts'
import { callHeaders } from './content-security.ts'

/**
 * Answers no request that names several hosts, as RFC 9112 wants it: a proxy before us may have looked at another one than
 * we would. For the same reason none for a whole address in place of a path, though the RFC has servers take that, nor for `*`.
 */
export function refuseSeveralHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { rawHeaders, url = '' } = request.raw
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    if (hosts.length > 1 || !url.startsWith('/'))
      return answerError(new AppError('INPUT_INVALID'), request, callHeaders(reply))
  })
}

/**
 * Answers only requests for our own host names. Against DNS rebinding: another site's name may be pointed at this machine,
 * and its pages would then count as the same origin. IP addresses cannot be rebound.
 */
export function refuseOtherHosts(app: FastifyInstance, origins: string[]): void {
  const own = new Set(['localhost', ...origins.map((origin) => new URL(origin).hostname)])
  // Answered here: local services have an error format of their own.
  app.addHook('onRequest', async (request, reply) => {
    const name = hostnameOf(request.headers.host ?? 'localhost')
    const isOurs = own.has(name) || isIP(name.replaceAll(/[[\]]/g, '')) > 0
    if (!isOurs) return answerError(new AppError('HOST_UNKNOWN'), request, callHeaders(reply))
  })
}

function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? ''
}
