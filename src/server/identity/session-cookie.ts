import type { FastifyRequest } from 'fastify'
import { isApiKey } from './api-keys.service.ts'

/**
 * The session token that the identity provider's script keeps in a cookie; it is valid for about a minute. An API key in
 * that cookie is ignored, because pages are for people who have signed in.
 */
export function sessionCookie({ headers: { cookie } }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const token = cookie?.match(/(?:^|;\s*)__session=([^;]+)/)?.[1]
  return token === undefined || isApiKey(token) ? undefined : token
}
