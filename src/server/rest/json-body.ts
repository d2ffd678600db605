import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'

/** JSON as Fastify reads it, but an empty body is none: many clients name its type where they send nothing. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null)
    else void parse(request, body, done)
  })
}

/** Refuses bodies that are compressed or not in UTF-8, which would be read as if they were neither. */
export async function refuseEncodedBody({ headers }: FastifyRequest): Promise<void> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8'
  if (encoding !== 'identity' || !['utf-8', 'utf8', 'us-ascii'].includes(charset)) throw new AppError('BODY_ENCODED')
}
