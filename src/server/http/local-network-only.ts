import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { answerError } from '#server/rest/answers/errors.ts'
import { callHeaders } from './content-security.ts'
import { isLocal } from '#server/security/local-addresses.ts'

/** A proxy adds one of these when it forwards a request, or one that begins with `x-forwarded`. */
const FORWARDING_HEADERS = new Set([
  'forwarded',
  'forwarded-for',
  'via',
  'cdn-loop',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-envoy-external-address',
  'x-azure-clientip',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-ray',
])

/** Accepts only this machine and its private network: local sign-in would let anybody in. */
export function refuseOtherNetworks(app: FastifyInstance): void {
  // Answered here: local services have an error format of their own.
  app.addHook('onRequest', async (request, reply) => {
    if (!isFromLocalNetwork(request))
      return answerError(new AppError('OUTSIDE_NETWORK_REFUSED'), request, callHeaders(reply))
  })
}

function isFromLocalNetwork(request: FastifyRequest): boolean {
  if (!isLocal(request.socket.remoteAddress ?? '')) return false
  return !isForwarded(request) || (isFromTrustedProxy(request) && isLocal(request.ip))
}

/** A proxy on the same machine would make every request look local. */
export function isForwarded({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => FORWARDING_HEADERS.has(name) || name.startsWith('x-forwarded'))
}

/** Fastify lists the addresses it trusts, the connection's own first. */
function isFromTrustedProxy({ ips = [] }: FastifyRequest): boolean {
  return ips.length > 1
}
