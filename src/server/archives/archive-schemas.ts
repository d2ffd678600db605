import { z } from 'zod'
import { ACTIVITY_SUBJECTS } from '#shared/domain/activity.ts'
import { CLOSED_REASONS } from '#shared/domain/closed-address.ts'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { isDay, type Day } from '#shared/domain/day.ts'
import { MAX_AMOUNT } from '#shared/domain/money.ts'
import { LETTER_DELIVERIES } from '#shared/domain/notice-window.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { MOST_TERMS } from '#shared/domain/renewal.ts'
import { MAX_NOTE } from '#shared/schemas/activity.ts'
import { ARCHIVE_FORMAT } from '#shared/schemas/archives.ts'
import { CreateContract, NewContractFields, UpdateContract } from '#shared/schemas/contracts.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { CreateCustomer } from '#shared/schemas/customers.ts'
import { lines } from '#shared/schemas/fields.ts'
import { LARGEST_ID, REMINDER_STATES } from '#shared/schemas/filters.ts'
import { LONGEST_MAIL_NUMBER } from '#shared/schemas/notices.ts'
import { MessageKey, REMINDER_REASONS } from '#shared/schemas/reminders.ts'
import { ACTS, LONGEST_NOTE } from '#shared/schemas/renewals.ts'
import { REPORT_REASON_KEYS } from '#shared/schemas/reports.ts'
import { tagName } from '#shared/schemas/tags.ts'
import { MOST_VIEWS } from '#shared/schemas/views.ts'

// The rows of an archive's JSON files, as far as they are imported. What a person can enter is checked as it is then.

/** Several times an email about many contracts. Lists read a thousand messages at once. */
const LONGEST_BODY = 200_000
export const text = (most: number) => z.string().max(most)
export const day = z.custom<Day>((value) => typeof value === 'string' && isDay(value), 'Must be a date as YYYY-MM-DD')
const INSTANT = /^(?:19|2\d)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/
export const instant = z
  .string()
  .refine(
    (written) => INSTANT.test(written) && isDay(written.slice(0, 10)) && !Number.isNaN(Date.parse(written)),
    'Must be a time in UTC',
  )
export const id = z.int().min(1).max(LARGEST_ID)
const messageId = z.int().min(1)
export const cents = z.int().min(1).max(MAX_AMOUNT)
export const termNumber = z.int().min(1).max(MOST_TERMS)
export const cycle = z.enum(RENEWAL_CYCLES)
/** With the name in place of an ID, or what needs none. */
export const actor = text(400).regex(
  /^(?:(?:person|key|import|customer):0:.*|(?!(?:person|key|import|customer)(?::|$))[a-z-]+(?::[a-z-]+)?)$/su,
  'Must name who it was',
)
const keyOf = <Key extends string>(known: Record<Key, unknown>) =>
  z.custom<Key>((key) => typeof key === 'string' && Object.hasOwn(known, key), 'Must be a known word')
const created = { version: id, createdAt: instant, createdBy: actor.nullable(), deletedAt: instant.nullable() }

export const ArchiveFormat = z.object({ format: z.literal(ARCHIVE_FORMAT) })

export const ArchivedTag = z.object({ name: tagName() })

export const ArchivedCustomer = z.object({
  ...CreateCustomer.shape,
  id,
  /** The account's own setting; the other one is false if the address is closed. */
  ownSendNotifications: z.boolean(),
  ...created,
})

export const ArchivedContact = z.object({ ...AddContact.shape, id, customerId: id, createdAt: instant })

export const ArchivedContract = z
  .object({
    ...NewContractFields.shape,
    tags: CreateContract.shape.tags,
    nextAmount: UpdateContract.shape.nextAmount,
    nextCycle: UpdateContract.shape.nextCycle,
    id,
    customerId: id,
    term: termNumber,
    termStart: day,
    anchorDate: day,
    endsOn: day.nullable(),
    heldRenewalDate: day.nullable(),
    mutedRenewalDate: day.nullable(),
    pdfPath: text(400).nullable(),
    ...created,
  })
  .refine(({ startDate, renewalDate }) => renewalDate >= startDate, 'The renewal date is before the start date')
  .refine(({ term, termStart, renewalDate }) => term === 1 || termStart < renewalDate, 'The term has no days')

export const ArchivedTerm = z
  .object({
    contractId: id,
    number: termNumber,
    startDate: day,
    renewalDate: day,
    amountCents: cents,
    renewalCycle: cycle,
    decidedAt: instant,
    decidedBy: actor,
  })
  .refine(({ startDate, renewalDate }) => renewalDate >= startDate, 'The term ends before it begins')

/** The columns of a contract before or after a decision: undoing it stores them, so they are as the table has them. */
const Decided = z
  .object({
    // 0 in an archive of an account that has itself imported one, where the customer was gone by then.
    customerId: z.int().min(0).max(LARGEST_ID),
    status: z.enum(CONTRACT_STATUSES),
    amountCents: cents,
    renewalCycle: cycle,
    startDate: day,
    renewalDate: day,
    renews: z.enum(RENEWS),
    termNumber,
    termStart: day.nullable(),
    anchorDate: day.nullable(),
    nextAmountCents: cents.nullable(),
    nextCycle: cycle.nullable(),
    endsOn: day.nullable(),
    heldRenewalDate: day.nullable(),
    remindersSince: instant,
  })
  .refine(({ startDate, renewalDate }) => renewalDate >= startDate, 'The renewal date is before the start date')
  .refine(({ termNumber: number, termStart }) => (number === 1) === (termStart === null), 'The term has no start')
  .refine(({ termStart, renewalDate }) => termStart === null || termStart < renewalDate, 'The term has no days')

export const ArchivedDecision = z
  .object({
    contractId: id,
    act: z.enum(ACTS),
    decidedAt: instant,
    decidedBy: actor,
    reason: text(100).nullable(),
    note: text(LONGEST_NOTE).nullable(),
    before: Decided,
    after: Decided,
  })
  .refine(({ before, after }) => before.startDate === after.startDate, 'No decision changes the start date')

export const ArchivedView = z.object({
  name: text(60).min(1),
  /** A filter may be gone since, so that whoever opens the view reads it as any address. */
  search: z.record(text(60), z.union([text(1000), z.number(), z.boolean()])),
  position: z.int().min(1).max(MOST_VIEWS),
})

export const ArchivedNote = z
  .object({
    customerId: id.nullable(),
    contractId: id.nullable(),
    text: lines(MAX_NOTE, 'Must not be empty'),
    createdAt: instant,
    createdBy: actor,
    editedAt: instant.nullable(),
  })
  .refine(({ customerId, contractId }) => (customerId === null) !== (contractId === null), 'It must be about one thing')

const Columns = z.record(
  text(60),
  z.union([text(20_000), z.number(), z.boolean(), z.null(), z.array(text(100)).max(100)]),
)

export const ArchivedChange = z.object({
  about: z.enum(ACTIVITY_SUBJECTS),
  /** Below 0 in an account that has itself imported an archive: of what was gone by then. */
  aboutId: z.int().min(-LARGEST_ID).max(LARGEST_ID),
  at: instant,
  actor,
  before: Columns,
  after: Columns.nullable(),
})

export const ArchivedMessage = z
  .object({
    id: messageId,
    contractId: id.nullable(),
    customerId: id.nullable(),
    customerName: text(1000),
    renewalDate: day,
    termNumber,
    kind: z.union([MessageKey.shape.kind, z.literal('letter')]),
    /** Of a reminder by hand, the days left, which may be many. */
    offset: z.int().min(-LARGEST_ID).max(LARGEST_ID),
    day,
    recipient: MessageKey.shape.recipient,
    contactId: z.int().min(-LARGEST_ID).max(LARGEST_ID),
    contactName: text(1000).nullable(),
    channel: z.union([MessageKey.shape.channel, z.literal('letter')]),
    state: z.enum(REMINDER_STATES),
    reasonKey: keyOf(REMINDER_REASONS).nullable(),
    address: text(1000).nullable(),
    subject: text(5000).nullable(),
    body: text(LONGEST_BODY).nullable(),
    mailNumber: text(LONGEST_MAIL_NUMBER).nullable().default(null),
    delivery: z.enum(LETTER_DELIVERIES).nullable().default(null),
    answer: text(5000).nullable(),
    attempts: z.int().min(0).max(LARGEST_ID),
    repeats: z.int().min(0).max(1),
    plannedAt: instant,
    sendingAt: instant.nullable(),
    sentAt: instant.nullable(),
    sentOn: day.nullable(),
    endedAt: instant.nullable(),
    deliveredAt: instant.nullable(),
    bouncedAt: instant.nullable(),
  })
  .refine(
    ({ state, reasonKey }) => (reasonKey !== null) === ['skipped', 'failed'].includes(state),
    'Its state and reason do not go together',
  )
  .refine(({ recipient, channel }) => recipient === 'owner' || channel !== 'in_app', 'Customers get email and letters')
  .refine(
    ({ kind, channel, recipient, state, delivery }) =>
      kind === 'letter'
        ? channel === 'letter' && recipient === 'customer' && state === 'sent'
        : channel !== 'letter' && delivery === null,
    'A letter is one that was mailed to a customer',
  )

export const ArchivedComplaint = z.object({
  reminderId: messageId,
  source: z.enum(['report', 'provider']),
  reason: z.enum(REPORT_REASON_KEYS).nullable(),
  complainedAt: instant,
})

const address = text(320).refine((written) => written === written.toLowerCase(), 'Must be in lower case')

export const ArchivedBounce = z.object({
  address,
  bouncedAt: instant,
  answer: text(5000).nullable(),
  clearedAt: instant.nullable(),
})

export const ArchivedClosedAddress = z.object({
  address,
  reason: keyOf(CLOSED_REASONS),
  closedAt: instant,
})

export const ArchivedMailStop = z.object({
  stoppedAt: instant,
  complaints: z.int().min(0).max(LARGEST_ID),
  mails: z.int().min(0).max(LARGEST_ID),
  liftedAt: instant.nullable(),
})
