import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { SaveReminderSettings } from '#shared/schemas/reminders.ts'
import { requireAccount } from '#server/context.ts'
import { setTimeZone } from '#server/identity/accounts.service.ts'
import { saveSettings } from '#server/reminder-settings/settings.service.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aReminderKey } from '#support/reminder-key.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { snoozeReminder } from './outbox-actions.service.ts'
import { planReminders } from './plan-reminders.ts'
import { sendReminders } from './sending/send-reminders.ts'

const world = useWorld()

/** An account that sends at 8, with an email to a customer that its owner has snoozed until March 12. */
async function aSnoozedEmailIn(timeZone: string) {
  const mailbox = aMailbox()
  let now = new Date('2026-03-10T12:00:00Z')
  const services = fakeServices({ mailer: mailbox.mailer, now: () => now, billingNow: () => now })
  const ctx = { db: world.db, services, log: Fastify().log, signal: new AbortController().signal }
  const request = await anAccount(world, { services, timeZone })
  const { accountId } = requireReader(request)
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId, renewalDate: '2026-04-10' })
  const run = (text: string) => world.db.writeAs(accountId, (em) => em.execute(text))
  await run(`update contracts set reminders_since = '2026-01-01'`)
  await run(`update reminder_schedules set planned_through = '2026-03-11', next_plan_at = '2026-03-10'`)
  await planReminders(ctx)
  await asSubscriber(request, (subscriber) =>
    snoozeReminder(subscriber, {
      ...aReminderKey({ contractId: contract.id, renewalDate: contract.renewalDate }),
      until: toDay('2026-03-12'),
    }),
  )
  return {
    at: (time: string) => void (now = new Date(time)),
    moveTo: (zone: string) => setTimeZone(requireAccount(request), { timeZone: zone }),
    sendAt: (hour: number) =>
      asSubscriber(request, (subscriber) =>
        saveSettings(
          subscriber,
          SaveReminderSettings.parse({
            enableNotifications: true,
            reminderDays: [14],
            followUpDays: [],
            notificationMethods: { email: false, inApp: false },
            hour,
          }),
        ),
      ),
    plan: () => planReminders(ctx),
    send: () => sendReminders(ctx),
    sentOnOrState: async () => {
      const row = (await ledgerOf(request)).find(({ recipient }) => recipient === 'customer')
      return row?.state === 'sent' ? row.sentOn : row?.state
    },
  }
}

type Account = Awaited<ReturnType<typeof aSnoozedEmailIn>>

/** What has become of the email a minute before this time, and at it. */
async function around(account: Account, time: string) {
  account.at(new Date(Date.parse(time) - 60_000).toISOString())
  await account.send()
  const before = await account.sentOnOrState()
  account.at(time)
  await account.send()
  return [before, await account.sentOnOrState()]
}

const SENT_THEN = ['planned', '2026-03-12']

test.each([{ isPlanned: true }, { isPlanned: false }])(
  'a snoozed email waits for its day in the time zone that the account moved to, planned since: $isPlanned',
  async ({ isPlanned }) => {
    const account = await aSnoozedEmailIn('Pacific/Auckland')
    await account.moveTo('America/Santiago')
    // 8:00 on March 12 in Auckland.
    account.at('2026-03-11T19:00:00Z')
    if (isPlanned) await account.plan()
    await account.send()
    expect(await account.sentOnOrState()).toBe('planned')
    expect(await around(account, '2026-03-12T11:00:00Z')).toEqual(SENT_THEN)
  },
)

test.each(['2026-03-10T13:00:00Z', '2026-03-11T20:00:00Z'])(
  'a snoozed email goes out at the hour of its day where the account moves east at %s',
  async (time) => {
    const account = await aSnoozedEmailIn('America/Santiago')
    account.at(time)
    await account.moveTo('Pacific/Auckland')
    await account.plan()
    account.at('2026-03-11T20:00:00Z')
    await account.send()
    expect(await account.sentOnOrState()).toBe('2026-03-12')
  },
)

test.each([
  ['two days', '2026-03-10T12:00:00Z'],
  ['two hours', '2026-03-12T06:00:00Z'],
])('a snoozed email waits for the hour that was chosen since, %s before the former', async (_, time) => {
  const account = await aSnoozedEmailIn('UTC')
  account.at(time)
  await account.sendAt(14)
  await account.plan()
  expect(await around(account, '2026-03-12T14:00:00Z')).toEqual(SENT_THEN)
})

test('a snoozed email waits for its hour where the account moves west in the night of its day', async () => {
  const account = await aSnoozedEmailIn('Pacific/Auckland')
  // 1:00 on March 12 in Perth, and 6:00 in Auckland.
  account.at('2026-03-11T17:00:00Z')
  await account.moveTo('Australia/Perth')
  await account.plan()
  expect(await around(account, '2026-03-12T00:00:00Z')).toEqual(SENT_THEN)
})
