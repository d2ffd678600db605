import { timingSafeEqual } from 'node:crypto'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { backendSessions } from './backend-sessions.ts'
import { backendUsers } from './backend-users.ts'
import { ClerkError } from './errors.ts'
import { hashSecret } from './ids.ts'
import { jwksJson } from './keys.ts'
import type { Standin } from './standin.ts'

/** Clerk's Backend API, as far as @clerk/backend calls it for TRAXX. Only the holder of the secret key is answered. */
export function backendApi(standin: Standin): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async (request) => requireSecretKey(request, standin.keys.secretKey))
    app.get('/v1/jwks', async () => jwksJson(standin.keys))
    backendUsers(app, standin.pool)
    backendSessions(app, standin.pool)
  }
}

function requireSecretKey({ headers }: FastifyRequest, secretKey: string): void {
  const given = Buffer.from(hashSecret(headers.authorization ?? ''))
  const wanted = Buffer.from(hashSecret(`Bearer ${secretKey}`))
  if (!timingSafeEqual(given, wanted)) throw new ClerkError('clerk_key_invalid')
}
