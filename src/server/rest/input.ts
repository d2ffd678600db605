import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'

const READS = new Set(['GET', 'HEAD'])

/**
 * A call's input, parsed by the schema that its tRPC procedure uses: of its path, of its address, which holds nothing that
 * the call does not take, and where it writes, of its body. A field that the call does not know was meant for something:
 * ignored, a mistyped one would send the emails that it was to prevent. Those of `answered` may be sent back as they were
 * read, and change nothing. @throws FIELD_UNKNOWN
 */
export function inputOf<Schema extends z.core.$ZodObject>(
  schema: Schema,
  request: FastifyRequest,
  answered: readonly string[] = [],
): z.output<Schema> {
  const body = READS.has(request.method) ? {} : bodyOf(request)
  refuseOthers('FIELD_UNKNOWN', body, { known: Object.keys(schema._zod.def.shape), tolerated: answered })
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
    /** The parameters that the call takes in its address, besides those of its path; none where it is not said. */
    query?: z.core.$ZodObject
  }
}

/** The options of a call that takes the parameters of this schema in its address. */
export function takes(query: z.core.$ZodObject) {
  return { config: { query } }
}

/**
 * A parameter that a call does not know was meant for something: ignored, `?reminder=off` would send the emails that it
 * was to prevent. @throws PARAMETER_UNKNOWN
 */
export async function refuseUnknownQuery({ query, routeOptions }: FastifyRequest): Promise<void> {
  const known = Object.keys(routeOptions.config.query?._zod.def.shape ?? {})
  refuseOthers('PARAMETER_UNKNOWN', part(query), { known })
}

const LONGEST_NAME = 50
/** A body of a megabyte may have a hundred thousand names. */
const MOST_NAMED = 20

function refuseOthers(
  key: 'PARAMETER_UNKNOWN' | 'FIELD_UNKNOWN',
  said: object,
  { known, tolerated = [] }: { known: readonly string[]; tolerated?: readonly string[] },
): void {
  const others = Object.keys(said).filter((name) => !known.includes(name) && !tolerated.includes(name))
  const refusals = others.slice(0, MOST_NAMED).map((other) => {
    const name = other.slice(0, LONGEST_NAME)
    return { name, refusal: new AppError(key, { values: { name, known: known.join(', ') || 'none' } }) }
  })
  const [first] = refusals
  if (!first) return
  const fields = Object.fromEntries(refusals.map(({ name, refusal }) => [name, refusal.message]))
  throw new AppError(key, { values: first.refusal.values, details: { fields } })
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
