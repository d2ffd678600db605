import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { addDays, type DaySpan } from '#shared/domain/day.ts'
import { UNSENT_STATES } from '#shared/domain/reminder-delivery.ts'
import { forecast } from '#shared/domain/reminder-forecast.ts'
import { renewalDatesWithOccasions } from '#shared/domain/reminder-occasions.ts'
import type { PastMessage, Readers, Subject } from '#shared/domain/reminder-plan.ts'
import { preferencesOf } from '#shared/domain/reminder-preferences.ts'
import { actsOn } from '#shared/domain/settled-contract.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import { answersJson, AnswersField, IS_ANSWERED } from '#server/customer-answers/answer-settings.rows.ts'
import { ClosedReasonField, closedReason } from '#server/customers/closed-address.rows.ts'
import { CustomerContactEntity } from '#server/customers/customer-contact.entity.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Read } from '#server/db/database.ts'
import { hasBounced } from '#server/deliverability/bounces.service.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { ReminderEntity } from '#server/ledger/reminder.entity.ts'
import { ContractReminderPreferencesEntity } from './reminder-preferences.entity.ts'

const TERMS = columnsOf(ContractEntity, 'k', [
  'customerId',
  'status',
  'renewalDate',
  'amountCents',
  'renewalCycle',
  'termNumber',
  'title',
  'reference',
  'renews',
  'noticePeriod',
  'nextAmountCents',
  'nextCycle',
  'endsOn',
  'heldRenewalDate',
])
const REACHED_BY = columnsOf(CustomerEntity, 'c', ['email', 'sendNotifications'])
const OWN = columnsOf(ContractReminderPreferencesEntity, 'o', [
  'enableNotifications',
  'reminderDays',
  'followUpDays',
  'email',
  'inApp',
])

/** What decides whether a customer can get email. */
export const AddresseeRow = z.object({ ...REACHED_BY.fields, hasBounced: z.boolean(), closed: ClosedReasonField })

const CONTACT = columnsOf(CustomerContactEntity, 'x', ['id', 'name', 'email'])
const ContactRow = z.object({
  ...CONTACT.fields,
  from: TERMS.fields.renewalDate,
  hasBounced: z.boolean(),
  closed: ClosedReasonField,
})

/** A customer's contacts as its reminders need them: the first one, and those of the others that get messages, if any. */
export const ReadersRow = AddresseeRow.extend({ contacts: z.array(ContactRow).nullable() })
type ReadersRow = z.output<typeof ReadersRow>

/** A contract's own preferences; null where it has none. */
export const OwnField = z.object(OWN.fields).nullable()

/** A contract as its reminders need it. */
export const SubjectRow = z.object({
  ...TERMS.fields,
  ...ReadersRow.shape,
  contractId: z.int(),
  customerName: z.string(),
  /** The customer gets no emails about this renewal date. */
  isMuted: z.boolean(),
  /** The customer has answered about this term, and the owner has not decided yet. */
  isAnswered: z.boolean(),
  /** How the customer answers about this contract, where that is not as the account's settings say. */
  ownAnswers: AnswersField,
  own: OwnField,
})
export type SubjectRow = z.output<typeof SubjectRow>

/** The columns of an AddresseeRow, from customers `c`. */
export function addresseeColumns(accountId: Sql): Sql {
  return sql`${REACHED_BY}, ${hasBounced(accountId, sql`c.email`)} as "hasBounced", ${closedReason(accountId, sql`c.mailbox`)} as closed`
}

/** The columns of a ReadersRow, from customers `c`. */
export function readersColumns(accountId: Sql): Sql {
  const contact = sql`${CONTACT}, x.reminders_from as "from", ${hasBounced(accountId, sql`x.email`)} as "hasBounced",
    ${closedReason(accountId, sql`x.mailbox`)} as closed`
  return sql`${addresseeColumns(accountId)}, (
    select json_agg(row_to_json(y)) from (
      select ${contact} from customer_contacts x
      where x.account_id = ${accountId} and x.customer_id = c.id and x.reminders and x.email is not null
      order by x.id) y) as contacts`
}

/** Joins to contracts `k` their own preferences `o`. */
export const OWN_JOINED = sql`left join contract_reminder_preferences o on o.account_id = k.account_id and o.contract_id = k.id`
/** These as JSON; null where a contract has none. */
export const OWN_JSON = sql`case when o.contract_id is not null then (select row_to_json(w) from (select ${OWN}) w) end as own`

/** The columns of a SubjectRow, from contracts `k`, their customers `c` and their own preferences `o`. */
export const SUBJECT_COLUMNS = sql`
  k.id as "contractId", c.name as "customerName", ${readersColumns(sql`k.account_id`)}, ${TERMS}, coalesce(k.muted_renewal_date = k.renewal_date, false) as "isMuted",
  ${IS_ANSWERED} as "isAnswered", ${answersJson(sql`k.account_id`, sql`k.id`)} as "ownAnswers",
  ${OWN_JSON}`

export const SUBJECT_TABLES = sql`
  contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id ${OWN_JOINED}`

/** Reads SubjectRows of an account's contracts. */
export function subjectRows(accountId: number, ids: readonly number[]): Sql {
  return sql`
    select ${SUBJECT_COLUMNS} from ${SUBJECT_TABLES}
    where k.account_id = ${accountId} and k.id = any(${[...ids]}::int[]) order by k.id`
}

export function subjectOf(row: SubjectRow, account: ReminderAccount, history: PastMessage[] = []): Subject {
  return {
    contract: row,
    ...readersOf(row, account),
    preferences: preferencesOf(account.settings, row.own),
    history,
    isMuted: row.isMuted,
    isEnding: row.endsOn !== null,
    isAnswered: row.isAnswered,
  }
}

/** A contract of which it has been decided that it ends, as one that ends on that day and does not renew. */
export function asDecided<Row extends Pick<SubjectRow, 'renews' | 'renewalDate' | 'endsOn'>>(row: Row): Row {
  return row.endsOn === null ? row : { ...row, renews: 'never', renewalDate: row.endsOn }
}

/** Who gets a customer's messages. Turning them off for the customer turns them off for all of its contacts. */
export function readersOf(row: ReadersRow, { owner }: Pick<ReminderAccount, 'owner'>): Readers {
  const { email, sendNotifications, hasBounced, closed, contacts } = row
  return {
    customer: { email, sendNotifications, hasBounced, closed },
    contacts: contacts?.map((contact) => ({ ...contact, sendNotifications })) ?? [],
    owner,
  }
}

/** The contract as a message to one contact has it: with the contact's address in place of the first one's. */
export function asReadBy<Row extends ReadersRow>(row: Row, contactId: number): Row {
  if (contactId === 0) return row
  const email = row.contacts?.find(({ id }) => id === contactId)?.email ?? null
  return { ...row, email }
}

/** The name of a contact that is not the first. */
export function contactNameOf({ contacts }: ReadersRow, contactId: number): string | null {
  return contacts?.find(({ id }) => id === contactId)?.name ?? null
}

/** Contracts per statement. */
export const CANDIDATES_AT_ONCE = 1000

const { fields } = columnsOf(ReminderEntity, 'r', [
  'kind',
  'offsetDays',
  'dueOn',
  'recipient',
  'contactId',
  'channel',
  'state',
  'reason',
])

/** What the ledger has about a term. */
export const PastMessageRow = z.object({
  kind: fields.kind,
  offset: fields.offsetDays,
  day: fields.dueOn,
  recipient: fields.recipient,
  contactId: fields.contactId,
  channel: fields.channel,
  state: fields.state,
  reason: fields.reason,
  counts: z.boolean(),
})

/** The names and values of a PastMessageRow, from reminders `r`, for `json_build_object`. */
export const PAST_MESSAGE = sql`
  'kind', r.kind, 'offset', r.offset_days, 'day', greatest(r.due_on, r.sent_on), 'recipient', r.recipient,
  'contactId', r.contact_id, 'channel', r.channel, 'state', r.state, 'reason', r.reason,
  'counts', r.state <> all(${UNSENT_STATES}::text[])`

/** A contract with everything that decides about its messages. */
export const Candidate = SubjectRow.extend({
  /** Earlier occasions do not count. */
  since: TERMS.fields.renewalDate,
  history: z.array(PastMessageRow),
})
export type Candidate = z.output<typeof Candidate>

/** Open contracts with an occasion on these days, found by their renewal dates; in batches. */
export async function* candidates(read: Read, account: ReminderAccount, days: DaySpan): AsyncGenerator<Candidate[]> {
  for (let after = 0, isLast = false; !isLast;) {
    const rows = await read(someCandidates(account, days, after), Candidate)
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.contractId ?? after
    isLast = rows.length < CANDIDATES_AT_ONCE
  }
}

/** The first of them after a contract, by ID. */
export function someCandidates(account: ReminderAccount, days: DaySpan, after: number): Sql {
  return sql`
    select ${candidateColumns(account)} from ${SUBJECT_TABLES}
    where k.account_id = ${account.id} and ${IS_OPEN}
      and k.renewal_date = any(${renewalDatesWithOccasions(days)}::date[]) and k.id > ${after}
    order by k.id limit ${CANDIDATES_AT_ONCE}`
}

/** The columns of a Candidate, from the tables of a SubjectRow. */
export function candidateColumns({ timeZone }: Pick<ReminderAccount, 'timeZone'>) {
  return sql`
    ${SUBJECT_COLUMNS}, (k.reminders_since at time zone ${timeZone})::date as since,
    (select coalesce(json_agg(json_build_object(${PAST_MESSAGE})), '[]')
    from reminders r where r.account_id = k.account_id and r.contract_id = k.id and r.renewal_date = k.renewal_date
      and r.term_number = k.term_number and r.channel <> 'letter')
      as history`
}

/** Never before the first day that counts for the contract. */
export function forecastOf(row: Candidate, account: ReminderAccount, span: DaySpan) {
  const { from, through } = daysOfTerm(row, span)
  return forecast(subjectOf(row, account, row.history), { from: row.since > from ? row.since : from, through })
}

/** Those of the days on which a contract is still in its term: until it is renewed, expires or ends by itself. */
export function daysOfTerm(row: Candidate, { from, through }: DaySpan): DaySpan {
  const day = actsOn(row)
  if (day === null || day > through) return { from, through }
  return { from, through: addDays(day > from ? day : from, -1) }
}
