import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { isCostlyJson } from '#shared/costly-json.ts'

const READS = new Set(['GET', 'HEAD'])

/**
 * A call's input from its path, its query and, if it writes, its body, parsed by the schema of its tRPC procedure.
 * Unknown query parameters have been refused before; an unknown field of the body is refused here, as a mistyped one
 * would otherwise send the emails that it was meant to prevent. Fields in `readOnly` are in responses and may be sent
 * back, which changes nothing. @throws FIELD_UNKNOWN
 */
export function inputOf<Schema extends z.core.$ZodObject>(
  schema: Schema,
  request: FastifyRequest,
  readOnly: readonly string[] = [],
): z.output<Schema> {
  const body = READS.has(request.method) ? {} : bodyOf(request)
  refuseOthers('FIELD_UNKNOWN', body, { known: Object.keys(schema._zod.def.shape), tolerated: readOnly })
  return z.parse(schema, { ...body, ...part(request.query), ...part(request.params) })
}

/** @throws BODY_UNREADABLE for JSON that has no fields, such as a list */
function bodyOf({ body }: FastifyRequest): object {
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw new AppError('BODY_UNREADABLE')
  return body ?? {}
}

function part(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query parameters of the call; none if absent. */
    query?: z.core.$ZodObject
  }
}

/** The route options of a call with these query parameters. */
export function takes(query: z.core.$ZodObject) {
  return { config: { query } }
}

/**
 * Refuses unknown query parameters: if `?reminder=off` were ignored, the emails that it was meant to prevent would be
 * sent. @throws PARAMETER_UNKNOWN
 */
export async function refuseUnknownQuery({ query, routeOptions }: FastifyRequest): Promise<void> {
  const known = Object.keys(routeOptions.config.query?._zod.def.shape ?? {})
  refuseOthers('PARAMETER_UNKNOWN', part(query), { known })
}

const LONGEST_NAME = 50
/** A body of a megabyte may have a hundred thousand unknown fields. */
const MOST_NAMED = 20

function refuseOthers(
  key: 'PARAMETER_UNKNOWN' | 'FIELD_UNKNOWN',
  sent: object,
  { known, tolerated = [] }: { known: readonly string[]; tolerated?: readonly string[] },
): void {
  const others = Object.keys(sent).filter((name) => !known.includes(name) && !tolerated.includes(name))
  const refusals = others.slice(0, MOST_NAMED).map((other) => {
    const name = other.slice(0, LONGEST_NAME)
    return { name, refusal: new AppError(key, { values: { name, known: known.join(', ') || 'none' } }) }
  })
  const [first] = refusals
  if (!first) return
  const fields = Object.fromEntries(refusals.map(({ name, refusal }) => [name, refusal.message]))
  throw new AppError(key, { values: first.refusal.values, details: { fields } })
}

/** Refuses `?search[a]=1`, which no schema takes and which would be ignored. @throws ZodError */
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
 * Parses JSON as Fastify does, except that an empty body counts as none, since many clients send the type without one.
 * Plain text, which Fastify parses by default, is refused. @throws BODY_TOO_LARGE for what would take long to parse
 */
export function readJson(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null)
    else if (isCostlyJson(body)) done(new AppError('BODY_TOO_LARGE'))
    else void parse(request, body, done)
  })
}

/** Refuses compressed bodies and those not in UTF-8, which Fastify would read as UTF-8. @throws BODY_ENCODED */
export async function refuseEncodedBody({ headers }: FastifyRequest): Promise<void> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8'
  if (encoding !== 'identity' || !['utf-8', 'utf8', 'us-ascii'].includes(charset)) throw new AppError('BODY_ENCODED')
}
