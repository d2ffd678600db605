import sql, { type Sql } from 'sql-template-tag'
import { DEFAULT_HOUR } from '#shared/domain/reminder-preferences.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import { IS_REMINDER, type AccountMoment } from './ledger.ts'

// What decisions about contracts change in the ledger. For its states see ledger.ts.

/** Why a decision, or a deletion, keeps planned messages from being sent; those that wait for a limit are skipped for that. */
const REASONS = {
  decision: ['renewed', 'closed', 'ending', 'answered'],
  deletion: ['contract_deleted'],
} as const satisfies Record<string, ReminderReason[]>

/** Planned messages of a contract that a decision ends. */
export interface EndedMessages {
  contractId: number
  reason: (typeof REASONS.decision)[number]
  /** Only those to the customer. */
  isCustomerOnly: boolean
}

/**
 * Planned to skipped, as a statement: a decision about their contracts leaves these messages without a subject. Reminders by
 * hand are left to the sender, which tells the owner; emails about answers go out all the same. While an answer waits, notices
 * do too, as the contract may still renew by itself, and so do confirmations. They are ended at `endedAt`, or now.
 */
export function messagesEnded(
  ended: readonly EndedMessages[],
  { accountId, now }: AccountMoment,
  endedAt = sql`${now}::timestamptz`,
): Sql {
  return sql`
    update reminders r set state = 'skipped', ended_at = ${endedAt}, next_attempt_at = null,
      reason = case when r.waits_for is null then e.reason else 'limited' end
    from json_to_recordset(${JSON.stringify(ended)}::json) as e("contractId" int, reason text, "isCustomerOnly" bool,
      "undoneId" int)
    where r.account_id = ${accountId} and r.contract_id = e."contractId" and r.state = 'planned'
      and r.kind not in ('manual', 'answer', 'reply') and (e.reason <> 'answered' or ${IS_REMINDER}) and (r.recipient = 'customer' or not e."isCustomerOnly")`
}

/** Planned messages of a contract that an earlier decision ends, as the one after it is undone. */
export interface EndedByUndo extends EndedMessages {
  undoneId: number
}

/**
 * The same for an undo that closes contracts again: they are ended no earlier than the decision was made that closes them, so
 * that undoing that one, too, resumes them, also where a clock was ahead when it was made.
 */
export function messagesEndedByUndo(ended: readonly EndedByUndo[], at: AccountMoment): Sql {
  const decidedAt = sql`(
    select d.decided_at from contract_decisions d
    where d.account_id = ${at.accountId} and d.contract_id = e."contractId" and d.id < e."undoneId" order by d.id desc limit 1)`
  return messagesEnded(ended, at, sql`greatest(${decidedAt}, ${at.now}::timestamptz)`)
}

/** Planned to skipped for the contracts that `deleted` selects, which are in the trash now. */
export function messagesOfDeleted(deleted: Sql, { accountId, now }: AccountMoment): Sql {
  return sql`
    update reminders r set state = 'skipped', ended_at = ${now}::timestamptz, next_attempt_at = null,
      reason = case when r.waits_for is null then 'contract_deleted' else 'limited' end
    where r.account_id = ${accountId} and r.contract_id in (${deleted}) and r.state = 'planned' and r.kind <> 'manual'`
}

/** Messages of a contract that a decision or deletion had ended, and that go out after all. */
interface ResumedMessages {
  contractId: number
  /** The term that the contract then has: messages about earlier ones stay ended, whatever the clock said at that time. */
  termNumber: number
  decidedAt: Date
  /** Only those to the owner: the contract is still set to end. */
  isOwnerOnly: boolean
}

/**
 * Skipped to planned, as a statement: what decisions, or deletions, of these times had ended, since they are undone. Each is
 * the newest of its contract, so whatever was skipped for such a reason since then was skipped because of it, also on the day
 * on which an end was carried out; but what has been tried since may have been sent. What was put off stays put off. Emails
 * about answers go out whatever has become of the term that they are about. A reminder by hand is not sent any more: its
 * owner was told that it would not be.
 */
export function messagesResumed(
  undone: readonly ResumedMessages[],
  by: keyof typeof REASONS,
  { accountId, now }: AccountMoment,
): Sql {
  const reasons = [...REASONS[by]]
  return sql`
    update reminders r set state = 'planned', reason = null, ended_at = null, next_attempt_at = greatest(${now}, (
      select (r.due_on + make_interval(hours => coalesce(p.hour, ${DEFAULT_HOUR}))) at time zone coalesce(a.time_zone, 'UTC')
      from accounts a left join reminder_preferences p on p.account_id = a.id where a.id = ${accountId}))
    from json_to_recordset(${JSON.stringify(undone)}::json) as u("contractId" int, "termNumber" int,
      "decidedAt" timestamptz, "isOwnerOnly" bool)
    where r.account_id = ${accountId} and r.contract_id = u."contractId"
      and (r.term_number = u."termNumber" or r.kind in ('answer', 'reply')) and r.state = 'skipped' and r.kind <> 'manual'
      and (r.recipient = 'owner' or not u."isOwnerOnly")
      and (r.ended_at = u."decidedAt" and r.reason = any(${[...reasons, 'limited']}::text[])
        or r.ended_at > u."decidedAt" and r.reason = any(${reasons}::text[]) and r.sending_at is null)`
}

/** Removes planned messages about later terms, as a statement: there are no such terms any more. */
export function messagesWithdrawn(
  terms: readonly { contractId: number; lastTerm: number }[],
  { accountId }: AccountMoment,
): Sql {
  return sql`
    delete from reminders r
    using json_to_recordset(${JSON.stringify(terms)}::json) as t("contractId" int, "lastTerm" int)
    where r.account_id = ${accountId} and r.contract_id = t."contractId" and r.term_number > t."lastTerm"
      and r.state = 'planned'`
}
