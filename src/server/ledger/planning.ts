import sql, { raw, type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { UNSENT_STATES } from '#shared/domain/reminder-delivery.ts'
import type { Line, PastMessage } from '#shared/domain/reminder-plan.ts'
import { MOST_FOR_LIMIT_MS, MOST_WHILE_DUE_MS } from '#shared/domain/reminder-waits.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import type { WriteEach } from '#server/db/database.ts'
import { notificationsFrom } from '#server/notifications/notify.ts'
import type { WrittenNotification } from '#server/notifications/texts.ts'
import { Ended, endingsOf, IS_REMINDER, later, REPLACED, Replaced, type Moment } from './ledger.ts'

// What the planner changes in the ledger. For its states see ledger.ts.

/** A message with the planner's decision. */
export interface NewReminder extends Line {
  contractId: number
  customerId: number
  customerName: string
  /** Of a contact that is not the first. */
  contactName: string | null
  renewalDate: Day
  termNumber: number
  kind: PastMessage['kind']
  offset: number
  /** When it falls due. */
  day: Day
  state: 'planned' | 'sent' | 'skipped'
  /** Why it was skipped. */
  reason: ReminderReason | null
  /** What the owner reads in the app; with it the message is sent. */
  notice?: WrittenNotification | undefined
}

/**
 * New to planned, sent, or skipped: adds messages that are not in the ledger yet, with the notifications of those sent in
 * the app. Skips planned messages replaced by newer ones to the same reader, and returns them by account. A notice replaces
 * none of a later day.
 */
export async function add(
  write: WriteEach,
  additions: readonly (Moment & { rows: readonly NewReminder[] })[],
): Promise<(Moment & { ended: Ended[] })[]> {
  const asked = additions.map((one) => ({ accountId: one.accountId, statement: addition(one) }))
  const replaced = await write(asked, Replaced)
  const endings = additions.flatMap((one, index) => endingsOf(replaced[index] ?? [], one))
  const ended = await write(endings, Ended)
  return endings.map(({ accountId, now, today }, index) => ({ accountId, now, today, ended: ended[index] ?? [] }))
}

/** The concatenation keeps PostgreSQL from using the index of planned rows, which spans all accounts. */
const IS_PLANNED = raw(`r.state || '' = 'planned'`)

const NOTICES = sql`
  added join due using ("contractId", "renewalDate", "termNumber", kind, "offset", recipient, "contactId", channel)
  where added.state = 'sent' order by day, "contractId"`

function addition({ accountId, now, today, rows }: Moment & { rows: readonly NewReminder[] }): Sql {
  const flat = rows.map(({ notice, ...row }) => ({ ...row, ...notice, action_url: notice?.actionUrl }))
  const contractIds = [...new Set(rows.map(({ contractId }) => contractId))]
  return sql`
    with due as (
      select * from json_to_recordset(${JSON.stringify(flat)}::json) as d("contractId" int, "customerId" int,
        "customerName" text, "renewalDate" date, "termNumber" int, kind text, "offset" int, day date, recipient text, "contactId" int, "contactName" text, channel text,
        state text, reason text, title text, message text, type text, action_url text)
    ), added as (
      insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, term_number, kind, offset_days,
        due_on, recipient, contact_id, contact_name, channel, state, reason, subject, body, planned_at, next_attempt_at, sent_at, sent_on, ended_at)
      select ${accountId}, "contractId", "customerId", "customerName", "renewalDate", "termNumber", kind, "offset", day, recipient,
        "contactId", "contactName", channel, state, reason, title, message, ${now}::timestamptz,
        case state when 'planned' then ${now}::timestamptz end, case state when 'sent' then ${now}::timestamptz end,
        case state when 'sent' then ${today}::date end, case state when 'skipped' then ${now}::timestamptz end
      from due order by "contractId", day
      on conflict (account_id, contract_id, renewal_date, term_number, kind, offset_days, recipient, channel, contact_id) do nothing
      returning contract_id as "contractId", renewal_date as "renewalDate", term_number as "termNumber", kind, offset_days as "offset", recipient,
        contact_id as "contactId", channel, state
    ), notified as (${notificationsFrom(NOTICES, { accountId, now })}
    )
    select ${REPLACED} from added
      join reminders r on r.account_id = ${accountId} and r.contract_id = any(${contractIds}::int[])
        and r.contract_id = added."contractId" and ${IS_PLANNED}
        and r.recipient = added.recipient and r.contact_id = added."contactId" and r.channel = added.channel
        and ${IS_REMINDER} and (added.kind <> 'notice' or r.due_on <= ${today}::date)
    where added.state <> all(${UNSENT_STATES}::text[]) for update of r`
}

/** The hour at which an account's messages go out. */
export interface Hour {
  hour: number
  timeZone: string
}

/**
 * Planned stays, to be tried at another time. Reminders and notices go out at the account's hour of their day, which may be
 * another since they were planned. All that is due waits no longer than until that hour, or than any wait we set: what waits
 * longer was set by another hour, or by a clock that was wrong.
 */
export async function correctWaits(write: WriteEach, moments: readonly (Moment & Hour)[]): Promise<void> {
  await write(
    moments.map(({ accountId, now, today, hour, timeZone }) => {
      const hourAt = sql`((due_on + make_interval(hours => ${hour})) at time zone ${timeZone})`
      const statement = sql`
        update reminders r set next_attempt_at = greatest(${hourAt}, ${now})
        where account_id = ${accountId} and state = 'planned' and next_attempt_at > ${later(now, UNDO_MS)}
          and case when waits_for is not null then due_on <= ${today} and next_attempt_at > ${later(now, MOST_FOR_LIMIT_MS)}
            when kind in ('reminder', 'follow_up', 'notice') and ${hourAt} > ${now} and (due_on > ${today} or sending_at is null)
              then next_attempt_at <> ${hourAt}
            else due_on <= ${today} and next_attempt_at > greatest(${hourAt}, ${later(now, MOST_WHILE_DUE_MS)}) end`
      return { accountId, statement }
    }),
  )
}
