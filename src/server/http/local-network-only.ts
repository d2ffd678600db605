import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { answerError } from '#server/rest/errors.ts'
import { isLocal } from './local-addresses.ts'

/** By any of these a proxy says that somebody else asks. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip', 'true-client-ip']

/** Answers only to this machine and the private network that it is in: for what would let anybody in. */
export function refuseStrangers(app: FastifyInstance): void {
  // Answered here, since stand-ins say what went wrong in their own way.
  app.addHook('onRequest', async (request, reply) => {
    if (!isNeighbor(request)) return answerError(new AppError('STRANGER_REFUSED'), request, reply)
  })
}

function isNeighbor(request: FastifyRequest): boolean {
  if (!isLocal(request.socket.remoteAddress ?? '')) return false
  return !isForwarded(request) || (isFromTrustedProxy(request) && isLocal(request.ip))
}

/** Behind a proxy on the same machine everybody would seem to be on it. */
export function isForwarded({ headers }: FastifyRequest): boolean {
  return FORWARDING_HEADERS.some((name) => headers[name] !== undefined)
}

/** Fastify lists the addresses that it believes, that of the connection first. */
function isFromTrustedProxy({ ips = [] }: FastifyRequest): boolean {
  return ips.length > 1
}
