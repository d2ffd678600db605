import sql, { raw, type Sql } from 'sql-template-tag'
import type { Decision } from '#shared/domain/reminder-plan.ts'
import { notificationsFrom, type NewNotification } from '#server/notifications/notify.ts'
import { ENDED, noticeOf, type Planning } from './notices.ts'
import type { SubjectRow } from './reminder-subject.ts'

/** What the ledger is told of a decision. What is unwanted anyway, or decided already, it is not told. */
export function ledgerRow(row: SubjectRow, decision: Decision, planning: Planning) {
  const { verdict, kind, offset, day, recipient, channel } = decision
  if (verdict === 'closed' || verdict === 'off' || verdict === 'decided') return []
  const isNotice = verdict === 'due' && channel === 'in_app'
  return {
    contract_id: row.contractId,
    customer_id: row.customerId,
    customer_name: row.customerName,
    renewal_date: row.renewalDate,
    kind,
    offset_days: offset,
    due_on: day,
    recipient,
    channel,
    state: stateOf(decision),
    reason: verdict === 'due' ? null : verdict,
    ...(isNotice && noticeColumns(noticeOf(row, decision, planning))),
  }
}

function noticeColumns({ actionUrl, ...notice }: Required<NewNotification>) {
  return { ...notice, action_url: actionUrl }
}

/** Said so that the planner cannot take the index of all that waits, of whatever account, for a short one. */
const IS_PLANNED = raw(`r.state || '' = 'planned'`)

type LedgerRow = Exclude<ReturnType<typeof ledgerRow>, never[]>

/**
 * Adds rows that the ledger does not have yet. Notices are there with them; what a newer one overtakes while it
 * still waits is skipped, and answered.
 */
export function addToLedger(rows: LedgerRow[], { account, now, today }: Planning): Sql {
  const contractIds = [...new Set(rows.map((row) => row.contract_id))]
  return sql`
    with due as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as d(contract_id int, customer_id int,
        customer_name text, renewal_date date, kind text, offset_days int, due_on date, recipient text, channel text,
        state text, reason text, title text, message text, type text, action_url text)
    ), added as (
      insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, kind, offset_days,
        due_on, recipient, channel, state, reason, subject, body, planned_at, next_attempt_at, sent_at, sent_on, ended_at)
      select ${account.id}, contract_id, customer_id, customer_name, renewal_date, kind, offset_days, due_on, recipient,
        channel, state, reason, title, message, ${now}::timestamptz,
        case state when 'planned' then ${now}::timestamptz end, case state when 'sent' then ${now}::timestamptz end,
        case state when 'sent' then ${today}::date end, case state when 'skipped' then ${now}::timestamptz end
      from due order by contract_id, due_on
      on conflict (account_id, contract_id, renewal_date, kind, offset_days, recipient, channel) do nothing
      returning contract_id, renewal_date, kind, offset_days, recipient, channel, state
    ), notified as (${notificationsFrom(NOTICES, { accountId: account.id, now })}
    ), overtaken as (
      update reminders r set state = 'skipped', reason = case when r.waits_for is null then 'superseded' else 'limited' end,
        ended_at = ${now}::timestamptz,
        next_attempt_at = null
      from added where r.account_id = ${account.id} and r.contract_id = any(${contractIds}::int[])
        and r.contract_id = added.contract_id and ${IS_PLANNED}
        and r.recipient = added.recipient and r.channel = added.channel and added.state in ('planned', 'sent')
      returning ${ENDED})
    select * from overtaken`
}

const NOTICES = sql`
  added join due using (contract_id, renewal_date, kind, offset_days, recipient, channel)
  where added.state = 'sent' order by due_on, contract_id`

function stateOf({ verdict, channel }: Decision): 'planned' | 'sent' | 'skipped' {
  if (verdict !== 'due') return 'skipped'
  return channel === 'in_app' ? 'sent' : 'planned'
}
