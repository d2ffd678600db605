import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import type { LetterDelivery } from '#shared/domain/notice-window.ts'
import type { Decision, Line, PastMessage } from '#shared/domain/reminder-plan.ts'
import type { ReminderState } from '#shared/schemas/filters.ts'
import { MessageKey, REMINDER_REASONS, REMINDER_WAITS } from '#shared/schemas/reminders.ts'
import { columnsOf, instant } from '#server/db/columns.ts'
import { IS_REMINDER } from '#server/ledger/ledger.ts'
import { ReminderEntity } from '#server/ledger/reminder.entity.ts'
import { HAS_CERTIFICATE } from '#server/proofs/certificate.service.ts'
import { asReadBy, contactNameOf, type SubjectRow } from './reminder-subject.ts'

/** A message of the coming days, which the ledger does not have yet. */
export interface MessageView extends Line {
  contractId: number
  customerName: string
  /** Of a contact that is not the first. */
  contactName: string | null
  renewalDate: Day
  kind: PastMessage['kind']
  offset: number
  day: Day
  /** Why it would not be sent. */
  obstacle: string | null
}

/** A message of the ledger. */
export interface ReminderView extends Omit<MessageView, 'contractId' | 'obstacle' | 'kind' | 'channel'> {
  id: number
  kind: PastMessage['kind'] | 'letter'
  channel: Line['channel'] | 'letter'
  /** Null where the contract was deleted. */
  contractId: number | null
  state: ReminderState
  reason: string | null
  address: string | null
  subject: string | null
  body: string | null
  /** Of a letter, the number of certified mail. */
  mailNumber: string | null
  /** Of a letter, how it was delivered, if that was said. */
  delivery: LetterDelivery | null
  /** What the mail server said last. */
  answer: string | null
  attempts: number
  repeats: number
  /** What keeps it from being sent for now, and until when it waits. */
  waitsFor: string | null
  waitsUntil: Date | null
  plannedAt: Date
  sentAt: Date | null
  endedAt: Date | null
  deliveredAt: Date | null
  bouncedAt: Date | null
  /** Whether it is proved that it was sent. */
  hasCertificate: boolean
}

/** Somebody who gets an email to a customer, or would. */
export interface ReaderView {
  /** Of a contact that is not the first. */
  name: string | null
  email: string | null
  /** Why the email does not go to them. */
  obstacle: string | null
}

/** The contacts of a contract's customer, each with what keeps a message from being sent to them. */
export function readersView(
  row: SubjectRow,
  contacts: readonly { contactId: number; obstacle: string | null }[],
): ReaderView[] {
  return contacts.map(({ contactId, obstacle }) => {
    return { name: contactNameOf(row, contactId), email: asReadBy(row, contactId).email, obstacle }
  })
}

const STORED = columnsOf(ReminderEntity, 'r', [
  'id',
  'customerName',
  'contactName',
  'renewalDate',
  'kind',
  'recipient',
  'contactId',
  'channel',
  'state',
  'reason',
  'address',
  'subject',
  'body',
  'mailNumber',
  'delivery',
  'answer',
  'attempts',
  'repeats',
  'plannedAt',
  'sentAt',
  'endedAt',
  'deliveredAt',
  'bouncedAt',
])

const { fields } = columnsOf(ReminderEntity, 'r', ['contractId', 'offsetDays', 'dueOn', 'waitsFor'])

export const ReminderRow = z.object({
  ...STORED.fields,
  kind: z.union([MessageKey.shape.kind, z.literal('letter')]),
  channel: z.union([MessageKey.shape.channel, z.literal('letter')]),
  contractId: fields.contractId,
  offset: fields.offsetDays,
  day: fields.dueOn,
  waitsFor: fields.waitsFor,
  waitsUntil: instant.nullable(),
  hasCertificate: z.boolean(),
})
export type ReminderRow = z.output<typeof ReminderRow>

export function messageView(row: SubjectRow, decision: Decision): MessageView {
  const { verdict, ...message } = decision
  const { contractId, customerName, renewalDate } = row
  const obstacle = verdict === 'due' || verdict === 'decided' ? null : REMINDER_REASONS[verdict]
  const contactName = contactNameOf(row, message.contactId)
  return { contractId, customerName, contactName, renewalDate, ...message, obstacle }
}

export function reminderView({ reason, waitsFor, ...row }: ReminderRow): ReminderView {
  return {
    ...row,
    reason: reason && REMINDER_REASONS[reason],
    waitsFor: waitsFor && REMINDER_WAITS[waitsFor],
  }
}

/** The columns of a ReminderRow, from reminders `r`. The subquery leaves out a contract that is in the trash. */
export const REMINDER_COLUMNS = sql`
  ${STORED}, (select k.id from contracts k where k.account_id = r.account_id and k.id = r.contract_id) as "contractId",
  r.offset_days as "offset", r.due_on as day,
  case when r.state = 'planned' then r.waits_for end as "waitsFor",
  case when r.state = 'planned' and r.waits_for is not null then r.next_attempt_at end as "waitsUntil",
  ${HAS_CERTIFICATE} as "hasCertificate"`

/** When a reminder by hand that is on its way to the customer of contract `k` goes out, or began to be sent. */
export const MANUAL_GOES_OUT_AT = sql`(
  select min(case r.state when 'planned' then r.next_attempt_at else r.sending_at end) from reminders r
  where r.account_id = k.account_id and r.contract_id = k.id
    and r.kind = 'manual' and r.state in ('planned', 'sending'))`

/** Whether the customer of contract `k` was reminded on that day, by hand or not. */
export function wasRemindedOn(day: Day): Sql {
  return sql`exists (
    select from reminders r where r.account_id = k.account_id and r.contract_id = k.id
      and r.recipient = 'customer' and ${IS_REMINDER} and r.sent_on = ${day})`
}
