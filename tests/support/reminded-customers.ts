import Fastify from 'fastify'
import { beforeEach } from 'vitest'
import { type AnswerSettings, ListAnswers } from '#shared/schemas/answers.ts'
import { DEFAULT_ANSWERS } from '#shared/domain/customer-answer.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { getContract, updateContract } from '#server/contracts/contracts.service.ts'
import { saveAnswerSettings } from '#server/customer-answers/answer-settings.service.ts'
import { countWaiting, listAnswers } from '#server/customer-answers/answers.service.ts'
import type { Services } from '#server/context.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { answer, LINK, postAnswer } from './answering.ts'
import { useApp } from './app.ts'
import { ledgerOf } from './ledger.ts'
import { aMailbox } from './mailbox.ts'
import { notificationsOf } from './notifications.ts'
import { fakeServices, memoryFiles } from './services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld, type World } from './world.ts'

export const NOON = new Date('2026-03-10T12:00:00Z')
export const MINUTE = 60_000
/** Of the customer who is reminded. */
export const ADDRESS = 'orders@harbor.test'

/** Customers who have been reminded of a renewal, and what anybody can do with the links in these emails. */
export function useReminded() {
  const world = useWorld()
  const clock = { now: NOON }
  beforeEach(() => void (clock.now = NOON))
  const files = memoryFiles()
  const server = useApp(world, { now: () => clock.now, billingNow: () => clock.now, files })
  return {
    world,
    server,
    clock,
    aReminded: (offer?: Offer, settings?: Partial<AnswerSettings>) =>
      aReminded({ world, clock, files }, offer, settings),
    open: (url: string) => server.app.inject({ url }),
    answer: (link: string, choice: string, fields?: Record<string, string>) =>
      answer(server, link, { ...fields, choice }),
    post: (link: string, fields: Record<string, string>) => postAnswer(server, link, fields),
  }
}

interface Surroundings {
  world: World
  clock: { now: Date }
  files: Services['files']
}

type Offer = Parameters<typeof aContract>[1] & { nextAmount?: number }
export type Reminded = Awaited<ReturnType<typeof aReminded>>

/** A contract that is due for renewal in a week, whose customer gets a reminder today. */
async function aReminded(
  { world, clock, files }: Surroundings,
  { nextAmount, ...changes }: Offer = {},
  settings: Partial<AnswerSettings> = {},
) {
  const mailbox = aMailbox()
  const services = fakeServices({ mailer: mailbox.mailer, now: () => clock.now, billingNow: () => clock.now, files })
  const request = await anAccount(world, { services })
  const job = { db: world.db, services, log: Fastify().log, signal: new AbortController().signal }
  const as = <Result>(work: Parameters<typeof asSubscriber<Result>>[1]) => asSubscriber(request, work)
  await as((ctx) => saveAnswerSettings(ctx, { ...DEFAULT_ANSWERS, ...settings }))
  const { id: customerId } = await aCustomer(request, { name: 'Harbor', email: ADDRESS })
  const contract = {
    customerId,
    title: 'Web hosting',
    amount: 1200,
    renewalCycle: 'yearly',
    startDate: '2025-03-17',
  } as const
  const { id } = await aContract(request, { ...contract, renewalDate: '2026-03-17', ...changes })
  if (nextAmount !== undefined) await as((ctx) => updateContract(ctx, UpdateContract.parse({ id, nextAmount })))
  const plan = async () => {
    await world.db.system.query('update reminder_schedules set next_plan_at = $1', [clock.now])
    await planReminders(job)
    await sendReminders(job)
  }
  await plan()
  const [link = ''] = mailbox.received.flatMap(({ text }) => LINK.exec(text)?.[1] ?? [])
  const read = () => requireReader(request)
  return {
    ...mailbox,
    request,
    as,
    id,
    customerId,
    link,
    plan,
    send: () => sendReminders(job),
    pass: (ms: number) => void (clock.now = new Date(clock.now.getTime() + ms)),
    contract: () => getContract(read(), { id }),
    answers: async () => (await listAnswers(read(), ListAnswers.parse({}))).rows,
    newest: async () => (await listAnswers(read(), ListAnswers.parse({}))).rows[0]?.id ?? 0,
    waiting: async () => (await countWaiting(read())).count,
    notices: () => notificationsOf(request),
    toCustomer: () => mailbox.received.filter(({ to }) => to.includes(ADDRESS)),
    rows: () => ledgerOf(request),
  }
}
