import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { $ZodError } from 'zod/v4/core'
import { AppError } from '#shared/errors.ts'
import { isUnavailable, unavailable } from '#server/db/connections/failover.ts'
import { waitHeaders } from '#server/limits/rate-headers.ts'
import { fieldsOf, firstText } from '#server/trpc.ts'

/** What Fastify refuses by itself, by its error codes. */
const FASTIFY_REFUSALS: Record<string, AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError('BODY_TOO_LARGE'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('BODY_TYPE_UNSUPPORTED'),
  FST_ERR_CTP_INVALID_JSON_BODY: new AppError('BODY_UNREADABLE'),
  FST_ERR_BAD_URL: new AppError('PATH_NOT_FOUND'),
  FST_ERR_MAX_PARAM_LENGTH: new AppError('PATH_NOT_FOUND'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError('BODY_UNREADABLE'),
}

/** The body of a refused REST call: the sentence to show, the refusal's key for programs, and its details. */
export function refusalBody({ key, message, details }: Pick<AppError, 'key' | 'message' | 'details'>) {
  return { error: message, refusal: key, ...details }
}

/** Sends any error of REST as the body of a refusal, with `fields` if the input was wrong. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof $ZodError) {
    const message = firstText(error)
    return reply.code(400).send(refusalBody({ key: 'INPUT_INVALID', message, details: { fields: fieldsOf(error) } }))
  }
  const refusal = refusalOf(error) ?? new AppError('FAULT', { cause: error })
  if (statusOf(refusal) >= 500) request.log.error({ err: error }, 'fault')
  return reply.code(statusOf(refusal)).headers(waitHeaders(refusal)).send(refusalBody(refusal))
}

/** The HTTP status of a refusal, from its tRPC code, so that both transports agree. */
export function statusOf({ code }: AppError): number {
  return getHTTPStatusCodeFromError(new TRPCError({ code }))
}

/** The refusal, ours or Fastify's; undefined for a fault. */
export function refusalOf(error: FastifyError | Error): AppError | undefined {
  if (error instanceof AppError) return error
  if (isUnavailable(error)) return unavailable(error)
  if ('code' in error && typeof error.code === 'string') {
    const known = FASTIFY_REFUSALS[error.code]
    if (known) return known
  }
  const isRefused = 'statusCode' in error && error.statusCode === 400
  return isRefused ? new AppError('INPUT_INVALID', { cause: error }) : undefined
}
