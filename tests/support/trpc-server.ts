import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import superjson from 'superjson'
import { vi } from 'vitest'
import { DEFAULT_ANSWERS } from '#shared/domain/customer-answer.ts'
import { AppError } from '#shared/errors.ts'
import type { AppRouter } from '#server/routers/index.ts'
import { someContractReminders } from './records.ts'

type Inputs = inferRouterInputs<AppRouter>
type Outputs = inferRouterOutputs<AppRouter>

/** How each call is answered; an AppError that is thrown becomes the refusal that the server would send. */
export type FakeAnswers = {
  [Feature in keyof Outputs]?: {
    [Name in keyof Outputs[Feature]]?: (
      input: Name extends keyof Inputs[Feature] ? Inputs[Feature][Name] : never,
    ) => Outputs[Feature][Name] | Promise<Outputs[Feature][Name]>
  }
}

interface Call {
  path: string
  input: unknown
  authorization: string | null
}

/** Thrown by an answer: nobody answers at all. */
export class NoAnswer extends Error {}

/** Stands in for the server at the wire: reads the client's batches and responds to them. */
export function trpcServer(answers: FakeAnswers) {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const batch = readBatch(new URL(address, location.origin), init)
    calls.push(...batch)
    return Response.json(await Promise.all(batch.map((call) => answerOf(answers, call))))
  })
  return { calls, callsOf: (path: string) => calls.filter((call) => call.path === path).map(({ input }) => input) }
}

/** A network that nothing comes through. */
export function noServer(): void {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
}

/** An answer that comes when the test says so. */
export function whenTold<Answer>() {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  return { answer: () => promise, tell: resolve }
}

function readBatch({ pathname, searchParams }: URL, { body, headers }: RequestInit): Call[] {
  const inputs: unknown = JSON.parse(typeof body === 'string' ? body : (searchParams.get('input') ?? '{}'))
  const paths = pathname.replace('/trpc/', '').split(',')
  const authorization = new Headers(headers).get('authorization')
  return paths.map((path, index) => ({ path, input: inputAt(inputs, index), authorization }))
}

function inputAt(inputs: unknown, index: number): unknown {
  const sent: unknown = typeof inputs === 'object' && inputs ? Reflect.get(inputs, index) : undefined
  return isSerialized(sent) ? superjson.deserialize(sent) : undefined
}

function isSerialized(sent: unknown): sent is Parameters<typeof superjson.deserialize>[0] {
  return typeof sent === 'object' && sent !== null && 'json' in sent
}

const NO_OWN_ANSWERS = { hasLink: null, renewal: null, deadline: null, lateEnd: null, showsPdf: null }

const NO_NOTICE_RULES: Outputs['noticeRules']['list'] = {
  rules: [],
  chosen: { account: null, tags: [], customers: 0, contracts: 0 },
  presets: [],
  advice: '',
}

/** What the frame of all screens, lists of contracts, the dashboard, and the pages of contracts and customers, always ask for. */
const USUAL = new Map<string, () => unknown>([
  ['contracts.renewalSettings', () => ({ confirmRenewals: false, endOverdueAfterDays: null, endReasons: ['Price'] })],
  ['answers.waiting', () => ({ count: 0 })],
  ['answers.list', () => ({ total: 0, rows: [], first: null, last: null, more: false })],
  ['answers.settings', () => DEFAULT_ANSWERS],
  ['answers.contractSettings', () => ({ account: DEFAULT_ANSWERS, own: NO_OWN_ANSWERS })],
  ['noticeRules.list', () => NO_NOTICE_RULES],
  ['bulk.latest', () => null],
  ['reminders.ofContract', () => someContractReminders()],
  ['reminders.ofCustomer', () => ({ history: [], next: [], remindedToday: [], plannedReminders: [] })],
  ['reminders.proofHead', () => ({ head: null, weekly: true })],
  ['activity.list', () => ({ total: 0, rows: [], first: null, last: null, more: false })],
  ['notes.list', () => []],
  ['tags.list', () => []],
  ['views.list', () => []],
  ['identity.account', () => ({ email: 'owner@mill.test', timeZone: 'UTC' })],
])

async function answerOf(answers: FakeAnswers, { path, input }: Call) {
  const [feature = '', name = ''] = path.split('.')
  const answer: unknown = Reflect.get(Reflect.get(answers, feature) ?? {}, name) ?? USUAL.get(path)
  if (typeof answer !== 'function') throw new Error(`The test has no answer to ${path}`)
  try {
    return { result: { data: superjson.serialize(await Reflect.apply(answer, undefined, [input])) } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, key, details, wait } = error
    const data = { code, path, refusal: key, retryAfterSeconds: wait?.seconds, ...details }
    return { error: superjson.serialize({ message, code: -32_000, data }) }
  }
}
