import fc from 'fast-check'
import { randomFrom, type Random } from '#support/random.ts'
import type { FuzzOptions, FuzzReport } from './fuzz-files.ts'
import { EARLIER, nameOf, unreached } from './reached.ts'
import { signed, type WebhookSecrets } from './webhooks.ts'
import type { Answer, Call } from './call.ts'
import { everyProcedure, everyRoute, isOperators, type Bearer, type Callable, type Route } from './hostile-calls.ts'
import { AWAY } from './logged-faults.ts'
import { changedInOneField } from './one-field.ts'
import { plainInput, type Records } from './plain-values.ts'

/** A running server, as a socket or another way reaches it. */
export interface CallTarget {
  routes: Route[]
  /** New accounts for each group of calls, which so does not miss what another has used up. */
  enter: () => Promise<Callers>
  send: (call: Call) => Promise<Answer>
  webhooks: WebhookSecrets
  /** Of the server, in megabytes. */
  memory: () => number | Promise<number>
}

export interface Callers {
  /** What stands in the authorization header; two people and a key of the first, somebody who may be deleted, and the operator. */
  tokens: Record<Exclude<Bearer, 'nobody'>, string>
  /** New rows of the account of the session and the key. */
  records: () => Promise<Records>
}

export interface CallReport extends Omit<FuzzReport, 'files'> {
  calls: number
  /** The answer of each route and procedure that is closest to success. */
  best: Map<string, Answer>
  /** The fewest that went to one route or procedure. */
  fewest: number
  /** What refused every call, and so was not fuzzed beyond its checks, though that has no reason (reached.ts). */
  unreached: string[]
}

const LEAK =
  /\bat .{1,200}:\d+:\d+|node_modules|\.ts:\d+|[a-z]Error:|\bviolates\b|syntax error at|invalid input syntax|\bselect .{1,200} from\b/
const FEWEST_WILD = 4
const LONGEST_SHOWN = 1000

export interface CallOptions extends FuzzOptions {
  /** How often each route and procedure is called at least. */
  each?: number
  /** How many of the inputs that are hostile in one field are sent to each, drawn by the seed; all of them by default. */
  sample?: number
}

/**
 * Calls every route and every procedure, `runs` times for either transport and for the operator's: each at least so often that every field
 * was hostile in every way, or in those of the sample, and then as often as the others.
 */
export async function fuzzCalls(target: CallTarget, options: CallOptions): Promise<CallReport> {
  const { tell = () => {} } = options
  const report: CallReport = {
    calls: 0,
    best: new Map(),
    fewest: Infinity,
    unreached: [],
    answers: {},
    faults: [],
    memory: { before: 0, after: 0 },
  }
  const operators = target.routes.filter(({ url }) => isOperators(url))
  const others = target.routes.filter(({ url }) => !isOperators(url))
  // The operator's last: nothing can be changed in an account that they have suspended.
  const groups = [everyRoute(others), everyProcedure(), everyRoute(operators)]
  report.memory.before = await target.memory()
  for (const all of groups) {
    await fuzzAll({ target, every: groups.flat(), report }, all, options)
    tell(
      `${all[0]?.transport}: ${all.length} to call, ${report.calls} calls so far, ${Math.round(await target.memory())} MB`,
    )
  }
  report.memory.after = await target.memory()
  report.unreached = unreached(groups.flat(), report)
  const health = await target.send({ method: 'GET', path: '/healthz', headers: {}, body: undefined })
  if (health.status !== 200) report.faults.push(`/healthz answers ${health.status}`)
  return report
}

type Shared = Pick<Fuzzing, 'target' | 'every' | 'report'>

async function fuzzAll(shared: Shared, all: Callable[], { seed, runs, each = 0, sample }: CallOptions): Promise<void> {
  const { target, report } = shared
  const wanted = Math.max(each, Math.ceil(runs / all.length))
  const callers = await target.enter()
  for (const [index, callable] of all.entries()) {
    const before = report.calls
    const fuzzing = { ...shared, callers, callable, seed: seed + index }
    await fuzzFields(fuzzing, { wanted: wanted / 2, sample })
    await fuzzWildly(fuzzing, Math.max(FEWEST_WILD, wanted - (report.calls - before)))
    report.fewest = Math.min(report.fewest, report.calls - before)
  }
}

interface Fuzzing {
  target: CallTarget
  callers: Callers
  callable: Callable
  report: CallReport
  seed: number
  /** All of both transports and of the operator: one may make the plain call of another possible. */
  every: Callable[]
}

/** Rounds of calls of which each is hostile in one field, or in all of a kind, and sound otherwise. */
async function fuzzFields(fuzzing: Fuzzing, { wanted, sample }: { wanted: number; sample?: number | undefined }) {
  const { callable, seed } = fuzzing
  const random = randomFrom(seed)
  let sent = 0
  do {
    const plain = plainInput(callable.schema, callable.name, await readyRecords(fuzzing))
    const { likely, hostile } = changedInOneField(callable.schema, plain, random)
    const send = async (input: Record<string, unknown>) => {
      const call = callable.callWith(input)
      sent += 1
      return tried(fuzzing, call).catch((error: unknown) => addFault(fuzzing, error, call))
    }
    for (const input of likely) noteBest(fuzzing, await send(input))
    for (const input of drawn(hostile, sample, random)) await send(input)
  } while (sent < wanted)
}

function drawn<Value>(values: Value[], count: number | undefined, random: Random): Value[] {
  if (count === undefined || values.length <= count) return values
  return values
    .map((value) => ({ value, rank: random.share() }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ value }) => value)
}

/** New rows, of which another call has made what this one asks for. */
async function readyRecords(fuzzing: Fuzzing): Promise<Records> {
  const { target, callers, callable, every } = fuzzing
  const records = await callers.records()
  for (const earlier of earlierThan(callable.name, every))
    await target.send(ready(fuzzing, earlier.callWith(plainInput(earlier.schema, earlier.name, records))))
  return callable.name.includes('/logos/') ? { ...records, logoName: (await callers.records()).logoName } : records
}

function earlierThan(name: string, every: readonly Callable[]): Callable[] {
  const earlier = every.find((one) => one.name === EARLIER[name])
  return earlier ? [...earlierThan(earlier.name, every), earlier] : []
}

/** Calls that may be wrong in any part; one that fails is made as small as it goes. */
async function fuzzWildly(fuzzing: Fuzzing, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(fuzzing.callable.calls, async (call) => void (await tried(fuzzing, call)))
  const { failed, counterexample, errorInstance } = await fc.check(property, { seed: fuzzing.seed, numRuns })
  if (failed) addFault(fuzzing, errorInstance, counterexample?.[0])
}

function addFault({ callable: { transport, name }, report, seed }: Fuzzing, error: unknown, call?: Call): undefined {
  const reason = error instanceof Error ? error.message : String(error)
  report.faults.push(`${transport} ${name}: ${reason}; ${JSON.stringify(call).slice(0, LONGEST_SHOWN)}; seed ${seed}`)
}

/** Of calls that are the same in each run: whether a hostile one is accepted is a matter of chance. */
function noteBest({ callable, report }: Fuzzing, answer?: Answer): void {
  const name = nameOf(callable)
  const known = report.best.get(name)
  if (answer && (!known || distance(answer) < distance(known))) report.best.set(name, answer)
}

/** From success: what a service refuses is closer to it than input that does not parse. */
function distance({ status, text }: Answer): number {
  if (status < 400) return 0
  return text.includes('INPUT_INVALID') ? 2 : 1
}

/** The response. @throws if it is malformed */
async function tried(fuzzing: Fuzzing, call: Call): Promise<Answer> {
  const { target, callable, report } = fuzzing
  report.calls += 1
  const answer = await target.send(ready(fuzzing, call))
  const kind = `${callable.transport} ${answer.status}`
  report.answers[kind] = (report.answers[kind] ?? 0) + 1
  judge(callable, call, answer)
  return answer
}

function ready({ target, callers }: Fuzzing, call: Call): Call {
  const { authorization, ...headers } = call.headers
  const token = Object.entries(callers.tokens).find(([bearer]) => bearer === authorization)?.[1]
  const withToken = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` }
  return signed({ ...call, headers: withToken }, target.webhooks)
}

/** @throws where an answer is not fit to be one */
function judge({ forPrograms }: Callable, { method }: Call, { status, type, text }: Answer): void {
  const fault = (what: string) => new Error(`${what} ${status}: ${text.slice(0, 500)}`)
  // Several procedures at once are answered with 207, and each by itself inside.
  if (text.includes('"refusal":"FAULT"')) throw fault('A fault is answered with')
  if (status < 400) return
  if (LEAK.test(text)) throw fault('Inner workings in the answer')
  // An address that a broken parameter led elsewhere is answered with a page to whoever would rather have one.
  const isPage = type.startsWith('text/html') && (!forPrograms || status === 404)
  const isSilent = method === 'HEAD' || isPage || type.startsWith('application/jsonl')
  const messages = isSilent ? [] : messagesOf(JSON.parse(text))
  const isAway = status === 502 && messages.every((message) => AWAY.includes(message))
  if (status >= 500 && !isAway) throw fault('A fault is answered with')
  if (!isSilent && (messages.length === 0 || messages.includes(''))) throw fault('No error is named in the answer')
}

/** What is refused, in the words of REST, of tRPC, or of several procedures at once. */
function messagesOf(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(messagesOf)
  const error: unknown = Reflect.get(Object(body), 'error')
  if (typeof error === 'string') return [error]
  const message: unknown = Reflect.get(Object(Reflect.get(Object(error), 'json')), 'message')
  return typeof message === 'string' ? [message] : []
}
