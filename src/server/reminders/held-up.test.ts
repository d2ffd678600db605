import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { updateCompany } from '#server/company/company.service.ts'
import { liftStop } from '#server/deliverability/mail-stops.service.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { snoozeReminder } from './outbox-actions.service.ts'
import { planReminders } from './plan-reminders.ts'
import { sendReminders } from './sending/send-reminders.ts'

const world = useWorld()
const PLENTY = { toAddress: 50, ofTrial: 50, ofPaying: 50 }

/** An account in Los Angeles (UTC-7 on these days) that sends at 8, with a message to a customer due on March 10. */
async function anOffice({
  company = 'Mill & Sons',
  limits = PLENTY,
}: { company?: string | null; limits?: object } = {}) {
  const mailbox = aMailbox()
  let now = new Date('2026-03-10T15:00:00Z')
  const mailLimits = { ...PLENTY, ...limits }
  const services = fakeServices({ mailer: mailbox.mailer, now: () => now, billingNow: () => now, mailLimits })
  const ctx = { db: world.db, services, log: Fastify().log, signal: new AbortController().signal }
  const request = await anAccount(world, { services, company, timeZone: 'America/Los_Angeles' })
  const { accountId } = requireReader(request)
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId, startDate: '2026-01-01', renewalDate: '2026-03-24' })
  const run = (text: string) => world.db.writeAs(accountId, (em) => em.execute(text))
  await run(`update contracts set reminders_since = '2026-01-01'`)
  await run(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
  const message = {
    renewalDate: contract.renewalDate,
    kind: 'reminder',
    offset: 14,
    recipient: 'customer',
    contactId: 0,
  } as const
  return {
    stop: () =>
      run(`insert into mail_stops (account_id, stopped_at, complaints, mails)
      values (${accountId}, '2026-03-10', 3, 3)`),
    lift: () => liftStop(ctx, accountId, now),
    name: (name: string) => asSubscriber(request, (subscriber) => updateCompany(subscriber, { name })),
    snooze: (until: string) => {
      const key = { ...message, contractId: contract.id, channel: 'email', until: toDay(until) } as const
      return asSubscriber(request, (subscriber) => snoozeReminder(subscriber, key))
    },
    plan: () => planReminders(ctx),
    send: () => sendReminders(ctx),
    at: (time: string) => void (now = new Date(time)),
    toCustomer: async () => (await ledgerOf(request)).find(({ recipient }) => recipient === 'customer'),
    triedAt: async () => {
      const [row] = await world.db.writeAs(accountId, (em) =>
        em.execute<{ at: number }[]>(`select (extract(epoch from next_attempt_at) * 1000)::float8 as at
          from reminders where recipient = 'customer'`),
      )
      return new Date(row?.at ?? 0).toISOString()
    },
  }
}

test('a stop that is lifted in the evening leaves what was put off until tomorrow for tomorrow', async () => {
  const office = await anOffice()
  await office.stop()
  await office.plan()
  await office.send()
  await office.snooze('2026-03-11')
  // By UTC it is March 11 already.
  office.at('2026-03-11T01:00:00Z')
  await office.lift()
  await office.send()
  expect(await office.toCustomer()).toMatchObject({ state: 'planned', dueOn: '2026-03-11' })
  office.at('2026-03-11T15:00:00Z')
  await office.send()
  expect(await office.toCustomer()).toMatchObject({ state: 'sent', sentOn: '2026-03-11' })
})

test('a stop that is lifted leaves what waits for a limit until that limit counts anew', async () => {
  const office = await anOffice({ limits: { ofPaying: 0 } })
  await office.plan()
  await office.send()
  const waits = await office.triedAt()
  expect(waits).toBe('2026-03-11T15:00:00.000Z')
  await office.stop()
  office.at('2026-03-10T20:00:00Z')
  await office.lift()
  expect(await office.triedAt()).toBe(waits)
})

test('the first company name leaves what was put off until today for its hour', async () => {
  const office = await anOffice({ company: null })
  await office.plan()
  await office.send()
  await office.snooze('2026-03-11')
  office.at('2026-03-11T14:59:00Z')
  await office.name('Mill & Sons')
  await office.send()
  expect(await office.toCustomer()).toMatchObject({ state: 'planned' })
  office.at('2026-03-11T15:00:00Z')
  await office.send()
  expect(await office.toCustomer()).toMatchObject({ state: 'sent' })
})

test('another company name than the first has nothing tried sooner', async () => {
  const office = await anOffice()
  await office.stop()
  await office.plan()
  await office.send()
  const waits = await office.triedAt()
  expect(waits).toBe('2026-03-10T16:00:00.000Z')
  office.at('2026-03-10T15:30:00Z')
  await office.name('Mill & Daughters')
  expect(await office.triedAt()).toBe(waits)
})

test('what waits for a name and for a stop is tried at once when either ends', async () => {
  const office = await anOffice({ company: null })
  await office.stop()
  await office.plan()
  await office.send()
  office.at('2026-03-10T15:30:00Z')
  await office.name('Mill & Sons')
  await office.send()
  expect(await office.triedAt()).toBe('2026-03-10T16:30:00.000Z')
  await office.lift()
  await office.send()
  expect(await office.toCustomer()).toMatchObject({ state: 'sent' })
})
