import sql, { type Sql } from 'sql-template-tag'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import type { Moment } from './ledger.ts'

// What decisions about contracts change in the ledger. For its states see ledger.ts.

type At = Pick<Moment, 'accountId' | 'now'>

/** Why a decision, or a deletion, keeps planned messages from being sent; those that wait for a limit are skipped for that. */
const REASONS_OF_DECISIONS = ['renewed', 'closed', 'ending', 'contract_deleted'] as const satisfies ReminderReason[]

/** Planned messages of a contract that a decision ends. */
export interface EndedMessages {
  contractId: number
  reason: (typeof REASONS_OF_DECISIONS)[number]
  /** Only those to the customer. */
  isCustomerOnly: boolean
}

/**
 * Planned to skipped, as a statement: a decision about their contracts leaves these messages without a subject. Reminders by
 * hand are left to the sender, which tells the owner.
 */
export function messagesEnded(ended: readonly EndedMessages[], { accountId, now }: At): Sql {
  return sql`
    update reminders r set state = 'skipped', ended_at = ${now}::timestamptz, next_attempt_at = null,
      reason = case when r.waits_for is null then e.reason else 'limited' end
    from json_to_recordset(${JSON.stringify(ended)}::json) as e("contractId" int, reason text, "isCustomerOnly" bool)
    where r.account_id = ${accountId} and r.contract_id = e."contractId" and r.state = 'planned'
      and r.kind <> 'manual' and (r.recipient = 'customer' or not e."isCustomerOnly")`
}

/** The same for the contracts that `deleted` selects, which are in the trash now. */
export function messagesOfDeleted(deleted: Sql, { accountId, now }: At): Sql {
  return sql`
    update reminders r set state = 'skipped', ended_at = ${now}::timestamptz, next_attempt_at = null,
      reason = case when r.waits_for is null then 'contract_deleted' else 'limited' end
    where r.account_id = ${accountId} and r.contract_id in (${deleted}) and r.state = 'planned' and r.kind <> 'manual'`
}

/** Skipped to planned, as a statement: what decisions or deletions at these times had ended, since they are undone. */
export function messagesResumed(
  undone: readonly { contractId: number; decidedAt: Date }[],
  { accountId, now }: At,
): Sql {
  return sql`
    update reminders r set state = 'planned', reason = null, ended_at = null, next_attempt_at = ${now}
    from json_to_recordset(${JSON.stringify(undone)}::json) as u("contractId" int, "decidedAt" timestamptz)
    where r.account_id = ${accountId} and r.contract_id = u."contractId" and r.state = 'skipped'
      and r.ended_at = u."decidedAt" and r.reason = any(${[...REASONS_OF_DECISIONS, 'limited']}::text[])`
}

/** Removes planned messages about later terms, as a statement: there are no such terms any more. */
export function messagesWithdrawn(terms: readonly { contractId: number; lastTerm: number }[], { accountId }: At): Sql {
  return sql`
    delete from reminders r
    using json_to_recordset(${JSON.stringify(terms)}::json) as t("contractId" int, "lastTerm" int)
    where r.account_id = ${accountId} and r.contract_id = t."contractId" and r.term_number > t."lastTerm"
      and r.state = 'planned'`
}
