import sql from 'sql-template-tag'
import { AppError } from '#shared/errors.ts'
import type { DeleteAccount } from '#shared/schemas/accounts.ts'
import { refuseApiKey, type AccountContext } from '#server/context.ts'
import { KEPT_AFTER_DELETION } from '#server/identity/kept-after-deletion.ts'
import { requireRecentSignIn } from '#server/identity/reverification.ts'
import { finishDeletion } from './finish-deletion.ts'

/**
 * Deletes the caller's account and everything in it. From the first step on nobody can use it: sessions and keys
 * open nothing. What fails after that, or is cut off by a crash, is finished by a job.
 * @throws DELETION_UNCONFIRMED where the email is not the account's, API_KEY_REFUSED, REVERIFICATION_REQUIRED
 */
export async function deleteAccount(ctx: AccountContext, { email }: DeleteAccount): Promise<void> {
  refuseApiKey(ctx)
  requireRecentSignIn(ctx)
  const { accountId, caller } = ctx
  if (email.toLowerCase() !== caller.email.toLowerCase()) throw new AppError('DELETION_UNCONFIRMED')
  await markForDeletion(ctx)
  ctx.callers.forget(caller.clerkUserId)
  await finishDeletion(ctx, accountId).catch((error: unknown) => {
    ctx.log.warn({ err: error, accountId }, 'an account was not fully removed; it is tried again')
  })
}

/**
 * In one step: nobody can use the account, no reminder is planned for it, and what signing up again must not undo
 * is kept: a used trial, a stop of its mail, and the addresses whose readers want none.
 */
async function markForDeletion({ db, accountId }: AccountContext): Promise<void> {
  const { text, values } = sql`
    with former as (
      update accounts set deleting_at = coalesce(deleting_at, now()) where id = ${accountId}
      returning id, email, trial_used_at),
    ${KEPT_AFTER_DELETION}
    delete from reminder_schedules where account_id = ${accountId}`
  await db.system.query({ text, values })
}
