import { isClerkAPIResponseError } from '@clerk/backend/errors'
import type { ClerkClient } from '@clerk/backend'
import { endSubscription } from '#server/billing/end-subscription.ts'
import { removeFiles, removeRows, withdrawReminders, type DeletionContext } from './belongings.ts'

interface LeavingAccount {
  id: number
  clerkUserId: string
  stripeCustomerId: string | null
}

/**
 * Removes what there still is of an account that is marked for deletion. Each step can be done again, and the account's
 * own row goes last: wherever this breaks off, the next run goes on.
 */
export async function finishDeletion(ctx: DeletionContext, accountId: number): Promise<void> {
  await ctx.db.oneAtATime(`deletion:${accountId}`, async () => {
    const account = await leavingAccount(ctx, accountId)
    if (!account) return
    await withdrawReminders(ctx, accountId)
    if (account.stripeCustomerId) {
      await endSubscription(ctx, account.stripeCustomerId, (usedAt) => keepTrial(ctx, accountId, usedAt))
    }
    await removeUser(ctx.services.clerk, account.clerkUserId)
    await removeFiles(ctx, accountId)
    await removeRows(ctx, accountId)
    await removeAccount(ctx, account)
  })
}

async function leavingAccount({ db }: DeletionContext, accountId: number): Promise<LeavingAccount | undefined> {
  const { rows } = await db.system.query<LeavingAccount>(
    `select id, clerk_user_id as "clerkUserId", stripe_customer_id as "stripeCustomerId"
      from accounts where id = $1 and deleting_at is not null`,
    [accountId],
  )
  return rows[0]
}

/** Stripe may know of a trial that no webhook has told us of. */
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

// A checkout that was under way may have made a customer meanwhile: then the next run ends that one as well.
async function removeAccount({ db }: DeletionContext, { id, stripeCustomerId }: LeavingAccount): Promise<void> {
  await db.system.query(
    `delete from accounts where id = $1 and deleting_at is not null and stripe_customer_id is not distinct from $2`,
    [id, stripeCustomerId],
  )
}
