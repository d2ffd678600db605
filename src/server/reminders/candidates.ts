import sql, { type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import { renewalDatesWithOccasions, type Days } from '#shared/domain/reminder-occasions.ts'
import type { PastMessage } from '#shared/domain/reminder-plan.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import type { Read } from '#server/db/database.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { COUNTS, SUBJECT_COLUMNS, SUBJECT_TABLES, type SubjectRow } from './reminder-subject.ts'

/** So many contracts are looked at in one go. */
export const CANDIDATES_AT_ONCE = 1000

/** A contract with all that decides about its messages. */
export interface Candidate extends SubjectRow {
  /** The first day whose occasions count. */
  since: Day
  history: PastMessage[]
}

/** Open contracts with an occasion on these days, found by their renewal dates; in batches. */
export async function* candidates(read: Read, account: ReminderAccount, days: Days): AsyncGenerator<Candidate[]> {
  for (let after = 0, isLast = false; !isLast;) {
    const rows = await read<Candidate>(someCandidates(account, days, after))
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.contractId ?? after
    isLast = rows.length < CANDIDATES_AT_ONCE
  }
}

/** The first of them after a contract, in the order of their ids. */
export function someCandidates(account: ReminderAccount, days: Days, after: number): Sql {
  return sql`
    select ${candidateColumns(account)} from ${SUBJECT_TABLES}
    where k.account_id = ${account.id} and ${IS_OPEN}
      and k.renewal_date = any(${renewalDatesWithOccasions(days)}::date[]) and k.id > ${after}
    order by k.id limit ${CANDIDATES_AT_ONCE}`
}

/** The columns of a Candidate, from the tables of a SubjectRow. */
export function candidateColumns({ timeZone }: ReminderAccount) {
  return sql`
    ${SUBJECT_COLUMNS}, ((k.reminders_since + case when k.import_id is not null
        and k.reminders_since = k.created_at then interval '1 day' else interval '0' end)
      at time zone ${timeZone})::date as since,
    (select coalesce(json_agg(json_build_object('kind', r.kind, 'offset', r.offset_days, 'day', greatest(r.due_on, r.sent_on),
      'recipient', r.recipient, 'channel', r.channel, 'counts', ${COUNTS})), '[]')
    from reminders r where r.account_id = k.account_id and r.contract_id = k.id and r.renewal_date = k.renewal_date)
      as history`
}
