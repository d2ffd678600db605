import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'

const READS = new Set(['GET', 'HEAD'])

/** A call's input, parsed by the schema that its tRPC procedure uses: path and query where it reads, path and body where it writes. */
export function inputOf<Schema extends z.core.$ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const said = READS.has(request.method) ? request.query : request.body
  return z.parse(schema, { ...part(said), ...part(request.params) })
}

/** The same of a call that writes, with `?reminders=off` in its address. */
export function inputWithReminders<Schema extends z.core.$ZodType>(
  schema: Schema,
  request: FastifyRequest,
): z.output<Schema> {
  const asked = Object.entries(part(request.query)).filter(([name]) => name === 'reminders')
  return z.parse(schema, { ...part(request.body), ...Object.fromEntries(asked), ...part(request.params) })
}

function part(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

/** `?search[a]=1` names no parameter of any schema, and would be silently ignored. @throws ZodError */
export async function refuseNestedQuery({ query }: FastifyRequest): Promise<void> {
  const nested = Object.keys(part(query)).filter((name) => name.includes('['))
  const issues = nested.map((name) => ({
    code: 'custom' as const,
    path: [name.slice(0, name.indexOf('['))],
    message: 'Must be a single value',
    input: undefined,
  }))
  if (issues.length > 0) throw new z.ZodError(issues)
}

/**
 * JSON as Fastify parses it, but an empty body counts as no body: many clients name its type anyway. Plain text, which
 * Fastify would parse too, is refused.
 */
export function readJson(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
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
