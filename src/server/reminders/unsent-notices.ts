import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { addDays } from '#shared/domain/day.ts'
import { WARNING_DAYS, whyNoEmail, type WhyNoEmail } from '#shared/domain/notice-warning.ts'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf, instant } from '#server/db/columns.ts'
import { ReminderEntity } from '#server/ledger/reminder.entity.ts'
import { IS_GIVEN, wasEmailedSince, type TimeAndDay } from '#server/notice-rules/notice-emails.ts'
import { NoticeEntity } from '#server/notice-rules/notice.entity.ts'
import { IS_OF_TERM } from './plan-notices.ts'
import { hasFullAccess, readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { SUBJECT_COLUMNS, SUBJECT_TABLES, SubjectRow, subjectOf } from './reminder-subject.ts'

const WINDOW = columnsOf(NoticeEntity, 'n', ['lastDay', 'means', 'preset', 'warnedDays', 'warnedLastDay'])
const { fields } = columnsOf(ReminderEntity, 'r', ['contactId', 'state', 'reason'])

/** A contract whose window closes soon and in which notice has not been given, with what was to be sent in it. */
export const UnsentNotice = SubjectRow.extend({
  ...WINDOW.fields,
  noticeId: z.int(),
  /** An email was sent since the owner was warned, and no longer counts. */
  wasEmailedSince: z.boolean(),
  messages: z.array(
    z.object({ contactId: fields.contactId, state: fields.state, reason: fields.reason, plannedAt: instant }),
  ),
})
export type UnsentNotice = z.output<typeof UnsentNotice>

/** Reads them of those contracts, at least one, to which a rule has to apply, by contract. */
export function unsentNotices(accountId: number, contractIds: readonly number[], moment: TimeAndDay): Sql {
  const { today } = moment
  return sql`
    select ${SUBJECT_COLUMNS}, ${WINDOW}, n.id as "noticeId", ${wasEmailedSince(moment)} as "wasEmailedSince", (
      select coalesce(json_agg(json_build_object('contactId', r.contact_id, 'state', r.state, 'reason', r.reason,
        'plannedAt', r.planned_at) order by r.planned_at), '[]')
      from reminders r where r.account_id = n.account_id and r.contract_id = n.contract_id and r.kind = 'notice'
        and r.renewal_date = n.renewal_date and r.term_number = n.term_number
        and (greatest(r.due_on, r.sent_on) between n.first_day and n.last_day
          or r.state in ('planned', 'sending') and r.due_on <= ${today})) as messages
    from ${SUBJECT_TABLES} join notices n on ${IS_OF_TERM}
    where n.account_id = ${accountId} and k.account_id = ${accountId} and k.id = any(${[...contractIds]}::int[])
      and n.contract_id between ${Math.min(...contractIds)} and ${Math.max(...contractIds)} and n.first_day <= ${today}
      and n.last_day between ${today} and ${addDays(today, WARNING_DAYS[0])} and not ${IS_GIVEN}
    order by k.id`
}

/** Why one of them has not been sent by email; undefined if it is about to be. */
export function whyUnsent(
  row: UnsentNotice,
  account: ReminderAccount,
  { now, hasAccess }: { now: Date; hasAccess: boolean },
): WhyNoEmail | undefined {
  return whyNoEmail({
    subject: subjectOf(row, account),
    means: row.means,
    messages: row.messages,
    hasAccess,
    hasCompanyName: account.company.name !== null,
    isOwnerVerified: account.isOwnerVerified,
    isMailStopped: account.isMailStopped,
    now,
  })
}

/** Of these contracts those whose windows close soon without notice, by ID, and why. */
export async function noticesAtRisk(
  { read, accountId, today, services }: Pick<ReaderContext, 'read' | 'accountId' | 'today' | 'services'>,
  contractIds: readonly number[],
): Promise<Map<number, WhyNoEmail>> {
  if (contractIds.length === 0) return new Map()
  const now = services.now()
  const rows = await read(unsentNotices(accountId, contractIds, { now, today }), UnsentNotice)
  if (rows.length === 0) return new Map()
  const account = await readReminderAccount(read, accountId)
  const moment = { now, hasAccess: hasFullAccess(account, services.billingNow()) }
  return new Map(
    rows.flatMap((row) => {
      const why = whyUnsent(row, account, moment)
      return why ? [[row.contractId, why] as const] : []
    }),
  )
}
