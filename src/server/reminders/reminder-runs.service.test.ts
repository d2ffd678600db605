import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import type { RequestContext } from '#server/context.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aMailbox, noMailServer } from '#support/mailbox.ts'
import { NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { planAccounts } from './plan-reminders.ts'
import { getReminderRuns, reminderRuns } from './reminder-runs.service.ts'
import { sendReminders } from './sending/send-reminders.ts'
import { saveSettings } from '#server/reminder-settings/settings.service.ts'

const world = useWorld()
const server = useApp(world)
const HOUR_MS = 3_600_000

async function ran(name: string, hoursAgo: number) {
  await world.db.system.query(
    `insert into job_runs (name, began_at, ended_at) values ($1, now(), now() - make_interval(hours => $2))`,
    [name, hoursAgo],
  )
}

describe('reminders are stalled', () => {
  test('where either of their jobs has not ended for more than two hours', async () => {
    expect(await reminderRuns(world.db)).toEqual({ lastRunAt: null, isStalled: false })
    await ran('sweep-files', 30)
    await ran('plan-reminders', 1)
    expect(await reminderRuns(world.db)).toEqual({ lastRunAt: expect.any(Date), isStalled: false })
    await ran('send-reminders', 3)
    expect(await reminderRuns(world.db)).toMatchObject({ isStalled: true })
  })

  test('and /readyz says so, without being unready', async () => {
    await ran('plan-reminders', 3)
    expect(await call(server, { url: '/readyz' })).toMatchObject({
      status: 200,
      body: { status: 'ok', reminders: { isStalled: true, lastRunAt: expect.any(String) } },
    })
  })
})

describe('an account that is planned too late', () => {
  async function planned(hoursLate: number | number[], settings = DEFAULT_SETTINGS) {
    let now = NOON
    const request = await anAccount(world, { services: { now: () => now } })
    await aContract(request)
    await asSubscriber(request, (ctx) => saveSettings(ctx, settings))
    await planAccounts(request, [request.caller?.id ?? 0])
    // It was to be planned the next morning at 8.
    for (const hours of [hoursLate].flat()) {
      now = new Date(NOON.getTime() + (20 + hours) * HOUR_MS)
      await planAccounts(request, [request.caller?.id ?? 0])
      await planAccounts(request, [request.caller?.id ?? 0])
    }
    return noticesOf(request)
  }

  test('tells its owner, once', async () => {
    expect(await planned(5)).toEqual([
      {
        title: 'Reminders were delayed',
        message: expect.stringMatching(/from Mar 11, 2026, 8:00\sAM to Mar 11, 2026, 1:00\sPM/),
      },
    ])
  })

  test('tells of it also where the day that was missed is over, and the hour of the next has not struck', async () => {
    expect(await planned([23, 24])).toEqual([
      {
        title: 'Reminders were delayed',
        message: expect.stringMatching(/from Mar 11, 2026, 8:00\sAM to Mar 12, 2026, 8:00\sAM/),
      },
    ])
    expect(await planned([0, 23, 24])).toEqual([])
  })

  test('says nothing of less than two hours, nor where notifications are off', async () => {
    expect(await planned(1.9)).toEqual([])
    expect(await planned(5, { ...DEFAULT_SETTINGS, enableNotifications: false })).toEqual([])
  })
})

describe('an owner who looks', () => {
  /** An account with a reminder that is due, at a mail server that is away. */
  async function withoutMail() {
    let now = NOON
    const mailbox = aMailbox()
    mailbox.fail(noMailServer())
    const request = await anAccount(world, { services: { now: () => now, mailer: mailbox.mailer } })
    const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
    await aContract(request, { customerId, renewalDate: '2026-03-24' })
    await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute(`update contracts set reminders_since = '2026-01-01'`),
    )
    await planAccounts(request, [request.caller?.id ?? 0])
    const send = () => sendReminders({ ...request, signal: new AbortController().signal })
    const pass = (hours: number) => void (now = new Date(now.getTime() + hours * HOUR_MS))
    return { ...mailbox, runs: () => getReminderRuns(requireReader(request)), send, pass }
  }

  test('sees mail that the mail server has not taken for more than two hours, until it does', async () => {
    const { runs, send, pass, fail } = await withoutMail()
    await send()
    pass(2)
    expect(await runs()).toMatchObject({ isStalled: false, waiting: null })
    pass(1)
    expect(await runs()).toMatchObject({ isStalled: false, waiting: { count: 2, since: NOON } })
    fail()
    await send()
    expect(await runs()).toMatchObject({ waiting: null })
  })

  test('sees that nothing has been planned for more than two hours, also where nothing ever ran', async () => {
    const { runs, pass } = await withoutMail()
    // It is planned again the next morning at 8.
    pass(22)
    expect(await runs()).toMatchObject({ isStalled: false })
    pass(1)
    const lastRunAt = new Date(NOON.getTime() + 20 * HOUR_MS)
    expect(await runs()).toEqual({ lastRunAt, isStalled: true, waiting: null, stop: null })
  })
})

test('the owner is told through the app', async () => {
  const request = await anAccount(world)
  await ran('plan-reminders', 3)
  const answer = await server.app.inject({ url: '/trpc/reminders.runs', headers: bearer(request) })
  expect(answer.json()).toMatchObject({ result: { data: { json: { isStalled: true } } } })
})

function noticesOf(request: RequestContext) {
  const { read, accountId } = requireReader(request)
  return read(
    sql`select title, message from notifications where account_id = ${accountId}`,
    z.object({ title: z.string(), message: z.string() }),
  )
}
