import { isClerkAPIResponseError } from '@clerk/backend/errors'
import type { ClerkClient } from '@clerk/fastify'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isTimeZone } from '#shared/domain/day.ts'
import { mailboxOf } from '#shared/domain/mail-limits.ts'
import { AppError } from '#shared/errors.ts'
import type { AdoptTimeZone, SetTimeZone } from '#shared/schemas/accounts.ts'
import { refuseApiKey, type AccountContext, type Caller, type Services } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Database } from '#server/db/database.ts'
import { readRows } from '#server/db/rows.ts'
import type { System } from '#server/db/connections/system.ts'
import { isUnknownValue } from '#server/db/violations.ts'
import { resumeHeldUp } from '#server/ledger/requests.ts'
import { replanning } from '#server/ledger/schedule.ts'
import { AccountEntity } from './account.entity.ts'
import { KEPT_AFTER_DELETION } from './kept-after-deletion.ts'
import { withMailboxPast } from './mailbox-past.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from './subscription.rows.ts'

const CALLER = sql`
  select a.id, a.clerk_user_id as "clerkUserId", a.email, a.name, coalesce(a.time_zone, 'UTC') as "timeZone",
    a.stripe_customer_id as "stripeCustomerId", a.suspended_at is not null as "isSuspended", ${SUBSCRIPTION_JSON} as subscription
  from accounts a left join subscriptions s on s.account_id = a.id`

const CallerRow = z.object({
  id: z.int(),
  clerkUserId: z.string(),
  email: z.string(),
  name: z.string(),
  timeZone: z.string(),
  stripeCustomerId: z.string().nullable(),
  isSuspended: z.boolean(),
  subscription: SubscriptionField,
})

/** The account of a Clerk user; undefined before their first request, and while it is being deleted. */
export async function findCaller(system: System, clerkUserId: string): Promise<Caller | undefined> {
  const statement = sql`${CALLER} where a.clerk_user_id = ${clerkUserId} and a.deleting_at is null`
  const [caller] = await readRows(system, statement, CallerRow)
  return caller
}

/**
 * Makes the account on a Clerk user's first request; any number of first requests at once make one. Returns undefined
 * while their account is being deleted, and if Clerk does not know them. @throws IDENTITY_UNAVAILABLE
 */
export async function openAccount(
  system: System,
  clerk: ClerkClient,
  clerkUserId: string,
): Promise<Caller | undefined> {
  const { rowCount } = await system.query('select from accounts where clerk_user_id = $1 and deleting_at is not null', [
    clerkUserId,
  ])
  if (rowCount) return undefined
  const person = await personOf(clerk, clerkUserId)
  if (!person) return undefined
  const { email = '', name } = person
  const { text, values } = withMailboxPast(
    { email, clerkUserId },
    {
      account: sql`
        insert into accounts (clerk_user_id, email, name, trial_used_at, former_hashes)
        select ${clerkUserId}, ${email}, ${name}, trial_used_at, former_hashes from inherited
        on conflict (clerk_user_id) do nothing returning id`,
    },
  )
  await system.query({ text, values })
  return findCaller(system, clerkUserId)
}

/**
 * Updates the account's email and name from the identity provider; returns true if one has changed. A new mailbox brings
 * its own past (a used trial, a mail stop, closed addresses), and that of the former mailbox stays stored for it. Messages
 * that waited for a verified address become due.
 * @throws IDENTITY_UNAVAILABLE
 */
export async function updatePerson(
  db: Database,
  { clerk, now }: Pick<Services, 'clerk' | 'now'>,
  caller: Caller,
): Promise<boolean> {
  const person = await personOf(clerk, caller.clerkUserId)
  if (!person) return false
  const email = person.email ?? caller.email
  const { name } = person
  if (email === caller.email && name === caller.name) return false
  const isSameMailbox = mailboxOf(email) === mailboxOf(caller.email)
  const { text, values } = isSameMailbox
    ? sql`update accounts set email = ${email}, name = ${name} where id = ${caller.id}`
    : changingMailbox({ ...caller, email, name })
  await db.systemFor(caller.id).query({ text, values })
  if (caller.email === '') {
    await db.writeAs(caller.id, (_em, write) => resumeHeldUp(write, { accountId: caller.id, now: now() }))
  }
  return true
}

/** A used trial counts for all accounts of the mailbox (docs/decisions/0050). */
function changingMailbox({ id, clerkUserId, email, name }: Caller): Sql {
  const account = sql`
    update accounts a set email = ${email}, name = ${name}, trial_used_at = least(a.trial_used_at, b.trial_used_at),
      former_hashes = (
        select array_agg(distinct hash) from unnest(a.former_hashes || b.former_hashes) known (hash))
    from inherited b where a.id = ${id} returning a.id, a.trial_used_at`
  const others = sql`
    former as (
      select id, email, trial_used_at from accounts where id = ${id} and trial_hash(email) <> trial_hash(${email})),
    ${KEPT_AFTER_DELETION},
    spent as (
      update accounts o set trial_used_at = account.trial_used_at from account, existing
      where o.id = existing.id and o.trial_used_at is null and account.trial_used_at is not null)`
  return withMailboxPast({ email, clerkUserId }, { account, others })
}

const VIEWED = columnsOf(AccountEntity, 'a', ['email', 'timeZone'])
const AccountView = z.object(VIEWED.fields)
/** The time zone is null until a browser has reported one. */
export type AccountView = z.output<typeof AccountView>

/** What TRAXX stores about the person; the rest is with the identity provider. */
export async function getAccount({ read, accountId }: AccountContext): Promise<AccountView> {
  const [account] = await read(sql`select ${VIEWED} from accounts a where a.id = ${accountId}`, AccountView)
  if (!account) throw new AppError('NOT_SIGNED_IN')
  return account
}

/**
 * The same, after asking the identity provider: somebody who has just verified their address need not wait for it to count.
 * @throws IDENTITY_UNAVAILABLE, API_KEY_REFUSED, TOO_MANY_REQUESTS, NOT_SIGNED_IN
 */
export async function refreshAccount(ctx: AccountContext): Promise<AccountView> {
  refuseApiKey(ctx)
  await ctx.limits.take('identityCalls', ctx.accountId)
  await ctx.callers.refresh(ctx.caller)
  return getAccount(ctx)
}

/**
 * Sets the time zone by which the account's days begin and end.
 * @throws TIME_ZONE_UNKNOWN, ACCOUNT_BUSY, ACCOUNT_SUSPENDED, NOT_SIGNED_IN
 */
export async function setTimeZone(ctx: AccountContext, { timeZone }: SetTimeZone): Promise<void> {
  const outcome = await storeTimeZone(ctx, timeZone, sql`${timeZone}`)
  if (outcome === 'unknown') throw new AppError('TIME_ZONE_UNKNOWN')
  if (outcome === 'suspended') throw new AppError('ACCOUNT_SUSPENDED')
}

/**
 * Sets the browser's time zone (IANA name) if the account has none and is not suspended; an unknown name is ignored.
 * @throws NOT_SIGNED_IN
 */
export async function adoptTimeZone(ctx: AccountContext, { timeZone }: AdoptTimeZone): Promise<void> {
  if (!isTimeZone(timeZone)) return
  await storeTimeZone(ctx, timeZone, sql`coalesce(known.time_zone, ${timeZone})`)
}

const StoredZoneRow = z.object({ isSuspended: z.boolean() })

/** The zone is unknown if the database, whose list of zones may be older than ours, does not know it. */
async function storeTimeZone(
  { db, services, callers, caller }: AccountContext,
  timeZone: string,
  value: Sql,
): Promise<'set' | 'suspended' | 'unknown'> {
  const statement = sql`
    with known as (
      select id, time_zone, suspended_at is not null as is_suspended from accounts
      where id = ${caller.id} and deleting_at is null for no key update),
    stored as (
      update accounts a set time_zone = ${value} from known
      where a.id = known.id and not known.is_suspended and now() at time zone ${timeZone} is not null
      returning a.id, a.time_zone is distinct from known.time_zone as is_another),
    replanned as (${replanning(sql`select id from stored where is_another`, services.now())})
    select is_suspended as "isSuspended" from known`
  try {
    const [known] = await readRows(db.systemFor(caller.id), statement, StoredZoneRow)
    if (!known) throw new AppError('NOT_SIGNED_IN')
    if (known.isSuspended) return 'suspended'
  } catch (error) {
    if (isUnknownValue(error)) return 'unknown'
    throw error
  }
  callers.forget(caller.clerkUserId)
  return 'set'
}

interface Person {
  /** Their primary address: '' until they have verified it, undefined without one. */
  email: string | undefined
  name: string
}

/** Undefined if the identity provider does not know the user. @throws IDENTITY_UNAVAILABLE */
async function personOf(clerk: ClerkClient, clerkUserId: string): Promise<Person | undefined> {
  try {
    const { id, primaryEmailAddress: address, fullName } = await clerk.users.getUser(clerkUserId)
    // A proxy in between may answer with something else.
    if (id !== clerkUserId) throw new Error('Clerk did not answer with this person')
    const isVerified = address?.verification?.status === 'verified'
    const named = address?.emailAddress || undefined
    return { email: named && (isVerified ? named : ''), name: fullName ?? '' }
  } catch (error) {
    if (isClerkAPIResponseError(error) && error.status === 404) return undefined
    throw new AppError('IDENTITY_UNAVAILABLE', { cause: error })
  }
}
