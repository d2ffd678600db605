import { initTRPC, TRPCError } from '@trpc/server'
import superjson from 'superjson'
import { $ZodError } from 'zod/v4/core'
import { AppError, REFUSALS, type RefusalKey } from '#shared/errors.ts'
import { serializeAnswer } from '#shared/serialize-answer.ts'
import {
  asSubscriber,
  requireAccount,
  requireExporter,
  requireReader,
  requireScope,
  requireSubscriber,
  type RequestContext,
} from './context.ts'
import { isUnavailable, unavailable } from './db/connections/failover.ts'
import type { SharedLimit } from './limits/allowances.ts'
import { trpcInput } from './trpc-input.ts'
import { PROCEDURE_SCOPES } from './identity/procedure-scopes.ts'
import { logDone, logRefusal, PROCEDURE_EVENTS } from './security/security-events.ts'

/** What a refusal carries to the client: screens decide by the key and show the message. */
export interface RefusalData {
  refusal: RefusalKey
  fields: Record<string, string> | undefined
  /** When to retry, if known. */
  retryAfterSeconds: number | undefined
}

const t = initTRPC.context<RequestContext>().create({
  transformer: {
    input: trpcInput,
    output: { serialize: serializeAnswer, deserialize: superjson.deserialize.bind(superjson) },
  },
  isDev: false,
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: messageOf(error),
    data: {
      ...shape.data,
      refusal: refusalOf(error),
      fields: fieldsOf(error.cause),
      retryAfterSeconds: error.cause instanceof AppError ? error.cause.wait?.seconds : undefined,
      ...hintOf(error.cause),
    } satisfies RefusalData,
  }),
})

export const router = t.router
export const createCallerFactory = t.createCallerFactory

export const publicProcedure = t.procedure
  .use(async ({ ctx, path, next }) => {
    const result = await next()
    if (result.ok) return result
    const { cause } = result.error
    logRefusal(ctx, cause, path)
    return rethrowForTRPC(cause instanceof AppError || isUnavailable(cause) ? cause : result.error)
  })
  .use(({ ctx, path, next }) => {
    requireScope(ctx, PROCEDURE_SCOPES[path] ?? 'none')
    return next()
  })
  .use(async ({ ctx, path, getRawInput, next }) => {
    const result = await next()
    const logged = PROCEDURE_EVENTS[path]
    if (!result.ok || !logged) return result
    logDone(ctx.security, logged, { input: await getRawInput(), output: result.data })
    return result
  })

/** Signed in. */
export const accountProcedure = publicProcedure.use(({ ctx, next }) => next({ ctx: requireAccount(ctx) }))

/** Signed in with a subscription that opens the app for reading. */
export const readerProcedure = publicProcedure.use(({ ctx, next }) => next({ ctx: requireReader(ctx) }))

/** Signed in, with data that may be exported. */
export const exporterProcedure = publicProcedure.use(({ ctx, next }) => next({ ctx: requireExporter(ctx) }))

/** Signed in with a subscription that lets one write: the whole call is one transaction. */
export const subscriberProcedure = writing(requireSubscriber)

/** Marks letters, without that subscription, as a legal deadline asks for it; counted before the transaction. */
export const deadlineProcedure = writing(requireExporter, 'letterMarks')

function writing(require: typeof requireSubscriber, limit?: SharedLimit) {
  return publicProcedure.use(async ({ ctx, next }) => {
    if (limit) await ctx.limits.take(limit, require(ctx).accountId)
    return asSubscriber(
      ctx,
      async (subscriber) => {
        const result = await next({ ctx: subscriber })
        if (!result.ok) throw whatFailed(result.error)
        return result
      },
      require,
    )
  })
}

/** The resolver's own error, without tRPC's wrapper: only by its code can the transaction recognize a deadlock and run again. */
function whatFailed(error: TRPCError): Error {
  return (error.code === 'INTERNAL_SERVER_ERROR' && error.cause) || error
}

/** A refusal becomes a tRPC error of its code; anything else stays what it is. */
export function rethrowForTRPC(error: unknown): never {
  const refusal = isUnavailable(error) ? unavailable(error) : error
  if (!(refusal instanceof AppError)) throw refusal
  throw new TRPCError({ code: refusal.code, message: refusal.message, cause: refusal })
}

// tRPC's own refusals get our words: its messages would reveal internals.
function refusalOf(error: TRPCError): RefusalKey {
  if (error.cause instanceof AppError) return error.cause.key
  if (error.code === 'NOT_FOUND') return 'PATH_NOT_FOUND'
  return error.code === 'INTERNAL_SERVER_ERROR' ? 'FAULT' : 'INPUT_INVALID'
}

/** What Clerk's SDK looks for where somebody has to prove once more who they are. */
function hintOf(cause: unknown): object {
  return cause instanceof AppError && cause.key === 'REVERIFICATION_REQUIRED' ? cause.details : {}
}

function messageOf(error: TRPCError): string {
  if (error.cause instanceof $ZodError) return firstText(error.cause)
  if (error.cause instanceof AppError) return error.message
  return REFUSALS[refusalOf(error)].message
}

/** zod names all that it does not know, which can be a megabyte. */
const LONGEST_TEXT = 500
const MOST_WRONG = 100

/** What to show where an input is wrong. */
export function firstText({ issues }: $ZodError): string {
  return issues[0]?.message.slice(0, LONGEST_TEXT) ?? REFUSALS.INPUT_INVALID.message
}

/** The first text of each wrong field, by its path. */
export function fieldsOf(cause: unknown): Record<string, string> | undefined {
  if (!(cause instanceof $ZodError)) return undefined
  const fields = cause.issues
    .slice(0, MOST_WRONG)
    .map(({ path, message }) => [path.join('.').slice(0, LONGEST_TEXT), message.slice(0, LONGEST_TEXT)] as const)
  return Object.fromEntries(fields.toReversed())
}
