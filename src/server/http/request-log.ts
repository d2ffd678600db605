import type { FastifyRequest } from 'fastify'

/** Whoever has such a link can use it. */
const TOKEN_IN_PATH = /^(\/(?:unsubscribe|report)\/)[^/]+/

/** What the log has of a request: no query, since people search for names, and no token of a link in an email. */
export function loggedRequest({ method, url, host, ip }: FastifyRequest) {
  const path = url.replace(/\?.*/s, '').replace(TOKEN_IN_PATH, '$1[token]')
  return { method, url: path, host, remoteAddress: ip }
}
