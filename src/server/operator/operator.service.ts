import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { COMPLAINT_DAYS } from '#shared/domain/complaint-rate.ts'
import { AppError } from '#shared/errors.ts'
import type { RequestContext, SystemContext } from '#server/context.ts'
import { instant } from '#server/db/columns.ts'
import type { Database } from '#server/db/database.ts'
import { readRows } from '#server/db/rows.ts'
import { getMailLimits } from '#server/deliverability/mail-limits.service.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from '#server/identity/subscription.rows.ts'
import { resumeHeldUp } from '#server/ledger/requests.ts'
import { jobRuns, messageCounts } from '#server/reminders/reminder-runs.service.ts'

const MOST_ROWS = 50

const AccountRow = z.object({
  id: z.int(),
  email: z.string(),
  createdAt: instant,
  suspendedAt: instant.nullable(),
  suspensionReason: z.string().nullable(),
  mailStoppedAt: instant.nullable(),
  subscription: SubscriptionField,
})
const ReceptionRow = z.object({
  id: z.int(),
  email: z.string(),
  mails: z.int(),
  bounced: z.int(),
  complaints: z.int(),
})

/** An account as the operator sees it: nothing of its customers and contracts. */
export type OperatedAccount = z.output<typeof AccountRow>

/** How the customers of an account received its emails of the last 30 days. */
export type Reception = z.output<typeof ReceptionRow>

const ACCOUNTS = sql`
  select a.id, a.email, a.created_at as "createdAt", a.suspended_at as "suspendedAt",
    a.suspension_reason as "suspensionReason", ${SUBSCRIPTION_JSON} as subscription,
    (select stopped_at from mail_stops m where m.account_id = a.id and m.lifted_at is null) as "mailStoppedAt"
  from accounts a left join subscriptions s on s.account_id = a.id`

type System = Pick<Database, 'system'>

/** How the service stands: its jobs, the messages of the last day, and the accounts that need a look. Instants are UTC. */
export async function getOverview({ system }: System, now: Date) {
  const held = sql`
    ${ACCOUNTS} where a.suspended_at is not null
      or exists (select from mail_stops m where m.account_id = a.id and m.lifted_at is null)
    order by a.id limit ${MOST_ROWS}`
  return {
    jobs: await jobRuns({ system }),
    messages: await messageCounts({ system }),
    held: await readRows(system, held, AccountRow),
    reception: await worstReceived(system, now),
  }
}

/** The accounts with the most bounces and complaints, by their share of the emails. */
async function worstReceived(system: Database['system'], now: Date): Promise<Reception[]> {
  const since = new Date(now.getTime() - COMPLAINT_DAYS * 86_400_000)
  const statement = sql`
    select a.id, a.email, r.mails, r.bounced, r.complaints
    from mail_reception(${since}) r join accounts a on a.id = r.account_id
    where r.bounced + r.complaints > 0
    order by (r.bounced + 10 * r.complaints)::float8 / nullif(r.mails, 0) desc nulls last, a.id limit ${MOST_ROWS}`
  return readRows(system, statement, ReceptionRow)
}

/** The accounts of this ID, or whose owner's address has this part; the newest first, at most 50. */
export async function findAccounts({ system }: System, search: string): Promise<OperatedAccount[]> {
  const statement = sql`
    ${ACCOUNTS} where a.deleting_at is null and (a.id::text = ${search} or position(lower(${search}) in lower(a.email)) > 0)
    order by a.id desc limit ${MOST_ROWS}`
  return readRows(system, statement, AccountRow)
}

const HoldingsRow = z.object({ customers: z.int(), contracts: z.int(), pdfs: z.int(), pdfBytes: z.number() })
const StateRow = z.object({ state: z.string(), count: z.int() })

/** An account, how much it stores, and what became of its messages in 30 days. @throws ACCOUNT_NOT_FOUND */
export async function getOperatedAccount({ db, services }: SystemContext, id: number) {
  const [account] = await readRows(db.system, sql`${ACCOUNTS} where a.id = ${id} and a.deleting_at is null`, AccountRow)
  if (!account) throw new AppError('ACCOUNT_NOT_FOUND')
  const now = services.now()
  const read = db.readAs(id)
  const holdings = sql`
    select (select count(*)::int from customers where account_id = ${id}) as customers,
      count(*)::int as contracts, count(pdf_path)::int as pdfs, coalesce(sum(pdf_bytes), 0)::float8 as "pdfBytes"
    from contracts where account_id = ${id}`
  const states = sql`
    select state, count(*)::int as count from reminders
    where account_id = ${id} and recipient = 'customer' and channel = 'email'
      and due_on > ${now}::timestamptz - make_interval(days => ${COMPLAINT_DAYS})
    group by state order by state`
  const [[held], messages, { sentToday, limit }] = await Promise.all([
    read(holdings, HoldingsRow),
    read(states, StateRow),
    getMailLimits({ read, accountId: id, services }),
  ])
  return {
    ...account,
    holdings: held ?? { customers: 0, contracts: 0, pdfs: 0, pdfBytes: 0 },
    messages,
    mail: { sentToday, limit },
    storage: services.storage.quotas,
  }
}

/**
 * Suspends an account, or changes the reason. It can still be read and exported, but nothing in it can be changed, and its
 * customers get no mail: its mail is paused as after complaints, which a new account of the same owner inherits. @throws
 * ACCOUNT_NOT_FOUND
 */
export async function suspendAccount(
  { db, callers }: Pick<RequestContext, 'db' | 'callers'>,
  id: number,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  // Nobody is emailed of this pause, as nobody has complained.
  const statement = sql`
    with changed as (
      update accounts set suspended_at = ${now}, suspension_reason = ${reason} where ${isThere(id)} returning id)
    insert into mail_stops (account_id, stopped_at, complaints, mails, told_at) select id, ${now}, 0, 0, ${now} from changed
    on conflict (account_id) where lifted_at is null do nothing`
  callers.forget(await changeAccount(db, id, statement))
}

/**
 * Ends a suspension. Messages that waited are sent, if it is not too late for them, and mail is not also paused because of
 * complaints. @throws ACCOUNT_NOT_FOUND
 */
export async function endSuspension(
  { db, callers }: Pick<RequestContext, 'db' | 'callers'>,
  id: number,
  now: Date,
): Promise<void> {
  const statement = sql`
    with changed as (
      update accounts set suspended_at = null, suspension_reason = null where ${isThere(id)} returning id)
    update mail_stops m set lifted_at = ${now}, lift_logged_at = ${now} from changed
    where m.account_id = changed.id and m.lifted_at is null and m.complaints = 0`
  callers.forget(await changeAccount(db, id, statement))
  // Another transaction, of the account's own role: without it, messages that were held are tried again within an hour.
  await db.writeAs(id, (_em, write) => resumeHeldUp(write, { accountId: id, now }))
}

function isThere(id: number): Sql {
  return sql`id = ${id} and deleting_at is null`
}

const OwnerRow = z.object({ clerkUserId: z.string() })

/**
 * Changes an account, and returns whose it is, by the ID at Clerk. In two statements: a change that is just being stored is
 * committed before the account can be locked, and only then seen. As the system role: a row that moves to another page goes
 * into each index again, and the index on `trial_hash(email)` calls a function that an account's role may not.
 */
async function changeAccount({ system }: System, id: number, change: Sql): Promise<string> {
  await system.transaction([sql`select from accounts where ${isThere(id)} for no key update`, change])
  const owned = sql`select clerk_user_id as "clerkUserId" from accounts where ${isThere(id)}`
  const [owner] = await readRows(system, owned, OwnerRow)
  if (!owner) throw new AppError('ACCOUNT_NOT_FOUND')
  return owner.clerkUserId
}
