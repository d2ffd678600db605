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
import { replanning } from '#server/reminders/replan.ts'
import { AccountEntity } from './account.entity.ts'
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
  // An earlier account of the same address may have had the trial, also one whose new address nobody has asked for yet;
  // where its mail was paused, that of this one is, and whose readers wanted none still want none.
  await system.query(
    `with opened as (
        insert into accounts (clerk_user_id, email, name, trial_used_at, former_hash)
        select $1, $2, $3, min(had.at), (select email_hash from kept_closures where email_hash = trial_hash($2) limit 1)
        from (
          select used_at as at from spent_trials where email_hash = trial_hash($2)
          union all select trial_used_at from accounts where trial_hash(email) = trial_hash($2) and $2 <> ''
        ) had
        on conflict (clerk_user_id) do nothing returning id),
      kept as (
        delete from kept_mail_stops where email_hash = trial_hash($2) and exists (select from opened)
        returning stopped_at, complaints, mails)
      insert into mail_stops (account_id, stopped_at, complaints, mails)
      select opened.id, kept.stopped_at, kept.complaints, kept.mails from opened, kept`,
    [clerkUserId, person.email, person.name],
  )
  return findCaller(system, clerkUserId)
}

/**
 * Takes over the address and the name that the person has with the identity provider by now; true where one was another.
 * A trial that was had under the former address stays spent for it. @throws IDENTITY_UNAVAILABLE
 */
export async function followPerson(system: System, clerk: ClerkClient, caller: Caller): Promise<boolean> {
  const person = await personOf(clerk, caller.clerkUserId)
  if (!person) return false
  const email = person.email || caller.email
  if (email === caller.email && person.name === caller.name) return false
  await system.query(
    `with changed as (update accounts set email = $2, name = $4 where id = $1 returning trial_used_at)
      insert into spent_trials (email_hash, used_at)
      select trial_hash($3), trial_used_at from changed
      where trial_used_at is not null and $3 not in ('', $2) on conflict do nothing`,
    [caller.id, email, caller.email, person.name],
  )
  return true
}

const VIEWED = columnsOf(AccountEntity, 'a', ['email', 'timeZone'])
const AccountView = z.object(VIEWED.fields)
/** The time zone is null before any browser has told. */
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

/** Takes the browser's time zone (IANA name) where none was chosen yet; an unknown name is let go. @throws NOT_SIGNED_IN */
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

/** Undefined for somebody whom the identity provider does not know. */
async function personOf(clerk: ClerkClient, clerkUserId: string): Promise<Pick<Caller, 'email' | 'name'> | undefined> {
  try {
    const { primaryEmailAddress, fullName } = await clerk.users.getUser(clerkUserId)
    return { email: primaryEmailAddress?.emailAddress ?? '', name: fullName ?? '' }
  } catch (error) {
    if (isClerkAPIResponseError(error) && error.status === 404) return undefined
    throw new AppError('IDENTITY_UNAVAILABLE', { cause: error })
  }
}
