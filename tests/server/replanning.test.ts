import sql from 'sql-template-tag'
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { addDays, toDay, type Day } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { requireAccount, type RequestContext } from '#server/context.ts'
import { adoptTimeZone, setTimeZone } from '#server/identity/accounts.service.ts'
import { loadSample } from '#server/imports/sample.service.ts'
import { muteContract } from '#server/reminders/contract-reminders.service.ts'
import { instant } from '#server/db/columns.ts'
import { readRows } from '#server/db/rows.ts'
import { useApp } from '#support/app.ts'
import { archiveOf, callerOf, importArchive } from '#support/archives.ts'
import { CONTRACT_HEAD, useImports } from '#support/imports.ts'
import { NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, TODAY, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const { importContracts } = useImports(server)

const [NEAR, FAR] = [toDay('2026-03-24'), toDay('2026-09-24')]
const LATER = new Date('2030-01-01T00:00:00Z')
const IN_FIVE_MINUTES = new Date(NOON.getTime() + 5 * 60_000)

/** A statement, or a use of the entity, that can change what reminders depend on, and what has them planned. */
const WRITES: Record<string, string[]> = {
  // Planned by planningOfNew; by remindersStartOver and planSoon.
  'src/server/contracts/contracts.service.ts': ['insert into contracts', 'em.findOne(ContractEntity'],
  // planningOfNew, by renewals.service.ts and the job
  'src/server/contracts/decisions.ts': ['update contracts k set status'],
  // planningOfNew: it is reopened at once.
  'src/server/contracts/renewals.service.ts': ['update contracts set muted_renewal_date'],
  // Nothing: reminders go by the renewal date, which the price of the next term does not move.
  'src/server/bulk/run-bulk-changes.ts': [
    'update contracts k set next_amount_cents',
    'update contracts k set next_amount_cents',
  ],
  // planNoticesSoon: a rule about notices may depend on tags.
  'src/server/bulk/tag-contracts.ts': ['update contracts k set tags', 'update contracts k set tags'],
  // Deleting skips what is planned; planSoon after restoring.
  'src/server/contracts/contract.trash.ts': ['update contracts k set deleted_at', 'update contracts set deleted_at'],
  // planningOfNew
  'src/server/imports/insert-rows.ts': ['insert into contracts'],
  // planSoon, by updateContracts and by undoUpdates
  'src/server/imports/update-contracts.ts': ['update contracts k set amount_cents'],
  // Nothing: it only says that an imported contract is unedited again.
  'src/server/imports/undo-updates.ts': ['update contracts set edited_at'],
  'src/server/imports/sample.service.ts': ['em.create(ContractEntity'],
  // replan
  'src/server/reminders/contract-reminders.service.ts': ['em.findOne(ContractEntity'],
  // Nothing: a file says nothing of reminders.
  'src/server/files/files.service.ts': ['em.findOne(ContractEntity'],
  // Nothing: it clears a bounce of the owner's address alone.
  'src/server/deliverability/bounces.service.ts': ['em.findOneOrFail(AccountEntity'],
  // Nothing: what today would bring has been made up already.
  'standins/demo/demo-records.ts': ['em.getReference(ContractEntity'],
  // replanning; a new account has no time zone, and nothing to plan.
  'src/server/identity/accounts.service.ts': ['insert into accounts', 'set time_zone'],
}
const A_WRITE =
  /(insert\s+into|merge\s+into|copy)\s+(contracts|accounts)\b|update\s+(only\s+)?contracts\b[^`]*?set\s+\w+|em\s*\.\w+\(\s*(Contract|Account)Entity|set\s+time_zone/gi

test('whoever writes contracts or time zones is known here, and what has reminders planned then', () => {
  const files = globSync('{src/server,standins}/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const found = files.flatMap((file) => {
    const writes = readFileSync(file, 'utf8').match(A_WRITE) ?? []
    return writes.length > 0 ? [[file, writes.map((write) => write.replaceAll(/\s+/g, ' '))]] : []
  })
  expect(Object.fromEntries(found)).toEqual(WRITES)
})

/** When the account is planned next. */
async function nextPlan({ caller }: RequestContext): Promise<Date | undefined> {
  const statement = sql`select next_plan_at as at from reminder_schedules where account_id = ${caller?.id ?? 0}`
  const [schedule] = await readRows(world.db.system, statement, z.object({ at: instant }))
  return schedule?.at
}

/** An account with a contract, which would be planned much later; its other contracts are written by the test. */
async function aPlannedAccount(renewalDate: Day) {
  const request = await anAccount(world)
  const customer = await aCustomer(request, { customerNumber: 'C-1' })
  const { id } = await aContract(request, { customerId: customer.id, renewalDate })
  await world.db.system.query('update reminder_schedules set next_plan_at = $1', [LATER])
  return { request, id, customerId: customer.id }
}

async function sinceOf({ caller }: RequestContext, id: number): Promise<Date | undefined> {
  const [row] = await world.db.writeAs(caller?.id ?? 0, (em) =>
    em.execute<{ since: string }[]>('select reminders_since as since from contracts where id = ?', [id]),
  )
  return row && new Date(row.since)
}

describe('an account is planned in five minutes', () => {
  test('after a contract is created whose renewal date is near, and no sooner than it would be otherwise', async () => {
    const { request, customerId } = await aPlannedAccount(FAR)
    await aContract(request, { customerId, renewalDate: FAR })
    await aContract(request, { customerId, renewalDate: NEAR, status: 'expired' })
    expect(await nextPlan(request)).toEqual(LATER)
    await aContract(request, { customerId, renewalDate: NEAR })
    expect(await nextPlan(request)).toEqual(IN_FIVE_MINUTES)
    await world.db.system.query('update reminder_schedules set next_plan_at = $1', [NOON])
    await aContract(request, { customerId, renewalDate: NEAR })
    expect(await nextPlan(request)).toEqual(NOON)
  })

  test('after its first contract, whenever that renews', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { renewalDate: FAR })
    expect(await nextPlan(request)).toEqual(IN_FIVE_MINUTES)
    expect(await sinceOf(request, id)).toEqual(NOON)
  })

  test.each([
    ['renewal date', FAR, { renewalDate: NEAR }],
    ['status', NEAR, { status: 'pending' }],
    ['amount', NEAR, { amount: centsFromAmount(7) }],
  ] as const)('after a change of the %s of a contract that renews soon', async (_field, renewalDate, changes) => {
    const { request, id } = await aPlannedAccount(renewalDate)
    await asSubscriber(request, (ctx) => updateContract(ctx, { id, ...changes }))
    expect(await nextPlan(request)).toEqual(IN_FIVE_MINUTES)
  })

  test('not after a change of one that does not, or is closed', async () => {
    const { request, id } = await aPlannedAccount(NEAR)
    await asSubscriber(request, (ctx) => updateContract(ctx, { id, status: 'cancelled' }))
    await asSubscriber(request, (ctx) => updateContract(ctx, { id, status: 'active', renewalDate: FAR }))
    expect(await nextPlan(request)).toEqual(LATER)
  })

  test('after an import that brings one', async () => {
    const { request } = await aPlannedAccount(FAR)
    const line = (renewalDate: Day) => `${CONTRACT_HEAD}\nC-1,10,2026-01-01,monthly,${renewalDate},active`
    const answer = async (renewalDate: Day) => importContracts(request, line(renewalDate)).then(({ body }) => body)
    expect(await answer(FAR)).toMatchObject({ created: 1 })
    expect(await nextPlan(request)).toEqual(LATER)
    expect(await answer(addDays(TODAY, 7))).toMatchObject({ created: 1 })
    expect(await nextPlan(request)).toEqual(IN_FIVE_MINUTES)
  })

  test('after the sample data are loaded', async () => {
    const request = await anAccount(world)
    await asSubscriber(request, loadSample)
    expect(await nextPlan(request)).toEqual(IN_FIVE_MINUTES)
  })
})

describe('an account is planned at once', () => {
  test('after an archive is imported, which brings settings as well', async () => {
    const { request } = await aPlannedAccount(NEAR)
    const archive = await archiveOf(server, request)
    const fresh = await anAccount(world)
    expect(await importArchive(server, fresh, archive)).toMatchObject({ status: 200 })
    expect(await nextPlan(fresh)).toEqual(NOON)
    const { id } = (await callerOf(fresh).contracts.list({})).rows[0] ?? { id: 0 }
    expect(await sinceOf(fresh, id)).toEqual(new Date('2026-03-11T12:00:00Z'))
  })

  test('after its customer is to be told of a renewal date, or is not', async () => {
    const { request, id } = await aPlannedAccount(FAR)
    await asSubscriber(request, (ctx) => muteContract(ctx, { id, reminders: 'off' }))
    expect(await nextPlan(request)).toEqual(NOON)
  })

  test('after its time zone has changed, and only then', async () => {
    const { request } = await aPlannedAccount(FAR)
    const account = requireAccount(request)
    await adoptTimeZone(account, { timeZone: 'Asia/Tokyo' })
    await setTimeZone(account, { timeZone: 'UTC' })
    expect(await nextPlan(request)).toEqual(LATER)
    await setTimeZone(account, { timeZone: 'Asia/Tokyo' })
    expect(await nextPlan(request)).toEqual(NOON)
  })
})
