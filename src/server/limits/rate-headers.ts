import type { FastifyReply } from 'fastify'
import type { AppError } from '#shared/errors.ts'
import type { Standing } from './limits.ts'

/** If a request counts against several limits, the headers describe the one closest to being reached. */
export function tellStanding(reply: FastifyReply, { limit, remaining, resetSeconds }: Standing): void {
  const told = reply.getHeader('ratelimit-remaining')
  if (told !== undefined && Number(told) <= remaining) return
  reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': resetSeconds })
}

/** The headers of a refusal: when to retry, and which limit was reached. */
export function waitHeaders({ wait }: AppError): Record<string, string> {
  if (!wait) return {}
  const retry = { 'retry-after': String(wait.seconds) }
  if (wait.limit === undefined) return retry
  const told = { 'ratelimit-limit': String(wait.limit), 'ratelimit-remaining': '0' }
  return { ...retry, ...told, 'ratelimit-reset': String(wait.seconds) }
}
