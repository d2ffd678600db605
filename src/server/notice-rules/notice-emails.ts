import sql, { type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'

/** The time, and the day that it is in the account's time zone. */
export interface TimeAndDay {
  now: Date
  today: Day
}

const EMAILS = sql`
  from reminders r where r.account_id = n.account_id and r.kind = 'notice'
    and (r.id = n.email_id or r.id = any(n.email_ids)
      or r.contract_id = n.contract_id and r.renewal_date = n.renewal_date and r.term_number = n.term_number)`

/** The emails by which notices `n` were given, from the ledger: sent within the window, and not bounced. */
export const EMAILS_THAT_COUNT = sql`
  ${EMAILS} and r.state in ('sent', 'delivered') and r.sent_on between n.first_day and n.last_day
    and 'email' = any(n.means)`

/** A condition on notices `n`: an email with the notice went out, or may have. */
export const WAS_EMAILED = sql`exists (select ${EMAILS} and r.state in ('sending', 'sent', 'delivered', 'bounced'))`

/** A condition on notices `n`: notice was given. */
export const IS_GIVEN = sql`(n.posted_on is not null or exists (select ${EMAILS_THAT_COUNT}))`

/**
 * A condition on notices `n`: an email was sent in the window since the owner was warned, so that a bounce of it is news. One
 * that is still to come was sent while a clock was ahead, and nobody knows when.
 */
export function wasEmailedSince({ now, today }: TimeAndDay): Sql {
  return sql`exists (
    select ${EMAILS} and r.sent_at > n.warned_at and r.sent_at <= ${now} and r.sent_on between n.first_day and least(n.last_day, ${today}))`
}

/**
 * Keeps by which emails notice was given of contracts that are about to be deleted for good: all of them, as one may still be on
 * its way, or bounce later.
 */
export function noticeEmailsKept(accountId: number, contractIds: readonly number[]): Sql {
  return sql`
    update notices n set email_ids = (select array_agg(r.id) ${EMAILS})
    where n.account_id = ${accountId} and n.contract_id = any(${[...contractIds]}::int[])`
}
