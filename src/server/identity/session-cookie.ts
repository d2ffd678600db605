import type { FastifyRequest } from 'fastify'
import { isApiKey } from './api-keys.service.ts'

/**
 * The token that the identity provider's script keeps in a cookie while it is good, about a minute. An API key there is
 * none: pages take their visitor for somebody who has signed in.
 */
export function sessionCookie({ headers: { cookie } }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const token = cookie?.match(/(?:^|;\s*)__session=([^;]+)/)?.[1]
  return token === undefined || isApiKey(token) ? undefined : token
}
