import { AppError } from '#shared/errors.ts'
import type { DeleteAccount } from '#shared/schemas/accounts.ts'
import { refuseApiKey, type AccountContext } from '#server/context.ts'
import { requireRecentSignIn } from '#server/identity/reverification.ts'
import { finishDeletion } from './finish-deletion.ts'

/**
 * Deletes the account of whoever asks, and all that is theirs. From the first step on it is nobody's: sessions and keys
 * open nothing. What fails after that, or is cut off by a crash, is finished by a job.
 * @throws DELETION_UNCONFIRMED where the e-mail is not the account's, API_KEY_REFUSED, REVERIFICATION_REQUIRED
 */
export async function deleteAccount(ctx: AccountContext, { email }: DeleteAccount): Promise<void> {
  refuseApiKey(ctx)
  requireRecentSignIn(ctx)
  const { accountId, caller } = ctx
  if (email.toLowerCase() !== caller.email.toLowerCase()) throw new AppError('DELETION_UNCONFIRMED')
  await markForDeletion(ctx)
  ctx.callers.forget(caller.clerkUserId)
  await finishDeletion(ctx, accountId).catch((error: unknown) => {
    ctx.log.warn({ err: error, accountId }, 'the rest of an account is removed later')
  })
}

/**
 * In one step: the account is nobody's any more, no reminder is planned for it, and what signing up again must not undo
 * is kept: a used trial, a stop of its mail, and the addresses whose readers want none.
 */
async function markForDeletion({ db, accountId }: AccountContext): Promise<void> {
  await db.system.query(
    `with marked as (
        update accounts set deleting_at = coalesce(deleting_at, now()) where id = $1 returning email, trial_used_at),
      silenced as (delete from reminder_schedules where account_id = $1),
      stopped as (
        insert into kept_mail_stops (email_hash, stopped_at, complaints, mails)
        select trial_hash(m.email), s.stopped_at, s.complaints, s.mails from marked m, mail_stops s
        where s.account_id = $1 and s.lifted_at is null and m.email <> ''
        on conflict do nothing),
      closed as (
        insert into kept_closures (email_hash, mailbox_hash, reason, closed_at)
        select trial_hash(m.email), kept_mailbox(trial_hash(m.email), c.mailbox), c.reason, c.closed_at
        from marked m, closed_addresses c where c.account_id = $1 and m.email <> ''
        on conflict (email_hash, mailbox_hash) do update set reason = excluded.reason, closed_at = excluded.closed_at)
      insert into spent_trials (email_hash, used_at)
        select trial_hash(email), trial_used_at from marked where trial_used_at is not null and email <> ''
        on conflict do nothing`,
    [accountId],
  )
}
