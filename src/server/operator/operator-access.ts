import type { FastifyRequest } from 'fastify'
import { isSameSecret } from '#server/security/same-secret.ts'

/** How a browser is asked for the token, as the password of any user name. */
export const ASKS_FOR_TOKEN = { 'www-authenticate': 'Basic realm="TRAXX operator", charset="UTF-8"' }

/** Whether a request has the operator's token: as a bearer token, or as the password of HTTP's basic authentication. */
export function hasToken({ headers: { authorization = '' } }: FastifyRequest, token: string): boolean {
  const [, scheme = '', credentials = ''] = /^(bearer|basic) (\S+)$/i.exec(authorization) ?? []
  const given = scheme.toLowerCase() === 'basic' ? passwordOf(credentials) : credentials
  return isSameSecret(given, token)
}

/** Whether another site has sent the form: browsers send basic authentication with it by themselves. */
export function isFromElsewhere({ method, headers }: FastifyRequest, origins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = headers
  if (method === 'POST' && site !== 'same-origin') return true
  return origin !== undefined && !origins.includes(origin)
}

function passwordOf(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}
