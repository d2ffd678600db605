import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import {
  DELETION_NOTICE_DAYS,
  ENDED_STATUSES,
  plannedDeletion,
  type PlannedDeletion,
} from '#shared/domain/account-retention.ts'
import { closeCheckouts, findCustomer } from '#server/billing/stripe.ts'
import { whileNobodySyncs, type SyncContext } from '#server/billing/sync-subscription.ts'
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
 * Tells owners whose access has ended that their account will be deleted, twice, and then deletes it as they would
 * themselves. What Stripe says now decides: where it does not answer, the account waits for the next run.
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

/** Those for which there may be something to do. */
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

/** What is due for the account, as far as it is known here; undefined where nothing is. */
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

/** Of a customer who is deleted at Stripe there are none. */
async function closeCheckoutsOf({ services: { stripe } }: JobContext, customer: string): Promise<void> {
  if (await findCustomer(stripe, customer)) await closeCheckouts(stripe, customer)
}

/** Runs `work` on what Stripe says now. No checkout begins meanwhile: nobody shall pay for what is being deleted. */
async function asStripeSays<T>(
  ctx: JobContext,
  { customer }: Account,
  work: (sync: () => Promise<void>) => Promise<T>,
) {
  if (!customer) return work(async () => {})
  // What servers remember of a caller, they forget within half a minute by themselves.
  const syncing: SyncContext = { ...ctx, callers: { forget: () => {} } }
  return whileNobodySyncs(syncing, customer, async (sync) => {
    await sync()
    return work(sync)
  })
}

/** False where something has changed since the plan was made. */
async function mark(ctx: JobContext, { id, lastAt }: Account, { endedAt }: PlannedDeletion): Promise<boolean> {
  return markForDeletion(
    ctx.db.system,
    sql`a.id = ${id} and a.last_deletion_notice_at = ${lastAt} and exists (
      select from subscriptions s where s.account_id = a.id and ${hasEnded()} and s.ended_at = ${endedAt})`,
  )
}

/** It is written down once it was sent: twice is better than not at all. */
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
