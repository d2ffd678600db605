import { isClerkAPIResponseError } from '@clerk/backend/errors'
import type { ClerkClient } from '@clerk/fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { endSubscription } from '#server/billing/end-subscription.ts'
import { customersOfDeletedAccount } from '#server/billing/stripe-customer.ts'
import type { JobContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import { KEPT_AFTER_DELETION } from '#server/identity/kept-after-deletion.ts'
import { removeFiles, removeRows, withdrawReminders, type DeletionContext } from './account-data.ts'

const LeavingAccount = z.object({ id: z.int() })

/** Finishes deletions that a crash or an unavailable service has interrupted. */
export async function finishDeletions(ctx: JobContext): Promise<void> {
  const statement = sql`select id from accounts where deleting_at is not null`
  for (const { id } of await readRows(ctx.db.system, statement, LeavingAccount)) {
    if (ctx.signal.aborted) return
    await finishDeletion(ctx, id).catch((error: unknown) => {
      ctx.log.error({ err: error, accountId: id }, 'an account could not be removed; it is tried again')
    })
  }
}

/**
 * Removes what is left of an account that is marked for deletion. Every step can be repeated, and the account's own row is
 * deleted last, so the next run continues an interrupted one.
 */
export async function finishDeletion(ctx: DeletionContext, accountId: number): Promise<void> {
  await ctx.db.oneAtATime(`deletion:${accountId}`, async () => {
    const clerkUserId = await userOfDeleting(ctx, accountId)
    if (clerkUserId === undefined) return
    await withdrawReminders(ctx, accountId)
    for (const customer of await customersOfDeletedAccount(ctx, accountId)) {
      await endSubscription(ctx, customer, (usedAt) => keepTrial(ctx, accountId, usedAt))
    }
    await removeUser(ctx.services.clerk, clerkUserId)
    await removeFiles(ctx, accountId)
    await removeRows(ctx, accountId)
    await removeAccount(ctx, accountId)
  })
}

/**
 * Deletes the account's own row, and what goes with it. Readers may have unsubscribed or complained since the account was
 * marked, so what must survive is stored once more. In two statements: whoever writes a row of the account just now commits
 * before its own can be locked, and only a statement that begins after that sees it.
 */
function removeAccount({ db }: DeletionContext, accountId: number): Promise<void> {
  const isLeaving = sql`id = ${accountId} and deleting_at is not null`
  return db.systemFor(accountId).transaction([
    sql`select from accounts where ${isLeaving} for update`,
    sql`
      with former as (select id, email, trial_used_at from accounts where ${isLeaving}), ${KEPT_AFTER_DELETION}
      delete from accounts where ${isLeaving}`,
  ])
}

async function userOfDeleting({ db }: DeletionContext, accountId: number): Promise<string | undefined> {
  const statement = sql`
    select clerk_user_id as "clerkUserId" from accounts where id = ${accountId} and deleting_at is not null`
  const [account] = await readRows(db.system, statement, DeletingRow)
  return account?.clerkUserId
}

const DeletingRow = z.object({ clerkUserId: z.string() })

/** Stripe may know of a trial for which no webhook has arrived. */
async function keepTrial({ db }: DeletionContext, accountId: number, usedAt: Date): Promise<void> {
  await db.system.query(
    `insert into spent_trials (email_hash, used_at)
      select trial_hash(email), $2 from accounts where id = $1 and email <> '' on conflict do nothing`,
    [accountId, usedAt],
  )
}

async function removeUser(clerk: ClerkClient, clerkUserId: string): Promise<void> {
  try {
    await clerk.users.deleteUser(clerkUserId)
  } catch (error) {
    if (!isClerkAPIResponseError(error) || error.status !== 404) throw error
  }
}
