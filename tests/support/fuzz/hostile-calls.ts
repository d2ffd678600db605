import fc from 'fast-check'
import { z } from 'zod'
import { appRouter } from '#server/routers/index.ts'
import type { Call } from './call.ts'
import { jsonOf } from './hostile-json.ts'
import { inputSchemaOf, type Schema } from './input-schema.ts'
import { routeInput } from './route-inputs.ts'
import { rowIds, valuesOf } from './schema-values.ts'
import { uploadOf } from './uploads.ts'
import { signerOf } from './webhooks.ts'
import { wrongMeta, wrongParameters, wrongQueries } from './wrong-parts.ts'

/** Something that can be called, and the ways in which that is tried. */
export interface Callable {
  name: string
  transport: 'REST' | 'tRPC'
  /** Whether every refusal of it is JSON, as programs get it. */
  forPrograms: boolean
  /** Calls that are wrong in any part, as a form, or not at all. */
  calls: fc.Arbitrary<Call>
  /** What it takes, and a sound call with that. */
  schema: Schema
  /** What parses that on the server; none where nothing is taken. */
  parser: z.core.$ZodType | undefined
  callWith: (input: Record<string, unknown>) => Call
}

export interface Route {
  method: string
  url: string
  forPrograms: boolean
}

/** Which of the tokens of the target a call carries. */
export type Bearer = 'session' | 'key' | 'other' | 'nobody' | 'leaving' | 'operator'

const bearers = fc.oneof(
  { arbitrary: fc.constantFrom<Bearer>('session', 'key'), weight: 4 },
  { arbitrary: fc.constantFrom<Bearer>('other', 'nobody'), weight: 1 },
)
const operators = fc.oneof({ arbitrary: fc.constant<Bearer>('operator'), weight: 9 }, bearers)
/** What would end the fuzzing itself is for an account that nothing else needs. */
const DELETING = /delete ?account|^DELETE \/account$/i
/** What is only for accounts without rows is called by the same. */
const EMPTY = /sample/i
const ENDING = /delete ?account|^DELETE \/account$|api-?key|endSession|signOutOthers/i

/** Node itself refuses longer headers. */
const LONGEST_ADDRESS = 12_000

/** What tRPC's types do not tell of a procedure. */
const Definition = z.object({ type: z.enum(['query', 'mutation']), inputs: z.array(z.unknown()) })

const PROCEDURES = Object.entries(appRouter._def.procedures).map(([name, procedure]) => {
  const { type, inputs } = Definition.parse(Reflect.get(procedure, '_def'))
  const parser = inputs.find((input) => input instanceof z.core.$ZodType)
  return { name, type, parser, schema: parser && inputSchemaOf(parser) }
})

export function everyProcedure(): Callable[] {
  return PROCEDURES.map(({ name, type, parser, schema }) => {
    const values = schema ? valuesOf(schema) : fc.constant(undefined)
    const text = fc.oneof(
      { arbitrary: jsonOf(values.map((json) => ({ json }))), weight: 9 },
      jsonOf(fc.tuple(values, wrongMeta).map(([json, meta]) => ({ json, meta }))),
    )
    const method = fc.oneof({ arbitrary: fc.constant(type === 'query' ? 'GET' : 'POST'), weight: 19 }, methods)
    const calls = fc.tuple(method, text, fc.nat(9)).chain(([verb, json, form]) => {
      const isRead = verb === 'GET' || verb === 'HEAD'
      const asBatch = form === 0
      const sent = asBatch ? `{"0":${json},"1":${json}}` : json
      const address = `/trpc/${name}${asBatch ? `,${name}` : ''}?${asBatch ? 'batch=1&' : ''}`
      const path = isRead ? `${address}${inputQuery(sent)}` : address
      return headersFor(name).map((headers) => ({ method: verb, path, headers, body: isRead ? undefined : sent }))
    })
    const callWith = (json: unknown): Call => {
      const sent = JSON.stringify({ json })
      const [path, headers] = [`/trpc/${name}`, plainHeaders(name)]
      if (type === 'query') return { method: 'GET', path: `${path}?${inputQuery(sent)}`, headers, body: undefined }
      return { method: 'POST', path, headers, body: sent }
    }
    return { name, transport: 'tRPC', forPrograms: true, calls, schema: schema ?? {}, parser, callWith }
  })
}

function inputQuery(sent: string): string {
  return `input=${escaped(sent).slice(0, LONGEST_ADDRESS)}`
}

/** Whether a route of this name or address is for the operator, whose token it then carries. */
export function isOperators(name: string): boolean {
  return name.includes('/operator')
}

/** Those that only tell of an answer come last: an export counts as under way for a while after. */
export function everyRoute(routes: Route[]): Callable[] {
  const [silent, others] = [routes.filter(isSilent), routes.filter((route) => !isSilent(route))]
  return [...others, ...silent].map(({ method, url, forPrograms }) => {
    const name = `${method} ${url}`
    const parser = routeInput(method, url)
    const schema = inputSchemaOf(parser)
    const values = valuesOf(schema)
    const isRead = method === 'GET' || method === 'HEAD'
    const query = isRead ? fc.oneof(queryOf(values), wrongQueries) : wrongQueries
    const body = isRead ? fc.constant(undefined) : jsonOf(values)
    const calls = fc
      .tuple(pathOf(url), query, headersFor(name), body, fc.constantFrom(signerOf(name), undefined))
      .map(([path, asked, headers, sent, signer]) => ({ method, path: path + asked, headers, body: sent, signer }))
    const callWith = (input: Record<string, unknown>) => routeCall({ method, url, forPrograms }, input)
    return { name, transport: 'REST', forPrograms, calls, schema, parser, callWith }
  })
}

function isSilent({ method }: Route): boolean {
  return method === 'HEAD'
}

/** What the address names stands in it; the rest in the query where a route reads, or takes a file, else in the body. */
function routeCall({ method, url, forPrograms }: Route, input: Record<string, unknown>): Call {
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const path = url.replaceAll(/:(\w+)/g, (_place, name: string) => escaped(spelled(input[name])))
  const others = Object.entries(input).filter(([name, value]) => !inPath.includes(name) && value !== undefined)
  const name = `${method} ${url}`
  const headers = plainHeaders(name)
  const upload = uploadOf(name)
  if (method === 'GET' || method === 'HEAD' || upload) {
    const query = `?${pairsOf(others)}`.slice(0, LONGEST_ADDRESS)
    const type = upload ? { 'content-type': upload.type } : {}
    return { method, path: path + query, headers: { ...headers, ...type }, body: upload?.body }
  }
  if (forPrograms || signerOf(name)) {
    return { method, path, headers, body: JSON.stringify(Object.fromEntries(others)), signer: signerOf(name) }
  }
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  return { method, path, headers: form, body: pairsOf(others) }
}

const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')

function pathOf(url: string): fc.Arbitrary<string> {
  const parameter = fc.oneof(
    { arbitrary: rowIds.map(String), weight: 6 },
    { arbitrary: fc.constantFrom('reminder', 'follow_up', 'user_1'), weight: 1 },
    { arbitrary: wrongParameters, weight: 2 },
  )
  return fc.array(parameter, { minLength: 3, maxLength: 3 }).map((drawn) => {
    const left = [...drawn]
    return url.replaceAll(/:\w+|\*/g, () => left.pop() ?? '1')
  })
}

function queryOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return values.map((value) => {
    return `?${pairsOf(Object.entries(Object(value)))}`
  })
}

function pairsOf(entries: [string, unknown][]): string {
  return entries.map(([name, said]) => `${name}=${escaped(spelled(said))}`).join('&')
}

function spelled(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

const sometimes = (...values: string[]) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 12 }, fc.constantFrom(...values))

const otherHeaders = fc.record({
  accept: sometimes('*/*', 'text/html', 'x', ';q=NaN,*/*;q=0', 'application/jsonl', ',,,'),
  'if-none-match': sometimes('*', 'W/"x"', '"'),
  'idempotency-key': sometimes('a', 'x'.repeat(300), '\u00ff'),
  range: sometimes('bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=99999999999999999999-', 'x'),
  origin: sometimes('null', 'https://evil.example', 'http://localhost:3000'),
  'trpc-accept': sometimes('application/jsonl', 'x'),
  'stripe-signature': sometimes('t=1,v1=x', 'x'),
})

/** Those of a browser. */
function plainHeaders(name: string): Record<string, string> {
  return { 'content-type': 'application/json', authorization: bearerOf(name) }
}

function bearerOf(name: string): Bearer {
  if (isOperators(name)) return 'operator'
  return DELETING.test(name) || EMPTY.test(name) ? 'leaving' : 'session'
}

/** The bearer stands in the headers as its name, until the call is sent. */
function headersFor(name: string): fc.Arbitrary<Record<string, string>> {
  const type = fc.oneof(
    { arbitrary: fc.constant('application/json'), weight: 9 },
    fc.constantFrom(
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      '/',
      ',',
    ),
  )
  const others = isOperators(name) ? operators : bearers
  const bearer = ENDING.test(name) ? fc.constant<Bearer>('leaving') : others
  return fc.tuple(bearer, type, otherHeaders).map(([authorization, contentType, drawn]) => {
    const all = Object.entries({ ...drawn, 'content-type': contentType, authorization })
    return Object.fromEntries(all.flatMap(([header, value]) => (value === undefined ? [] : [[header, value]])))
  })
}
