import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import {
  DELETION_NOTICE_DAYS,
  ENDED_STATUSES,
  plannedDeletion,
  type PlannedDeletion,
} from '#shared/domain/account-retention.ts'
import { closeCheckouts, findCustomer } from '#server/billing/stripe.ts'
import { withSyncLock, type SyncContext } from '#server/billing/sync-subscription.ts'
import type { JobContext } from '#server/context.ts'
import { instant } from '#server/db/columns.ts'
import { readRows } from '#server/db/rows.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from '#server/identity/subscription.rows.ts'
import { mailFailureOf } from '#server/mail/mail-failure.ts'
import { sendLetter } from '#server/mail/mailer.ts'
import { logDeletion } from '#server/security/security-log.ts'
import { markForDeletion } from './delete-account.service.ts'
import { firstDeletionNotice, lastDeletionNotice } from './deletion-letters.ts'
import { finishDeletion } from './finish-deletion.ts'

const ACCOUNTS_AT_ONCE = 100
const DAY_MS = 86_400_000

/**
 * Emails owners whose access has ended, twice, that their account will be deleted, and then deletes it as they would
 * themselves. Decided by what Stripe says now; if Stripe does not respond, the account waits for the next run.
 */
export async function deleteEndedAccounts(ctx: JobContext): Promise<void> {
  let after = 0
  for (;;) {
    const ids = await nextAccounts(ctx, after)
    for (const id of ids) {
      if (ctx.signal.aborted) return
      await takeStep(ctx, id).catch((error: unknown) => {
        ctx.log.error({ err: error, accountId: id }, 'an account without access waits for its notice or deletion')
      })
    }
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** Accounts for which a step may be due. */
async function nextAccounts({ db, services }: JobContext, after: number): Promise<number[]> {
  const noticeDays = services.storage.keptDays.endedAccounts - DELETION_NOTICE_DAYS
  const endedBefore = new Date(services.billingNow().getTime() - noticeDays * DAY_MS)
  const statement = sql`
    select a.id from accounts a join subscriptions s on s.account_id = a.id
    where ${hasEnded()} and s.ended_at <= ${endedBefore} and a.id > ${after}
    order by a.id limit ${ACCOUNTS_AT_ONCE}`
  const rows = await readRows(db.system, statement, z.object({ id: z.int() }))
  return rows.map(({ id }) => id)
}

/** An account `a` with a subscription `s` that is over, and has opened the app once. */
function hasEnded(): Sql {
  return sql`a.deleting_at is null and s.status = any(${ENDED_STATUSES}) and s.ever_paid_or_trialed`
}

const AccountRow = z.object({
  id: z.int(),
  email: z.string(),
  timeZone: z.string(),
  customer: z.string().nullable(),
  firstAt: instant.nullable(),
  lastAt: instant.nullable(),
  subscription: SubscriptionField,
})
type Account = z.output<typeof AccountRow>

async function readAccount({ db }: JobContext, id: number): Promise<Account | undefined> {
  const statement = sql`
    select a.id, a.email, coalesce(a.time_zone, 'UTC') as "timeZone", a.stripe_customer_id as customer,
      a.first_deletion_notice_at as "firstAt", a.last_deletion_notice_at as "lastAt",
      ${SUBSCRIPTION_JSON} as subscription
    from accounts a join subscriptions s on s.account_id = a.id
    where a.id = ${id} and a.deleting_at is null`
  const [account] = await readRows(db.system, statement, AccountRow)
  return account
}

/** The step that is due for the account, as far as is known here; undefined if none is. */
function dueStep({ services }: JobContext, account: Account | undefined): PlannedDeletion | undefined {
  if (!account) return undefined
  const now = services.billingNow()
  const plan = plannedDeletion(account.subscription, account, {
    keptDays: services.storage.keptDays.endedAccounts,
    now,
  })
  return plan && plan.stepAt <= now ? plan : undefined
}

async function takeStep(ctx: JobContext, id: number): Promise<void> {
  const known = await readAccount(ctx, id)
  if (!known || !dueStep(ctx, known)) return
  const isMarked = await asStripeSays(ctx, known, async (sync) => {
    const account = await readAccount(ctx, id)
    const plan = dueStep(ctx, account)
    if (!account || !plan) return false
    if (plan.step !== 'deletion') return tell(ctx, account, plan)
    if (account.customer) await closeCheckoutsOf(ctx, account.customer)
    await sync()
    return mark(ctx, account, plan)
  })
  if (!isMarked) return
  logDeletion(ctx.log, { actor: 'job:delete-ended-accounts', account: id })
  await finishDeletion(ctx, id)
}

/** A customer deleted at Stripe has none. */
async function closeCheckoutsOf({ services: { stripe } }: JobContext, customer: string): Promise<void> {
  if (await findCustomer(stripe, customer)) await closeCheckouts(stripe, customer)
}

/** Runs `work` with Stripe's current state. No checkout can begin meanwhile: nobody may pay for an account that is being deleted. */
async function asStripeSays<T>(
  ctx: JobContext,
  { customer }: Account,
  work: (sync: () => Promise<void>) => Promise<T>,
) {
  if (!customer) return work(async () => {})
  // Other servers' cached callers expire within half a minute.
  const syncing: SyncContext = { ...ctx, callers: { forget: () => {} } }
  return withSyncLock(syncing, customer, async (sync) => {
    await sync()
    return work(sync)
  })
}

/** False if something has changed since. */
async function mark(ctx: JobContext, { id, lastAt }: Account, { endedAt }: PlannedDeletion): Promise<boolean> {
  return markForDeletion(
    ctx.db.system,
    sql`a.id = ${id} and a.last_deletion_notice_at = ${lastAt} and exists (
      select from subscriptions s where s.account_id = a.id and ${hasEnded()} and s.ended_at = ${endedAt})`,
  )
}

/** Recorded after it was sent: two emails are better than none. */
async function tell(
  { db, services, log }: JobContext,
  account: Account,
  { step, deletesAt }: PlannedDeletion,
): Promise<false> {
  const { id, email, timeZone } = account
  const write = step === 'first notice' ? firstDeletionNotice : lastDeletionNotice
  const { subject, letter } = write({ deletesAt, timeZone, publicUrl: services.publicUrl })
  if (email !== '') {
    const mail = { to: email, replyTo: services.contactMail, subject, letter }
    await sendLetter(services.mailer, mail).catch((error: unknown) => {
      if (mailFailureOf(error) !== 'refused') throw error
      log.warn({ err: error, accountId: id }, 'the owner of an account could not be told of its deletion')
    })
  }
  const now = services.billingNow()
  const column = step === 'first notice' ? sql`first_deletion_notice_at` : sql`last_deletion_notice_at`
  const { text, values } = sql`update accounts set ${column} = ${now} where id = ${id}`
  await db.system.query({ text, values })
  return false
}
