import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'

/** Refuses what still arrives on open connections while the server stops; Fastify's own answer has no Retry-After. */
export function refuseWhileStopping(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    done(isStopping ? new AppError('SERVER_STOPPING') : undefined)
  })
}
