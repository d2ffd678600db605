import fc from 'fast-check'
import { REFUSALS } from '#shared/errors.ts'
import type { FuzzOptions, FuzzReport } from './fuzz-files.ts'
import { everyProcedure, everyRoute, type Bearer, type Call, type Callable, type Route } from './hostile-calls.ts'

/** A running server, as a socket or another way reaches it. */
export interface CallTarget {
  routes: Route[]
  /** What stands in the authorization header; two people and a key of the first, and somebody who may be deleted. */
  tokens: Record<Exclude<Bearer, 'nobody'>, string>
  send: (call: Call) => Promise<Answer>
  /** Of the server, in megabytes. */
  memory: () => number
}

export interface Answer {
  status: number
  type: string
  text: string
}

export type CallReport = Omit<FuzzReport, 'files'> & { calls: number }

const LEAK =
  /\bat .{1,200}:\d+:\d+|node_modules|\.ts:\d+|[a-z]Error:|\bviolates\b|syntax error at|invalid input syntax|\bselect .{1,200} from\b/
/** An outside service that is away is told of in these words. */
const AWAY = new Set<string>(
  Object.values(REFUSALS)
    .filter(({ code }) => code === 'BAD_GATEWAY')
    .map(({ message }) => message),
)
const WARM_UP = 200
const LONGEST_SHOWN = 1000

/** Calls every route and every procedure, each as often as the others, `runs` times for either transport. */
export async function fuzzCalls(target: CallTarget, { seed, runs, tell = () => {} }: FuzzOptions): Promise<CallReport> {
  const report: CallReport = { calls: 0, answers: {}, faults: [], memory: { before: 0, after: 0 } }
  const transports = [everyRoute(target.routes), everyProcedure()]
  if (runs > WARM_UP * 10)
    for (const all of transports) await fuzzAll(target, all, { seed: seed + 1, runs: WARM_UP }, report)
  report.memory.before = target.memory()
  for (const all of transports) {
    await fuzzAll(target, all, { seed, runs }, report)
    tell(`${all[0]?.transport}: ${all.length} to call, ${report.calls} calls so far, ${Math.round(target.memory())} MB`)
  }
  report.memory.after = target.memory()
  const health = await target.send({ method: 'GET', path: '/healthz', headers: {}, body: undefined })
  if (health.status !== 200) report.faults.push(`/healthz answers ${health.status}`)
  return report
}

async function fuzzAll(target: CallTarget, all: Callable[], { seed, runs }: FuzzOptions, report: CallReport) {
  for (const [index, callable] of all.entries()) {
    const property = fc.asyncProperty(callable.calls, async (call) => {
      report.calls += 1
      const answer = await target.send(withToken(target, call))
      const kind = `${callable.transport} ${answer.status}`
      report.answers[kind] = (report.answers[kind] ?? 0) + 1
      judge(callable, call, answer)
    })
    const { failed, counterexample, errorInstance } = await fc.check(property, {
      seed: seed + index,
      numRuns: Math.ceil(runs / all.length),
    })
    if (!failed) continue
    const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
    const shown = JSON.stringify(counterexample?.[0]).slice(0, LONGEST_SHOWN)
    const again = `npm run fuzz -- calls --seed ${seed} --runs ${runs}`
    report.faults.push(`${callable.transport} ${callable.name}: ${reason}; ${shown}; ${again}`)
  }
}

function withToken({ tokens }: CallTarget, call: Call): Call {
  const { authorization, ...headers } = call.headers
  const token = Object.entries(tokens).find(([bearer]) => bearer === authorization)?.[1]
  return { ...call, headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` } }
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
  const isAway = status === 502 && messages.every((message) => AWAY.has(message))
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
