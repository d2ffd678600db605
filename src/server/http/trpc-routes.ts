import { getTRPCErrorShape, TRPCError, transformTRPCResponse } from '@trpc/server'
import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { MAX_CALLS_IN_BATCH } from '#shared/trpc-batch.ts'
import { countCalls } from '#server/limits/count-requests.ts'
import type { Limits } from '#server/limits/limits.ts'
import { waitHeaders } from '#server/limits/rate-headers.ts'
import { answerError, statusOf } from '#server/rest/answers/errors.ts'
import { appRouter, type AppRouter } from '#server/routers/index.ts'
import { rethrowForTRPC } from '#server/trpc.ts'
import { isCostlyJson } from '#shared/costly-json.ts'
import type { ContextOf } from './request-context.ts'
import { refuseForms } from './slow-clients.ts'

interface TrpcOptions {
  context: ContextOf
  limits: Limits
}

/** The procedures, under /trpc. Each request of this scope was counted as one call already. */
export async function trpcRoutes(app: FastifyInstance, options: TrpcOptions): Promise<void> {
  app.setErrorHandler(answerTrpcError)
  refuseForms(app)
  refuseTrace(app)
  refuseCostlyBodies(app)
  await app.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions: trpcOptions(options) })
}

/** The only method of HTTP/1.1 for which tRPC could not make a request of its own: that would be a fault. */
function refuseTrace(app: FastifyInstance): void {
  app.addHook('onRequest', ({ method }, _reply, done) => {
    done(method === 'TRACE' ? new AppError('PATH_NOT_FOUND') : undefined)
  })
}

/** The bodies that are texts here, which tRPC parses. */
function refuseCostlyBodies(app: FastifyInstance): void {
  app.addHook('preValidation', ({ body }, _reply, done) => {
    done(typeof body === 'string' && isCostlyJson(body) ? new AppError('BODY_TOO_LARGE') : undefined)
  })
}

/** Errors that are logged for the operator. */
const FAULTS = new Set<TRPCError['code']>(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'])

// The context is found by tRPC itself, so that a failure on the way is answered in tRPC's form. Only tRPC knows how many
// calls a request carries: it decodes the path once more than Fastify does.
function trpcOptions({ context, limits }: TrpcOptions): FastifyTRPCPluginOptions<AppRouter>['trpcOptions'] {
  const contextFor = async (request: FastifyRequest, reply: FastifyReply, calls: number) => {
    if (calls > 1) await countCalls(limits, reply, calls - 1)
    return context(request, reply, calls)
  }
  return {
    router: appRouter,
    maxBatchSize: MAX_CALLS_IN_BATCH,
    createContext: ({ req, res, info }) => contextFor(req, res, info.calls.length).catch(rethrowForTRPC),
    responseMeta: ({ errors }) => ({ headers: Object.assign({}, ...errors.map(waitOf)) }),
    onError: ({ error, req, path }) => {
      if (FAULTS.has(error.code)) req.log.error({ err: error.cause ?? error, path }, 'fault')
    },
  }
}

/** Sends rate limit refusals in tRPC's form, which screens read. */
function answerTrpcError(error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (!(error instanceof AppError && error.wait)) return answerError(error, request, reply)
  const config = appRouter._def._config
  const asTrpc = new TRPCError({ code: error.code, message: error.message, cause: error })
  const shape = getTRPCErrorShape({
    config,
    error: asTrpc,
    type: 'unknown',
    path: undefined,
    input: undefined,
    ctx: undefined,
  })
  return reply
    .code(statusOf(error))
    .headers(waitHeaders(error))
    .send(transformTRPCResponse(config, { error: shape }))
}

function waitOf({ cause }: Pick<Error, 'cause'>): Record<string, string> {
  return cause instanceof AppError ? waitHeaders(cause) : {}
}
