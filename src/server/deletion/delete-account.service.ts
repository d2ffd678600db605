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
 * Deletes the caller's account and everything in it. From the first step on, no session or API key gives access to it.
 * If a later step fails or the server crashes, a job finishes the deletion.
 * @throws DELETION_UNCONFIRMED if the email is not the account's, API_KEY_REFUSED, REVERIFICATION_REQUIRED, ACCOUNT_BUSY
 */
export async function deleteAccount(ctx: AccountContext, { email }: DeleteAccount): Promise<void> {
  refuseApiKey(ctx)
  requireRecentSignIn(ctx)
  const { accountId, caller } = ctx
  if (email.toLowerCase() !== deletionConfirmation(caller.email)) throw new AppError('DELETION_UNCONFIRMED')
  await markForDeletion(ctx.db.systemFor(accountId), sql`a.id = ${accountId}`)
  ctx.callers.forget(caller.clerkUserId)
  await finishDeletion(ctx, accountId).catch((error: unknown) => {
    ctx.log.warn({ err: error, accountId }, 'an account was not fully removed; it is tried again')
  })
}

/**
 * In one step, blocks the account, ends its reminders, and stores what must survive signing up again: a used trial, a mail
 * stop, and closed addresses. Returns false if `which` matches no account `a`.
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
