import fc from 'fast-check'
import { z } from 'zod'
import { appRouter } from '#server/routers/index.ts'
import { jsonOf } from './hostile-json.ts'
import { rowIds, valuesOf } from './schema-values.ts'

export interface Call {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** Something that can be called, and all the ways in which that is tried. */
export interface Callable {
  name: string
  transport: 'REST' | 'tRPC'
  /** Whether every refusal of it is JSON, as programs get it. */
  forPrograms: boolean
  calls: fc.Arbitrary<Call>
}

export interface Route {
  method: string
  url: string
  forPrograms: boolean
}

/** Which of the tokens of the target a call carries. */
export type Bearer = 'session' | 'key' | 'other' | 'nobody' | 'leaving'

const bearers = fc.oneof(
  { arbitrary: fc.constantFrom<Bearer>('session', 'key'), weight: 4 },
  { arbitrary: fc.constantFrom<Bearer>('other', 'nobody'), weight: 1 },
)
/** What would end the fuzzing itself is for an account that nothing else needs. */
const ENDING = /delete ?account|^DELETE \/account$|api-?key|endSession|signOutOthers/i

/** Node refuses longer headings by itself. */
const LONGEST_ADDRESS = 12_000

/** What tRPC's types do not tell of a procedure. */
const Definition = z.object({ type: z.enum(['query', 'mutation']), inputs: z.array(z.unknown()) })

const PROCEDURES = Object.entries(appRouter._def.procedures).map(([name, procedure]) => {
  const { type, inputs } = Definition.parse(Reflect.get(procedure, '_def'))
  const schema = inputs.find((input) => input instanceof z.ZodType)
  return { name, type, values: schema ? valuesOf(jsonSchemaOf(schema)) : fc.constant(undefined) }
})

function jsonSchemaOf(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

export function everyProcedure(): Callable[] {
  return PROCEDURES.map(({ name, type, values }) => {
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
      const path = isRead ? `${address}input=${escaped(sent).slice(0, LONGEST_ADDRESS)}` : address
      return headersFor(name).map((headers) => ({ method: verb, path, headers, body: isRead ? undefined : sent }))
    })
    return { name, transport: 'tRPC', forPrograms: true, calls }
  })
}

export function everyRoute(routes: Route[]): Callable[] {
  return routes.map(({ method, url, forPrograms }) => {
    const name = `${method} ${url}`
    const values = valuesFor(method, url)
    const query = method === 'GET' || method === 'HEAD' ? fc.oneof(queryOf(values), wrongQueries) : wrongQueries
    const body = method === 'GET' || method === 'HEAD' ? fc.constant(undefined) : jsonOf(values)
    const calls = fc
      .tuple(pathOf(url), query, headersFor(name), body)
      .map(([path, asked, headers, sent]) => ({ method, path: path + asked, headers, body: sent }))
    return { name, transport: 'REST', forPrograms, calls }
  })
}

/** The input of the procedures that share the most words with a route, as both transports take the same. */
function valuesFor(method: string, url: string): fc.Arbitrary<unknown> {
  const wanted = new Set(wordsOf(url))
  const type = method === 'GET' || method === 'HEAD' ? 'query' : 'mutation'
  const scored = PROCEDURES.filter((procedure) => procedure.type === type).map(({ name, values }) => ({
    values,
    score: wordsOf(name).filter((word) => wanted.has(word)).length,
  }))
  const most = Math.max(...scored.map(({ score }) => score))
  return fc.oneof(...scored.filter(({ score }) => score === most).map(({ values }) => values))
}

function wordsOf(name: string): string[] {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return words.map((word) => word.replace(/s$/, '')).filter((word) => word !== '')
}

const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')

/** What superjson is told about types beside the values. */
const wrongMeta = fc.constantFrom<unknown>(
  null,
  5,
  'x',
  [],
  { values: 5 },
  { values: ['undefined'] },
  { values: [['undefined']] },
  ...['Date', 'bigint', 'regexp', 'URL', 'map', 'set', 'Error', 'number', 'nothing'].map((type) => ({
    values: { id: [type], name: [type] },
  })),
  { values: { id: [['class', 'Account']], name: [['custom', 'x']] } },
  { values: { 'a.b.c': ['Date'] } },
  { values: { '__proto__.polluted': ['Date'] } },
  { values: { 'constructor.prototype.polluted': ['undefined'] } },
  { referentialEqualities: { id: ['__proto__.polluted', 'a.b'] } },
  { referentialEqualities: [['id']] },
)

const wrongParameters = fc.constantFrom(
  '0',
  '-1',
  '2147483648',
  '99999999999999999999',
  '1e3',
  '1.5',
  '%00',
  '%',
  '%zz',
  '%ED%A0%80',
  '%F0%9F%92%A9',
  '..%2f..%2fetc',
  '__proto__',
  'constructor',
  "1'--",
  'x'.repeat(5001),
)

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

const wrongQueries = fc.constantFrom(
  '',
  '?',
  '?reminders=off',
  '?reminders=x',
  '?limit=-1',
  '?limit=1e9',
  '?limit=&page=',
  '?page=99999999999999999999',
  '?cursor=x',
  '?cursor=WyIxIl0',
  '?cursor=bnVsbA',
  '?search=%00',
  '?search=%ED%A0%80',
  '?search=%',
  '?search=a&search=b',
  '?search[a]=1',
  '?__proto__=1&__proto__[a]=1',
  '?constructor=1&toString=1',
  `?search=${'x'.repeat(8000)}`,
)

function queryOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return values.map((value) => {
    const pairs = Object.entries(Object(value)).map(([name, said]) => `${name}=${escaped(spelled(said))}`)
    return `?${pairs.join('&')}`
  })
}

function spelled(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
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
  const bearer = ENDING.test(name) ? fc.constant<Bearer>('leaving') : bearers
  return fc.tuple(bearer, type, otherHeaders).map(([authorization, contentType, others]) => {
    const all = Object.entries({ ...others, 'content-type': contentType, authorization })
    return Object.fromEntries(all.flatMap(([header, value]) => (value === undefined ? [] : [[header, value]])))
  })
}
