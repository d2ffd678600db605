import type { FastifyInstance, FastifyReply } from 'fastify'
import { addressKey } from './address-key.ts'
import type { Limits } from './limits.ts'
import { tellStanding } from './rate-headers.ts'

/** Counts each request of this scope against its address, before any other work. */
export function countRequests(app: FastifyInstance, limits: Limits): void {
  app.addHook('onRequest', (_request, reply) => countCalls(limits, reply))
}

/** Counts this number of calls against a request's address. @throws TOO_MANY_REQUESTS */
export async function countCalls(limits: Limits, reply: FastifyReply, calls = 1): Promise<void> {
  tellStanding(reply, await limits.count('address', addressKey(reply.request.ip), calls))
}

interface CallerCount {
  accountId: number
  reply: FastifyReply
  calls?: number
}

/** The same against the account. @throws TOO_MANY_REQUESTS */
export async function countCaller(limits: Limits, { accountId, reply, calls = 1 }: CallerCount): Promise<void> {
  tellStanding(reply, await limits.count('account', accountId, calls))
}
