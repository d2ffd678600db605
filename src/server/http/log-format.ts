import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { traceOfLine } from '#server/tracing/spans.ts'
import type { FastifyRequest, FastifyServerOptions } from 'fastify'

/** Masked in messages, which may quote what a user typed. */
const EMAIL = /[^\s<>"'(),:;=]+@[^\s<>"'(),:;=]+/g
/** PostgreSQL quotes a value that it cannot read; these are the codes of such errors. */
const ABOUT_VALUES = /^22/
const LONGEST_CHAIN = 5

interface LogOptions {
  level: string
  /** Where the log goes; the process's output if absent. */
  to?: { write: (line: string) => void } | undefined
}

/**
 * How servers and workers log: one line of JSON each, with the IDs of the request, the account or the job, and without
 * personal data. A request is its method and route, an error its code, its place, and a message without email addresses.
 */
export function logFormat({ level, to }: LogOptions) {
  const serializers = { req: requestOf, err: (error: unknown) => errorOf(error), answer: masked }
  return { level, serializers, mixin: traceOfLine, ...(to && { stream: to }) }
}

/** An ID for each request, or a proxy's own where proxies are trusted. */
export function requestIds(trustsProxies: boolean): NonNullable<FastifyServerOptions['genReqId']> {
  return ({ headers }: Pick<IncomingMessage, 'headers'>) => {
    const given = headers['x-request-id']
    return trustsProxies && typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
  }
}

// The address and the query may hold names that were searched for, or the token of a link.
function requestOf({ method, routeOptions }: FastifyRequest) {
  return { method, route: routeOptions?.url }
}

interface LoggedError {
  type: string
  message: string
  stack: string
  /** Its code, what the database says of the table and the constraint, and its cause. */
  [detail: string]: unknown
}

function errorOf(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: masked(String(error)), stack: '' }
  const text = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? { [name]: value } : {}
  }
  const hasCause = error.cause !== undefined && depth < LONGEST_CHAIN
  const { code = '' } = text('code')
  return {
    type: error.name,
    message: ABOUT_VALUES.test(code) ? 'a value that the database cannot store' : masked(error.message),
    ...text('code'),
    ...text('table'),
    ...text('constraint'),
    stack: placesOf(error),
    ...(hasCause && { cause: errorOf(error.cause, depth + 1) }),
  }
}

/** The stack without the message, which it begins with. */
function placesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}

function masked(text: string): string {
  return text.replaceAll(EMAIL, '<email>')
}
