import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { toDay } from '#shared/domain/day.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import type { RequestContext, SubscriberContext } from '#server/context.ts'
import { undoImport } from '#server/imports/imports.service.ts'
import { muteContract } from '#server/reminders/contract-reminders.service.ts'
import { planAccounts } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { beforeStatement } from '#support/before-statement.ts'
import { doneOrWaiting } from '#support/held-rows.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'

const world = useWorld()
const { signal } = new AbortController()

/** A contract about which its customer is reminded today. */
async function aRemindedContract() {
  const request = await anAccount(world, { services: { mailer: aMailbox().mailer } })
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  const { id } = await aContract(request, { customerId, renewalDate: '2026-03-24' })
  const accountId = request.caller?.id ?? 0
  await world.db.writeAs(accountId, async (em) => {
    await em.execute(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
    await em.execute(`update contracts set reminders_since = '2026-03-01'`)
  })
  return { request, id, plan: () => planAccounts(request, [accountId]) }
}

/** Changes the contract, and begins other work once it is locked; returns whether that is done or waits. */
async function changedDuring(
  { request, id }: { request: RequestContext; id: number },
  { change, whenLocked }: Changing,
  work: () => Promise<unknown>,
) {
  let begun: Promise<unknown> | undefined
  let met: string | undefined
  await asSubscriber(request, ({ write, ...ctx }) => {
    const begin = async () => {
      begun = work()
      met = await doneOrWaiting(world, { write, work: begun })
    }
    return change({ ...ctx, write: beforeStatement(write, whenLocked, begin) }, id)
  })
  await begun
  return met
}

interface Changing {
  change: Change
  /** A statement by which the contract has been locked. */
  whenLocked: RegExp
}

type Change = (ctx: SubscriberContext, id: number) => Promise<unknown>

const SEEN = { ifVersion: [1, 2] }
const whenLocked = /reminder_schedules|contract_decisions/
const muted: Changing = { whenLocked, change: (ctx, id) => muteContract(ctx, { id, reminders: 'off' }) }
const moved: Changing = {
  whenLocked,
  change: (ctx, id) => updateContract(ctx, { id, renewalDate: toDay('2026-03-17') }, SEEN),
}
const ended: Changing = { whenLocked, change: (ctx, id) => updateContract(ctx, { id, status: 'cancelled' }, SEEN) }

test.each([
  ['muted', muted],
  ['moved', moved],
  ['ended', ended],
])('reminders about a contract are planned while it is being %s', async (_, change) => {
  const contract = await aRemindedContract()
  expect(await changedDuring(contract, change, contract.plan)).toBe('done')
  expect(await ledgerOf(contract.request)).toContainEqual(expect.objectContaining({ recipient: 'customer' }))
})

test.each([
  ['muted', muted],
  ['ended', ended],
])('reminders about a contract are sent while it is being %s', async (_, change) => {
  const contract = await aRemindedContract()
  await contract.plan()
  const { request } = contract
  expect(await changedDuring(contract, change, () => sendReminders({ ...request, signal }))).toBe('done')
  expect(await ledgerOf(request)).toContainEqual(expect.objectContaining({ recipient: 'customer', state: 'sent' }))
  expect(await world.db.readAs(request.caller?.id ?? 0)(sql`select from answer_links`)).toHaveLength(1)
})

test('reminders about a contract are sent while its import is being undone', async () => {
  const contract = await aRemindedContract()
  await contract.plan()
  const { request, id } = contract
  const importId = await importOf(request, id)
  const undone: Changing = { change: (ctx) => undoImport(ctx, { id: importId }), whenLocked: /app\.trash/ }
  const sent = await changedDuring(contract, undone, () => sendReminders({ ...request, signal }))
  expect(sent).toBe('done')
  expect(await ledgerOf(request)).toContainEqual(expect.objectContaining({ recipient: 'customer', state: 'sent' }))
})

/** An import that the contract is of now. */
async function importOf({ db, caller }: RequestContext, id: number): Promise<number> {
  const accountId = caller?.id ?? 0
  const statement = sql`
    with i as (
      insert into imports (account_id, kind, file_name, sha256, headings, rows, finished_at)
      values (${accountId}, 'contracts', 'a.csv', '', '[]', 1, now()) returning id)
    update contracts set import_id = i.id, edited_at = null from i
    where contracts.account_id = ${accountId} and contracts.id = ${id} returning i.id`
  const [file] = await db.writeAs(accountId, (_em, write) => write(statement, z.object({ id: z.int() })))
  return file?.id ?? 0
}
