import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { deletionConfirmation, type DeleteAccount } from '#shared/schemas/accounts.ts'
import { refuseApiKey, type AccountContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import type { System } from '#server/db/connections/system.ts'
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
  if (email.toLowerCase() !== deletionConfirmation(caller.email)) throw new AppError('DELETION_UNCONFIRMED')
  await markForDeletion(ctx.db.system, sql`a.id = ${accountId}`)
  ctx.callers.forget(caller.clerkUserId)
  await finishDeletion(ctx, accountId).catch((error: unknown) => {
    ctx.log.warn({ err: error, accountId }, 'an account was not fully removed; it is tried again')
  })
}

/**
 * In one step: nobody can use the account, no reminder is planned for it, and what signing up again must not undo
 * is kept: a used trial, a stop of its mail, and the addresses whose readers want none. False if `which` holds for no
 * account `a`.
 */
export async function markForDeletion(system: System, which: Sql): Promise<boolean> {
  const statement = sql`
    with former as (
      update accounts a set deleting_at = coalesce(deleting_at, now()) where ${which}
      returning id, email, trial_used_at),
    ${KEPT_AFTER_DELETION},
    unplanned as (delete from reminder_schedules where account_id in (select id from former))
    select id from former`
  const marked = await readRows(system, statement, MarkedRow)
  return marked.length > 0
}

const MarkedRow = z.object({ id: z.int() })
