import { isClerkAPIResponseError } from '@clerk/backend/errors'
import type { ClerkClient } from '@clerk/fastify'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isTimeZone } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import type { AdoptTimeZone, SetTimeZone } from '#shared/schemas/accounts.ts'
import type { AccountContext, Caller } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { readRows } from '#server/db/rows.ts'
import type { System } from '#server/db/system.ts'
import { isUnknownValue } from '#server/db/violations.ts'
import { replanning } from '#server/ledger/schedule.ts'
import { AccountEntity } from './account.entity.ts'
import { KEPT_AFTER_DELETION } from './kept-after-deletion.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from './subscription.rows.ts'

const CALLER = sql`
  select a.id, a.clerk_user_id as "clerkUserId", a.email, a.name, coalesce(a.time_zone, 'UTC') as "timeZone",
    a.stripe_customer_id as "stripeCustomerId", ${SUBSCRIPTION_JSON} as subscription
  from accounts a left join subscriptions s on s.account_id = a.id`

const CallerRow = z.object({
  id: z.int(),
  clerkUserId: z.string(),
  email: z.string(),
  name: z.string(),
  timeZone: z.string(),
  stripeCustomerId: z.string().nullable(),
  subscription: SubscriptionField,
})

/** The account of a Clerk user; undefined before their first request, and while it is being deleted. */
export async function findCaller(system: System, clerkUserId: string): Promise<Caller | undefined> {
  const statement = sql`${CALLER} where a.clerk_user_id = ${clerkUserId} and a.deleting_at is null`
  const [caller] = await readRows(system, statement, CallerRow)
  return caller
}

/** Makes the account on a Clerk user's first request; any number of first requests at once make one. */
export async function openAccount(
  system: System,
  clerk: ClerkClient,
  clerkUserId: string,
): Promise<Caller | undefined> {
  const person = await personOf(clerk, clerkUserId)
  if (!person) return undefined
  // Another account of the same mailbox, deleted or not, may have had the trial, also one whose new address nobody has asked
  // for yet; where its mail is paused, that of this one is, and whose readers want none still want none.
  const { text, values } = sql`
    with past as (select unnest(trial_hashes(${person.email}::text)) as hash),
    living as (
      select id, email, trial_used_at from accounts
      where trial_hash(email) = trial_hash(${person.email}) and email <> '' and clerk_user_id <> ${clerkUserId}),
    living_readers as (
      insert into kept_closures (email_hash, mailbox_hash, reason, closed_at)
      select trial_hash(l.email), kept_mailbox(trial_hash(l.email), c.mailbox), c.reason, c.closed_at
      from living l join closed_addresses c on c.account_id = l.id
      on conflict do nothing returning email_hash),
    opened as (
      insert into accounts (clerk_user_id, email, name, trial_used_at, former_hashes)
      select ${clerkUserId}, ${person.email}, ${person.name},
        (select min(had.at) from (
          select used_at as at from spent_trials join past on past.hash = email_hash
          union all select trial_used_at from living) had),
        (select array_agg(distinct known.email_hash) from (
          select email_hash from kept_closures join past on past.hash = email_hash
          union all select email_hash from living_readers) known)
      on conflict (clerk_user_id) do nothing returning id),
    kept as (
      delete from kept_mail_stops where email_hash in (select hash from past) and exists (select from opened)
      returning stopped_at, complaints, mails)
    insert into mail_stops (account_id, stopped_at, complaints, mails)
    select opened.id, stop.stopped_at, stop.complaints, stop.mails from opened, (
      select * from kept
      union all select s.stopped_at, s.complaints, s.mails from living l join mail_stops s on s.account_id = l.id
        where s.lifted_at is null
      order by stopped_at limit 1) stop`
  await system.query({ text, values })
  return findCaller(system, clerkUserId)
}

/**
 * Takes over the address and the name that the person has with the identity provider by now; true where one was another.
 * What signing up with the former address is not to undo stays kept for it. @throws IDENTITY_UNAVAILABLE
 */
export async function followPerson(system: System, clerk: ClerkClient, caller: Caller): Promise<boolean> {
  const person = await personOf(clerk, caller.clerkUserId)
  if (!person) return false
  const email = person.email || caller.email
  if (email === caller.email && person.name === caller.name) return false
  const { text, values } = sql`
    with changed as (
      update accounts set email = ${email}, name = ${person.name} where id = ${caller.id} returning id, trial_used_at),
    former as (
      select id, ${caller.email}::text as email, trial_used_at from changed
      where trial_hash(${caller.email}) <> trial_hash(${email})),
    ${KEPT_AFTER_DELETION}
    select`
  await system.query({ text, values })
  return true
}

const VIEWED = columnsOf(AccountEntity, 'a', ['email', 'timeZone'])
const AccountView = z.object(VIEWED.fields)
/** The time zone is null until a browser has reported one. */
export type AccountView = z.output<typeof AccountView>

/** What TRAXX itself knows of the person; the rest is the identity provider's. */
export async function getAccount({ read, accountId }: AccountContext): Promise<AccountView> {
  const [account] = await read(sql`select ${VIEWED} from accounts a where a.id = ${accountId}`, AccountView)
  if (!account) throw new AppError('NOT_SIGNED_IN')
  return account
}

/** From here on days begin and end where this time zone has them. @throws TIME_ZONE_UNKNOWN, NOT_SIGNED_IN */
export async function setTimeZone(ctx: AccountContext, { timeZone }: SetTimeZone): Promise<void> {
  const isSet = await storeTimeZone(ctx, timeZone, sql`${timeZone}`)
  if (!isSet) throw new AppError('TIME_ZONE_UNKNOWN')
}

/** Takes the browser's time zone (IANA name) where none was chosen yet; an unknown name is ignored. @throws NOT_SIGNED_IN */
export async function adoptTimeZone(ctx: AccountContext, { timeZone }: AdoptTimeZone): Promise<void> {
  if (!isTimeZone(timeZone)) return
  await storeTimeZone(ctx, timeZone, sql`coalesce(known.time_zone, ${timeZone})`)
}

/** False where the database, whose zones may be older than ours, does not know it: it could plan nothing there. */
async function storeTimeZone({ db, services, callers, caller }: AccountContext, timeZone: string, value: Sql) {
  const { text, values } = sql`
    with known as (
      select id, time_zone from accounts where id = ${caller.id} and deleting_at is null for update),
    stored as (
      update accounts a set time_zone = ${value} from known
      where a.id = known.id and now() at time zone ${timeZone} is not null
      returning a.id, a.time_zone is distinct from known.time_zone as is_another),
    replanned as (${replanning(sql`select id from stored where is_another`, services.now())})
    select from stored`
  try {
    const { rowCount } = await db.system.query({ text, values })
    if (rowCount === 0) throw new AppError('NOT_SIGNED_IN')
  } catch (error) {
    if (isUnknownValue(error)) return false
    throw error
  }
  callers.forget(caller.clerkUserId)
  return true
}

/** Undefined if the identity provider does not know the user. */
/** Of their primary email address only if they have proved that it is theirs: mail goes there, with texts of theirs. */
async function personOf(clerk: ClerkClient, clerkUserId: string): Promise<Pick<Caller, 'email' | 'name'> | undefined> {
  try {
    const { primaryEmailAddress: address, fullName } = await clerk.users.getUser(clerkUserId)
    const isProved = address?.verification?.status === 'verified'
    return { email: isProved ? address.emailAddress : '', name: fullName ?? '' }
  } catch (error) {
    if (isClerkAPIResponseError(error) && error.status === 404) return undefined
    throw new AppError('IDENTITY_UNAVAILABLE', { cause: error })
  }
}
