import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toDay } from '#shared/domain/day.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { notificationsOf } from '#support/notifications.ts'
import { instant } from '#server/db/columns.ts'
import { readRows } from '#server/db/rows.ts'
import { ledgerOf, type LedgerRow } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { sendReminder } from './manual-reminders.service.ts'
import { planAccounts } from './plan-reminders.ts'

const world = useWorld()

/** An account whose contract renews on 24 March, and a clock. */
async function anOwner({ timeZone = 'UTC', status = 'active', customer = {}, terms = {} } = {}) {
  let now = new Date('2026-03-10T12:00:00Z')
  const { mailer } = aMailbox()
  const services = { mailer, now: () => now, billingNow: () => now }
  const request = await anAccount(world, { timeZone, status: 'active', services })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor', email: 'orders@harbor.test', ...customer })
  const contract = await aContract(request, { customerId, renewalDate: '2026-03-24', ...terms })
  const accountId = request.caller?.id ?? 0
  const run = (text: string) => world.db.writeAs(accountId, (em) => em.execute(text))
  await run(`update contracts set reminders_since = '2026-01-01'`)
  await run(`update reminder_schedules set planned_through = '2026-03-01', next_plan_at = '2026-03-01'`)
  if (status !== 'active') await world.db.system.query('update subscriptions set status = $1', [status])
  return {
    request,
    customerId,
    contract,
    run,
    planAt: async (instant: string) => {
      now = new Date(instant)
      await planAccounts(request, [accountId])
      return short(await ledgerOf(request))
    },
    nextPlanAt: async () => {
      const statement = sql`select next_plan_at as at from reminder_schedules`
      const [schedule] = await readRows(world.db.system, statement, z.object({ at: instant }))
      return schedule?.at.toISOString()
    },
  }
}

function short(rows: LedgerRow[]): string[] {
  return rows.map(({ kind, offset, recipient, channel, state, reason }) =>
    [kind, offset, recipient, channel, state, reason].filter((part) => part !== null).join(' '),
  )
}

describe('planning an account', () => {
  test('writes what is due into the ledger, once, and tells the owner in the app at once', async () => {
    const { request, planAt } = await anOwner()
    const rows = [
      'reminder 14 customer email planned',
      'reminder 14 owner email planned',
      'reminder 14 owner in_app sent',
    ]
    expect(await planAt('2026-03-10T08:00:00Z')).toEqual(rows)
    expect(await planAt('2026-03-10T09:00:00Z')).toEqual(rows)
    expect(await notificationsOf(request)).toMatchObject([
      {
        type: 'renewal_reminder',
        title: 'Renewal in 14 days',
        message: 'The monthly contract with Harbor ($100.00) is due for renewal on March 24, 2026.',
        actionUrl: expect.stringMatching(/^\/contracts\?open=\d+$/),
      },
    ])
  })

  test("does nothing before the account's hour, in its time zone, and comes back for it", async () => {
    const { planAt, nextPlanAt } = await anOwner({ timeZone: 'America/New_York' })
    expect(await planAt('2026-03-10T11:59:59Z')).toEqual([])
    expect(await nextPlanAt()).toBe('2026-03-10T12:00:00.000Z')
    expect(await planAt('2026-03-10T12:00:00Z')).toHaveLength(3)
    expect(await nextPlanAt()).toBe('2026-03-11T12:00:00.000Z')
  })

  test('makes good the days of an outage with the most urgent message alone', async () => {
    const { planAt } = await anOwner()
    await planAt('2026-03-05T08:00:00Z')
    const rows = await planAt('2026-03-18T08:00:00Z')
    expect(rows.filter((row) => row.includes('customer'))).toEqual([
      'reminder 14 customer email skipped superseded',
      'reminder 7 customer email planned',
    ])
  })

  test('overtakes what still waits to be sent', async () => {
    const { planAt } = await anOwner()
    await planAt('2026-03-10T08:00:00Z')
    const rows = await planAt('2026-03-17T08:00:00Z')
    expect(rows.filter((row) => row.includes('customer'))).toEqual([
      'reminder 14 customer email skipped superseded',
      'reminder 7 customer email planned',
    ])
  })

  test.each([
    [{ email: null }, 'no_address'],
    [{ sendNotifications: false }, 'opted_out'],
  ])('writes down why a customer is not written to: %o', async (customer, reason) => {
    const { planAt } = await anOwner({ customer })
    expect((await planAt('2026-03-10T08:00:00Z'))[0]).toBe(`reminder 14 customer email skipped ${reason}`)
  })

  test.each([{ status: 'expired' }, { status: 'cancelled' }, { renewalDate: '2026-03-25' }])(
    'finds nothing due for %o',
    async (terms) => {
      expect(await (await anOwner({ terms })).planAt('2026-03-10T08:00:00Z')).toEqual([])
    },
  )

  test('obeys preferences, and those of one contract before those of its account', async () => {
    const { run, planAt, request, contract } = await anOwner()
    const id = request.caller?.id
    await run(`insert into reminder_preferences values (${id}, true, '{7}', '{}', false, false, 8)`)
    expect(await planAt('2026-03-10T08:00:00Z')).toEqual([])
    await run(
      `insert into contract_reminder_preferences values (${id}, ${contract.id}, null, '{14}', null, null, true)`,
    )
    expect(await planAt('2026-03-10T09:00:00Z')).toEqual([
      'reminder 14 customer email planned',
      'reminder 14 owner in_app sent',
    ])
    await run(`update contract_reminder_preferences set enable_notifications = false, reminder_days = '{3}'`)
    expect(await planAt('2026-03-21T09:00:00Z')).toHaveLength(2)
  })

  test('does not send the automatic reminder of a day on which one was sent by hand', async () => {
    const { request, contract, planAt } = await anOwner()
    await sendReminder(request, contract)
    expect((await planAt('2026-03-10T12:30:00Z')).filter((row) => row.includes('customer'))).toEqual([
      'manual 14 customer email sent',
      'reminder 14 customer email skipped manual',
    ])
  })

  test('follows a renewal date that was changed', async () => {
    const { request, contract, run, planAt } = await anOwner()
    await planAt('2026-03-10T08:00:00Z')
    await asSubscriber(request, (ctx) => updateContract(ctx, { id: contract.id, renewalDate: toDay('2026-04-09') }))
    await run(`update contracts set reminders_since = '2026-03-10'`)
    const rows = await planAt('2026-03-10T09:00:00Z')
    expect(rows.filter((row) => row.startsWith('reminder 30'))).toHaveLength(3)
  })

  test('does not count days on which the contract did not have its renewal date yet', async () => {
    const { run, planAt } = await anOwner()
    await run(`update contracts set reminders_since = '2026-03-11'`)
    expect(await planAt('2026-03-16T08:00:00Z')).toEqual([])
    expect(await planAt('2026-03-17T08:00:00Z')).toHaveLength(3)
  })

  test('passes over an account without a subscription, and makes nothing good later', async () => {
    const { planAt } = await anOwner({ status: 'unpaid' })
    expect(await planAt('2026-03-10T08:00:00Z')).toEqual([])
    await world.db.system.query(`update subscriptions set status = 'active'`)
    expect(await planAt('2026-03-11T08:00:00Z')).toEqual([])
    expect(await planAt('2026-03-17T08:00:00Z')).toHaveLength(3)
  })

  test('survives a clock that was ahead', async () => {
    const { planAt } = await anOwner()
    await planAt('2027-03-10T08:00:00Z')
    expect(await planAt('2026-03-10T08:00:00Z')).toHaveLength(3)
  })
})

describe('a change of a contract', () => {
  test('counts from then on; other changes do not', async () => {
    const { contract, request } = await anOwner()
    const since = async (changes: object) => {
      await asSubscriber(request, (ctx) => updateContract(ctx, { id: contract.id, ...changes }))
      const [row] = await world.db.writeAs(request.caller?.id ?? 0, (em) =>
        em.execute<{ since: string }[]>(`select reminders_since::date::text as since from contracts`),
      )
      return row?.since
    }
    expect(await since({ amount: 50 })).toBe('2026-01-01')
    expect(await since({ status: 'expired' })).toBe('2026-01-01')
    expect(await since({ status: 'pending' })).not.toBe('2026-01-01')
  })
})
