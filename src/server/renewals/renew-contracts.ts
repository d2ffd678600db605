import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { accessOf } from '#shared/domain/access.ts'
import { addDays, dayIn, type Day } from '#shared/domain/day.ts'
import { byItself, termStartOf } from '#shared/domain/renewal.ts'
import type { JobContext, Services } from '#server/context.ts'
import { carriedOut, DECIDED, DecidedContract } from '#server/contracts/decisions.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { contractsOf } from '#server/contracts/contract.rows.ts'
import { RenewalSettingsEntity } from '#server/contracts/renewal-settings.entity.ts'
import { lockRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { AccountStatement, WriteEach } from '#server/db/database.ts'
import { readRows } from '#server/db/rows.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from '#server/identity/subscription.rows.ts'
import { planningOfNew } from '#server/ledger/schedule.ts'
import { chunksOf, inParallel } from '#server/limits/in-parallel.ts'
import { notificationsAdded } from '#server/notifications/notify.ts'
import { confirmRenewals, type RenewedIn } from './confirm-renewals.ts'
import { noteDone, notificationsOf, quietNight, type Done, type Night } from './night.ts'

/** Accounts per transaction: more would block their owners' writes for longer. */
const TOGETHER = 20
const AT_ONCE = 2
const ACCOUNTS_A_PAGE = 1000
const CONTRACTS_AT_ONCE = 500
/** Days begin up to 14 hours earlier than in UTC. */
const EARLIEST_ZONE_MS = 14 * 3_600_000

/**
 * Carries out what happens to contracts at the start of their account's day: renewals, expiries, and ends. Each happens
 * once, whatever crashes, as a contract and its term change in one transaction.
 */
export async function renewContracts(ctx: JobContext): Promise<void> {
  let after = 0
  for (;;) {
    const due = ctx.signal.aborted ? [] : await dueAccounts(ctx, after)
    await inParallel(chunksOf(due, TOGETHER), { most: AT_ONCE }, (group) => actInGroup(ctx, group))
    const last = due.at(-1)
    if (last === undefined || due.length < ACCOUNTS_A_PAGE) return
    after = last
  }
}

const IdRow = z.object({ id: z.int() })

/** Accounts in which something happens today, by their own calendars. */
async function dueAccounts({ db, services }: JobContext, after: number): Promise<number[]> {
  const now = services.now()
  const latestToday = dayIn(new Date(now.getTime() + EARLIEST_ZONE_MS), 'UTC')
  const today = sql`(${now}::timestamptz at time zone coalesce(a.time_zone, 'UTC'))::date`
  const statement = sql`
    select account_id as id from (
      select k.account_id from contracts k join accounts a on a.id = k.account_id
        where k.acts_on <= ${latestToday} and k.acts_on <= ${today} and k.${NOT_DELETED}
      union select s.account_id from renewal_settings s join accounts a on a.id = s.account_id
        where s.end_overdue_after_days is not null and (s.ended_through is null or s.ended_through <> ${today})) due
    where account_id > ${after} order by account_id limit ${raw(String(ACCOUNTS_A_PAGE))}`
  const rows = await readRows(db.system, statement, IdRow)
  return rows.map(({ id }) => id)
}

/** If it fails for one account, the others are carried out without it. */
async function actInGroup(ctx: JobContext, group: number[]): Promise<void> {
  if (ctx.signal.aborted) return
  try {
    await actIn(ctx, group)
  } catch (error) {
    const [accountId] = group
    if (group.length > 1) for (const one of group) await actInGroup(ctx, [one])
    else ctx.log.error({ err: error, accountId }, 'the contracts of an account could not be renewed')
  }
}

interface Run {
  accountId: number
  now: Date
  today: Day
  timeZone: string
  services: Services
  endOverdueAfterDays: number | null
  /** Whether customers are told of renewals. */
  confirmRenewals: boolean
  /** What has happened so far. */
  night: Night
}

/** Carries out, in one transaction, what is due in these accounts, as far as their subscriptions let them write. */
async function actIn({ db, services }: JobContext, accountIds: readonly number[]): Promise<void> {
  await db.writeTogether(async (write) => {
    const now = services.now()
    // So that a save waits: otherwise `ended_through` would be set over it, and emails that it turns off would be planned.
    await write(accountIds.map((accountId) => ({ accountId, statement: lockRenewalSettings(accountId) })))
    const asked = accountIds.map((accountId) => ({ accountId, statement: accountOf(accountId) }))
    const accounts = await write(asked, AccountRow)
    const runs = accountIds.flatMap((accountId, index): Run[] =>
      (accounts[index] ?? [])
        .filter(({ subscription }) => accessOf(subscription, services.billingNow()) === 'full')
        .map(({ timeZone, endOverdueAfterDays, confirmRenewals }) => {
          return {
            accountId,
            now,
            today: dayIn(now, timeZone),
            timeZone,
            services,
            endOverdueAfterDays,
            confirmRenewals,
            night: quietNight(),
          }
        }),
    )
    for (let left = runs; left.length > 0;) left = await actOnSome(write, left)
    await write(runs.flatMap((run) => [...nightTold(run), endedThrough(run)]))
  })
}

const SETTINGS = columnsOf(RenewalSettingsEntity, 's', ['endOverdueAfterDays'])
const AccountRow = z.object({
  ...SETTINGS.fields,
  timeZone: z.string(),
  confirmRenewals: z.boolean(),
  subscription: SubscriptionField,
})

function accountOf(accountId: number): Sql {
  return sql`
    select coalesce(a.time_zone, 'UTC') as "timeZone", ${SETTINGS},
      coalesce(s.confirm_renewals, false) as "confirmRenewals",
      (select ${SUBSCRIPTION_JSON} from subscriptions s where s.account_id = a.id) as subscription
    from accounts a left join renewal_settings s on s.account_id = a.id
    where a.id = ${accountId} and a.deleting_at is null`
}

const TITLE = columnsOf(ContractEntity, 'k', ['title'])
const DueContract = DecidedContract.extend({ ...TITLE.fields, customerName: z.string() })
type DueContract = z.output<typeof DueContract>

/** Carries out some of what is due; returns the runs that may have more. */
async function actOnSome(write: WriteEach, runs: Run[]): Promise<Run[]> {
  const found = await write(
    runs.map((run) => ({ accountId: run.accountId, statement: dueContracts(run) })),
    DueContract,
  )
  const acted = runs.map((run, index) => ({ run, decisions: decisionsOf(run, found[index] ?? []) }))
  await carryOut(write, acted)
  return acted.filter(({ decisions }) => decisions.length === CONTRACTS_AT_ONCE).map(({ run }) => run)
}

function dueContracts({ accountId, today, endOverdueAfterDays }: Run): Sql {
  const overdue = sql`
    union all select id from contracts
    where account_id = ${accountId} and ${NOT_DELETED} and status = 'active' and renews = 'by_agreement' and ends_on is null
      and held_renewal_date is distinct from renewal_date
      and renewal_date <= ${addDays(today, -(endOverdueAfterDays ?? 0))}`
  return sql`
    select ${DECIDED}, ${TITLE},
      (select c.name from customers c where c.account_id = k.account_id and c.id = k.customer_id) as "customerName"
    ${contractsOf(accountId)} and k.id in (
      select id from contracts where account_id = ${accountId} and ${NOT_DELETED} and acts_on <= ${today}
      ${endOverdueAfterDays === null ? empty : overdue} order by id limit ${CONTRACTS_AT_ONCE})
    order by k.id for no key update of k`
}

function decisionsOf({ now, today, endOverdueAfterDays }: Run, contracts: readonly DueContract[]): Done[] {
  return contracts.flatMap(({ customerName, title, ...before }): Done[] => {
    const done = byItself(before, today, endOverdueAfterDays)
    if (!done) return []
    // Reminders about a contract that has just been imported start a day later.
    const remindersSince = before.remindersSince > now ? before.remindersSince : now
    const after = done.act === 'renew' ? { ...done.contract, remindersSince } : done.contract
    const isContinued = done.act === 'end' && before.endsOn !== null
    return [{ act: done.act, before, after, closed: done.closed, isContinued, customerName, title }]
  })
}

interface Acted {
  run: Run
  decisions: readonly Done[]
}

/** In one round trip, unless customers are told of renewals: their owners are told how many. */
async function carryOut(write: WriteEach, acted: readonly Acted[]): Promise<void> {
  const some = acted.filter(({ decisions }) => decisions.length > 0)
  const confirming = some.filter(({ run }) => run.confirmRenewals)
  const others = some.filter(({ run }) => !run.confirmRenewals)
  for (const { run, decisions } of others) noteDone(run.night, decisions, NOBODY)
  await write([...some.map(decided), ...others.map(planned)])
  if (confirming.length === 0) return
  const told = await confirmRenewals(write, confirming.map(renewedIn))
  for (const [index, { run, decisions }] of confirming.entries()) noteDone(run.night, decisions, told[index] ?? NOBODY)
  await write(confirming.map(planned))
}

const NOBODY: ReadonlySet<number> = new Set()

function decided({ run, decisions }: Acted): AccountStatement {
  return { accountId: run.accountId, statement: carriedOut(decisions, run, sql`select from k`) }
}

/**
 * Renewals of which the customers are told: those of today, or of a night in which nothing ran. One that was made up
 * later, or follows from an import of the same day, has been shown to nobody.
 */
function renewedIn({ run: { accountId, now, today, timeZone }, decisions }: Acted): RenewedIn {
  const told = decisions.filter(
    ({ act, before, after }) =>
      act === 'renew' && termStartOf(after) >= addDays(today, -1) && dayIn(before.remindersSince, timeZone) <= today,
  )
  return { accountId, now, today, ids: told.map(({ after }) => after.id) }
}

/** Has the reminders about the contracts planned. */
function planned({ run, decisions }: Acted): AccountStatement {
  const statement = planningOfNew(
    run,
    decisions.map(({ after }) => after),
  )
  return { accountId: run.accountId, statement }
}

function nightTold(run: Run): AccountStatement[] {
  const notifications = notificationsOf(run.night)
  if (notifications.length === 0) return []
  return [{ accountId: run.accountId, statement: notificationsAdded(notifications, run) }]
}

function endedThrough({ accountId, today }: Run): AccountStatement {
  return {
    accountId,
    statement: sql`update renewal_settings set ended_through = ${today} where account_id = ${accountId}`,
  }
}
