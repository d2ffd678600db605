import Fastify from 'fastify'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { addDays } from '#shared/domain/day.ts'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { requireReader } from '#server/context.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { muteContract } from '#server/reminders/contract-reminders.service.ts'
import { saveSettings } from '#server/reminder-settings/settings.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { renewContracts } from '#server/renewals/renew-contracts.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, TODAY, useWorld, type AccountOptions } from '#support/world.ts'
import { getBulk, startBulk, undoBulk } from './bulk.service.ts'
import { previewBulk } from './preview-bulk.service.ts'
import { runBulkChanges } from './run-bulk-changes.ts'

const world = useWorld()

const CUSTOMERS = [
  ['Harbor', 'orders@harbor.test'],
  ['Mill', 'office@mill.test'],
  ['Cafe', null],
] as const

/** An account with the customers Harbor, which has two contracts, Mill, and Cafe, which has no address. */
async function anAccountWithCustomers(options: AccountOptions = {}) {
  const mailbox = aMailbox()
  let now = NOON
  const services = { mailer: mailbox.mailer, now: () => now, ...options.services }
  const request = await anAccount(world, { ...options, services })
  const ids: number[] = []
  for (const [name, email] of CUSTOMERS) {
    const { id: customerId } = await aCustomer(request, { name, email })
    ids.push((await aContract(request, { customerId })).id)
    if (name === 'Harbor') ids.push((await aContract(request, { customerId, amount: 50 })).id)
  }
  const job = { ...request, log: Fastify().log, signal: new AbortController().signal }
  const change = (confirm?: boolean) => BulkChange.parse({ action: 'renew', contracts: { ids }, confirm })
  return {
    ...mailbox,
    request,
    ids,
    as: <Result>(work: Parameters<typeof asSubscriber<Result>>[1]) => asSubscriber(request, work),
    plan: async () => {
      await world.db.system.query('update reminder_schedules set next_plan_at = $1', [now])
      await planReminders(job)
    },
    toCustomers: () => mailbox.received.filter(({ to }) => to.some((address) => !address.endsWith('@example.com'))),
    preview: (confirm?: boolean) => previewBulk(requireReader(request), change(confirm)),
    start: (confirm?: boolean) => asSubscriber(request, (ctx) => startBulk(ctx, change(confirm))),
    undo: (id: number) => asSubscriber(request, (ctx) => undoBulk(ctx, { id })),
    look: (id: number) => getBulk(requireReader(request), { id }),
    run: () => runBulkChanges(job),
    renewByItself: () => renewContracts(job),
    send: async () => {
      now = new Date(now.getTime() + UNDO_MS)
      await sendReminders(job)
    },
    turn: (confirmRenewals: boolean) => {
      const settings = { confirmRenewals, endOverdueAfterDays: null, endReasons: ['Price'] }
      return asSubscriber(request, (ctx) => saveRenewalSettings(ctx, settings))
    },
    states: async () => (await ledgerOf(request)).map(({ state, reason }) => reason ?? state),
  }
}

test('customers of many renewed contracts are told, once each, and that is announced', async () => {
  const { preview, start, run, send, received, states } = await anAccountWithCustomers()
  expect(await preview(true)).toMatchObject({ count: 4, emails: 2, customers: 2, waiting: 0 })
  await start(true)
  await Promise.all([run(), run()])
  expect(received).toEqual([])
  await send()
  await send()
  expect(received.map(({ to, subject }) => `${to[0]}: ${subject}`).toSorted()).toEqual([
    'office@mill.test: Your contract has been renewed until May 1, 2026',
    'orders@harbor.test: 2 contracts with Alder Supplies have been renewed',
  ])
  expect((await states()).toSorted()).toEqual(['no_address', 'sent', 'sent', 'sent'])
})

describe('emails about the new renewal dates that go out the same day', () => {
  /** All four contracts of the account are overdue since yesterday, so that they renew in 30 days. */
  async function anOverdueAccount(options: AccountOptions = {}) {
    const account = await anAccountWithCustomers(options)
    for (const id of account.ids)
      await account.as((ctx) => updateContract(ctx, { id, renewalDate: addDays(TODAY, -1) }))
    return account
  }

  test.each([true, false])('are counted as they are sent, where customers are told: %s', async (confirm) => {
    const { as, ids, preview, start, run, send, plan, toCustomers } = await anOverdueAccount()
    const [muted = 0] = ids
    await as((ctx) => muteContract(ctx, { id: muted, reminders: 'off' }))
    const { emails = 0, emailsToday = 0, waiting } = await preview(confirm)
    // Harbor is not told of the muted contract, and reminded of it alone; Cafe has no address.
    expect({ emails, emailsToday, waiting }).toEqual(
      confirm ? { emails: 2, emailsToday: 1, waiting: 0 } : { emails: 0, emailsToday: 2, waiting: 0 },
    )
    await start(confirm)
    await run()
    await send()
    await plan()
    await send()
    expect(toCustomers()).toHaveLength(emails + emailsToday)
  })

  test.each([
    [false, 0],
    [true, 2],
  ])(
    'are about the next dates, of contracts that are then renewed once more by themselves; told %s',
    async (confirm, told) => {
      const { as, ids, preview, start, run, send, plan, toCustomers, renewByItself } = await anAccountWithCustomers()
      for (const id of ids)
        await as((ctx) => updateContract(ctx, { id, renewalDate: addDays(TODAY, -45), renewalCycle: 'monthly' }))
      for (const status of ['cancelled', 'active'] as const)
        for (const id of ids) await as((ctx) => updateContract(ctx, { id, status }))
      for (const id of ids) await as((ctx) => updateContract(ctx, { id, renews: 'automatic' }))
      const { emails = 0, emailsToday = 0 } = await preview(confirm)
      expect([emails, emailsToday]).toEqual([told, 2])
      await start(confirm)
      await run()
      await send()
      await send()
      await renewByItself()
      await plan()
      await send()
      expect(toCustomers()).toHaveLength(emails + emailsToday)
    },
  )

  test('are those that the settings ask for, and none where the customer has had them', async () => {
    const { as, ids, preview, start, run, send, plan, undo, toCustomers } = await anOverdueAccount()
    await as((ctx) => saveSettings(ctx, { ...DEFAULT_SETTINGS, reminderDays: [14] }))
    expect(await preview(false)).toMatchObject({ count: 4, emailsToday: 0 })
    await as((ctx) => saveSettings(ctx, DEFAULT_SETTINGS))
    const { id } = await start(false)
    await run()
    await plan()
    await send()
    expect(toCustomers()).toHaveLength(2)
    await undo(id)
    await run()
    expect(await preview(false)).toMatchObject({ count: 4, emailsToday: 0 })
    // Of a term until another day they have had nothing.
    for (const contractId of ids)
      await as((ctx) => updateContract(ctx, { id: contractId, renewalDate: addDays(TODAY, -14) }))
    expect(await preview(false)).toMatchObject({ count: 4, emailsToday: 2 })
  })

  test('wait over the limit of a day, or for the company name', async () => {
    const limited = await anOverdueAccount({ services: { mailLimits: { toAddress: 5, ofTrial: 50, ofPaying: 1 } } })
    expect(await limited.preview(false)).toMatchObject({ emailsToday: 2, waiting: 1 })
    const perAddress = { toAddress: 1, ofTrial: 50, ofPaying: 50 }
    const { as, ids, preview, start, run, send, plan, toCustomers } = await anOverdueAccount({
      services: { mailLimits: perAddress },
    })
    const [muted = 0] = ids
    await as((ctx) => muteContract(ctx, { id: muted, reminders: 'off' }))
    // Harbor is told of one contract and reminded of the other.
    expect(await preview(true)).toMatchObject({ emails: 2, emailsToday: 1, waiting: 1 })
    await start(true)
    await run()
    await send()
    await plan()
    await send()
    expect(toCustomers()).toHaveLength(2)
    const unnamed = await anOverdueAccount({ company: null })
    expect(await unnamed.preview(false)).toMatchObject({ emailsToday: 0, waiting: 0 })
  })

  test.each([
    { until: 5, confirm: false, counts: { emailsToday: 3 } },
    // Of those who are told that day, a notice waits for another day if there is one.
    { until: 5, confirm: true, counts: { emails: 2, emailsToday: 0 } },
    { until: 30, confirm: true, counts: { emails: 2, emailsToday: 3 } },
  ])('may be notices, also where no reminder is due: $until to 30 days before, $confirm', async (given) => {
    const { until, confirm, counts } = given
    const { as, preview, start, run, send, plan, toCustomers } = await anOverdueAccount()
    await as((ctx) => saveSettings(ctx, { ...DEFAULT_SETTINGS, reminderDays: [14] }))
    await as(async (ctx) => {
      const rule = { name: 'Ours', unit: 'days', from: 30, until, countedFrom: 'renewal_date', means: ['email'] }
      const { id } = await makeNoticeRule(ctx, MakeNoticeRule.parse({ ...rule, contents: [], exceptMonthly: false }))
      await chooseNoticeRule(ctx, { rule: id })
      await ctx.write(sql`update contracts set renews = 'automatic' where account_id = ${ctx.accountId}`)
    })
    expect(await preview(confirm)).toMatchObject(counts)
    await start(confirm)
    await run()
    await send()
    await plan()
    await send()
    expect(toCustomers()).toHaveLength((counts.emails ?? 0) + counts.emailsToday)
  })
})

test('nobody is told unless the request or the settings say so', async () => {
  const { preview, start, run, states, turn } = await anAccountWithCustomers()
  expect(await preview()).not.toHaveProperty('emails')
  await start()
  await run()
  expect(await states()).toEqual([])
  await turn(true)
  expect(await preview(false)).not.toHaveProperty('emails')
})

test('the settings count where the request says nothing', async () => {
  const { preview, start, run, states, turn } = await anAccountWithCustomers()
  await turn(true)
  expect(await preview()).toMatchObject({ emails: 2, customers: 2 })
  await start()
  await run()
  expect(await states()).toHaveLength(4)
})

test('turned off while contracts are renewed, the settings count for those that follow', async () => {
  const { start, run, states, turn } = await anAccountWithCustomers()
  await turn(true)
  await start()
  await turn(false)
  await run()
  expect(await states()).toEqual([])
})

test('what the request says counts also after the settings are turned off', async () => {
  const { start, run, states, turn } = await anAccountWithCustomers()
  await turn(true)
  await start(true)
  await turn(false)
  await run()
  expect(await states()).toHaveLength(4)
})

test('nobody is told where the settings are turned on after it was announced that nobody is', async () => {
  const { start, run, states, turn } = await anAccountWithCustomers()
  await start()
  await turn(true)
  await run()
  expect(await states()).toEqual([])
})

test('nobody is told of a renewal to a date that was muted before it was undone, and that is announced', async () => {
  const { as, ids, preview, start, run, undo, send, toCustomers } = await anAccountWithCustomers()
  const [, , ofMill = 0] = ids
  const { id } = await start(false)
  await run()
  await as((ctx) => muteContract(ctx, { id: ofMill, reminders: 'off' }))
  await undo(id)
  await run()
  expect(await preview(true)).toMatchObject({ count: 4, emails: 1, customers: 1 })
  await start(true)
  await run()
  await send()
  expect(toCustomers()).toHaveLength(1)
})

test('emails beyond the limit are announced as waiting', async () => {
  const mailLimits = { toAddress: 5, ofTrial: 1, ofPaying: 1 }
  const { preview } = await anAccountWithCustomers({ services: { mailLimits } })
  expect(await preview(true)).toMatchObject({ emails: 2, waiting: 1 })
})

test('undoing withdraws what has not gone out', async () => {
  const { start, run, undo, look, send, received, states } = await anAccountWithCustomers()
  const { id } = await start(true)
  await run()
  await undo(id)
  await run()
  await send()
  expect(received).toEqual([])
  expect(await look(id)).toMatchObject({ state: 'undone', undone: 4, alreadyTold: 0 })
  expect(await states()).toEqual(['no_address'])
})

test('undoing says of how many contracts the customers had been told', async () => {
  const { start, run, undo, look, send, preview } = await anAccountWithCustomers()
  const { id } = await start(true)
  await run()
  await send()
  await undo(id)
  await run()
  expect(await look(id)).toMatchObject({ state: 'undone', undone: 4, alreadyTold: 3 })
  // Nobody is told again of a term.
  expect(await preview(true)).toMatchObject({ count: 4, emails: 0, customers: 0 })
})
