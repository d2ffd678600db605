import type { FastifyInstance } from 'fastify'
import type { RequestContext } from '#server/context.ts'
import { openLogo } from '#server/company/logo.service.ts'
import { countRequests } from '#server/limits/count-requests.ts'
import { FILES_POLICY } from '#server/security/content-policies.ts'
import { answerError } from './answers/errors.ts'

const TYPES = { png: 'image/png', jpg: 'image/jpeg' }

/** Logos, which mail programs load without a session. */
export async function logoRoutes(app: FastifyInstance, outside: Pick<RequestContext, 'db' | 'limits' | 'services'>) {
  app.setErrorHandler(answerError)
  countRequests(app, outside.limits)

  app.get<{ Params: { name: string } }>('/logos/:name', async ({ params }, reply) => {
    const logo = await openLogo(outside, params.name)
    reply.type(TYPES[logo.type]).headers({
      'content-length': logo.size,
      'content-security-policy': FILES_POLICY,
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=86400',
    })
    return reply.send(await logo.read())
  })
}
