import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { DEFAULT_SETTINGS, type ReminderSettings } from '#shared/schemas/reminders.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aContract, aCustomer, anAccount, asSubscriber, COMPANY, requireReader, useWorld } from '#support/world.ts'
import { saveContractSettings } from '#server/reminders/contract-reminders.service.ts'
import { planAccounts } from '#server/reminders/plan-reminders.ts'
import { getSettings, previewSettings, saveSettings } from './settings.service.ts'

const world = useWorld()

function settings(changes: Partial<ReminderSettings> = {}): ReminderSettings {
  return { ...DEFAULT_SETTINGS, ...changes }
}

/** An account with a contract that renews in 14 days, whose customer can be written to. */
async function anOwner() {
  const request = await anAccount(world, { timeZone: 'America/New_York' })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId, renewalDate: '2026-03-24' })
  // The clock of the tests is another than the database's.
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(`update contracts set reminders_since = '2026-01-01', created_at = '2026-01-01'`),
  )
  return { request, contract }
}

test('an account that never chose has the defaults, and is told its clock and its address', async () => {
  const { request } = await anOwner()
  expect(await getSettings(requireReader(request))).toEqual({
    ...DEFAULT_SETTINGS,
    senderName: COMPANY,
    replyTo: null,
    timeZone: 'America/New_York',
    ownerEmail: request.caller?.email,
  })
})

test('what is saved is what is read', async () => {
  const { request } = await anOwner()
  const chosen = settings({
    enableNotifications: false,
    reminderDays: [14, 3],
    followUpDays: [],
    notificationMethods: { email: false, inApp: true },
    hour: 17,
  })
  expect(await asSubscriber(request, (ctx) => saveSettings(ctx, chosen))).toMatchObject(chosen)
  expect(await getSettings(requireReader(request))).toMatchObject(chosen)
  await asSubscriber(request, (ctx) => saveSettings(ctx, settings()))
  expect(await getSettings(requireReader(request))).toMatchObject(settings())
})

test("one account's settings are not another's", async () => {
  const { request } = await anOwner()
  await asSubscriber(request, (ctx) => saveSettings(ctx, settings({ hour: 17 })))
  expect(await getSettings(requireReader(await anAccount(world)))).toMatchObject({ hour: 8 })
})

test('saving has the account planned anew at once, by the new settings', async () => {
  const { request } = await anOwner()
  const accountId = request.caller?.id ?? 0
  await asSubscriber(request, (ctx) => saveSettings(ctx, settings({ reminderDays: [30] })))
  await planAccounts(request, [accountId])
  expect(await ledgerOf(request)).toEqual([])
  await asSubscriber(request, (ctx) => saveSettings(ctx, settings({ reminderDays: [14] })))
  const { rows } = await world.db.system.query(
    'select next_plan_at <= $1 as due from reminder_schedules where account_id = $2',
    [request.services.now(), accountId],
  )
  expect(rows).toEqual([{ due: true }])
  await planAccounts(request, [accountId])
  expect((await ledgerOf(request)).map(({ offset, recipient, channel }) => [offset, recipient, channel])).toEqual([
    [14, 'customer', 'email'],
    [14, 'owner', 'email'],
    [14, 'owner', 'in_app'],
  ])
})

test('the preview names what would come and go, and changes nothing', async () => {
  const { request } = await anOwner()
  const onlyCustomer = { email: false, inApp: false }
  await asSubscriber(request, (ctx) => saveSettings(ctx, settings({ notificationMethods: onlyCustomer })))
  const other = settings({ notificationMethods: onlyCustomer, reminderDays: [14, 3], followUpDays: [1, 3, 7] })
  const preview = await previewSettings(requireReader(request), other)
  expect(preview.added).toMatchObject({
    count: 1,
    first: [{ customerName: 'Harbor Bakery', day: '2026-03-21', kind: 'reminder', offset: 3, recipient: 'customer' }],
  })
  expect(preview.removed).toMatchObject({ count: 2, first: [{ offset: 7 }, { offset: 1 }] })
  expect(await getSettings(requireReader(request))).toMatchObject({ reminderDays: [30, 14, 7, 1] })
  expect(await ledgerOf(request)).toEqual([])
})

test('the preview leaves alone what a contract has decided for itself, and contracts that are closed', async () => {
  const { request, contract } = await anOwner()
  const own = { enableNotifications: null, reminderDays: [7], followUpDays: [], email: false, inApp: false }
  await asSubscriber(request, (ctx) => saveContractSettings(ctx, { id: contract.id, ...own }))
  const other = settings({ reminderDays: [3], followUpDays: [30] })
  expect(await previewSettings(requireReader(request), other)).toMatchObject({
    added: { count: 0 },
    removed: { count: 0 },
  })
  const off = settings({ enableNotifications: false })
  expect(await previewSettings(requireReader(request), off)).toMatchObject({
    removed: { count: 1, first: [{ offset: 7, day: '2026-03-17' }] },
  })
  await asSubscriber(request, (ctx) =>
    updateContract(ctx, { id: contract.id, status: 'cancelled', renewalDate: toDay('2026-03-24') }),
  )
  expect(await previewSettings(requireReader(request), off)).toMatchObject({ removed: { count: 0 } })
})

test('the preview looks at 5,000 contracts, and says so where there are more', async () => {
  const { request, contract } = await anOwner()
  const preview = () => previewSettings(requireReader(request), settings({ enableNotifications: false }))
  expect(await preview()).toMatchObject({ onlyFirst: null })
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(
      `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status,
        created_at, reminders_since)
      select account_id, customer_id, 100, start_date, 'monthly', renewal_date, 'active', created_at, reminders_since
      from contracts, generate_series(1, 5000) where id = ?`,
      [contract.id],
    ),
  )
  // Each has a reminder 14, 7 and 1 days before, and a follow-up 1, 3 and 7 days after: to two by email, and a notice.
  expect(await preview()).toMatchObject({ onlyFirst: 5000, removed: { count: 5000 * 6 * 3 } })
})
