import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { AppError, REFUSALS } from '#shared/errors.ts'
import { waitHeaders } from '#server/limits/rate-headers.ts'
import { fieldsOf } from '#server/trpc.ts'

/** What the HTTP layer itself refuses, by Fastify's codes. */
const FASTIFY_REFUSALS: Record<string, AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError('BODY_TOO_LARGE'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('BODY_TYPE_UNSUPPORTED'),
  FST_ERR_CTP_INVALID_JSON_BODY: new AppError('BODY_UNREADABLE'),
  FST_ERR_BAD_URL: new AppError('PATH_NOT_FOUND'),
  FST_ERR_MAX_PARAM_LENGTH: new AppError('PATH_NOT_FOUND'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError('BODY_UNREADABLE'),
}

/** Every REST error is `{"error": text}`, with `fields` where the input was wrong. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof ZodError) {
    const fields = fieldsOf(error)
    const [first] = error.issues
    return reply.code(400).send({ error: first?.message ?? REFUSALS.INPUT_INVALID.message, fields })
  }
  const refusal = refusalOf(error)
  if (!refusal || statusOf(refusal) >= 500) request.log.error({ err: error }, 'fault')
  if (!refusal) return reply.code(500).send({ error: REFUSALS.FAULT.message })
  return reply
    .code(statusOf(refusal))
    .headers(waitHeaders(refusal))
    .send({ error: refusal.message, ...refusal.details })
}

/** One table for both transports: the HTTP status of a refusal is that of its tRPC code. */
export function statusOf({ code }: AppError): number {
  return getHTTPStatusCodeFromError(new TRPCError({ code }))
}

/** What is refused, by us or by the HTTP layer; undefined where it is a fault. */
export function refusalOf(error: FastifyError | Error): AppError | undefined {
  if (error instanceof AppError) return error
  if ('code' in error && typeof error.code === 'string') {
    const known = FASTIFY_REFUSALS[error.code]
    if (known) return known
  }
  const isRefused = 'statusCode' in error && error.statusCode === 400
  return isRefused ? new AppError('INPUT_INVALID', { cause: error }) : undefined
}
