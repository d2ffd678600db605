import * as z from 'zod/mini'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { CLOSED_REASONS } from '#shared/domain/closed-address.ts'
import {
  DEFAULT_HOUR,
  DEFAULT_PREFERENCES,
  FOLLOW_UP_DAYS,
  REMINDER_DAYS,
} from '#shared/domain/reminder-preferences.ts'
import type { MailLimit } from '#shared/domain/mail-limits.ts'
import { CompanyName, ReplyTo } from './company.ts'
import { ContractChanges, UpdateContract } from './contracts.ts'
import { day, Id, instantText, unknownNames } from './fields.ts'
import { Cursor, oneOf, wholeNumber } from './filters.ts'
import { RenameTag, TagByName, tags as customerTags } from './tags.ts'

/** Why a message was skipped or failed. */
export const REMINDER_REASONS = {
  closed: 'The contract is no longer open',
  contract_deleted: 'The contract was deleted',
  date_changed: 'The renewal date was changed',
  renewed: 'The contract was renewed',
  undone: 'The renewal was undone',
  ending: 'The contract is set to end',
  answered: 'The customer has answered',
  answer_changed: 'The answer was changed or undone',
  reader_changed: 'The contact who answered now has a different address, or the contract belongs to another customer',
  off: 'Reminders of this kind are turned off',
  muted: 'You turned off emails about this renewal date',
  no_address: 'There is no email address',
  opted_out: 'Notifications are turned off for this customer',
  address_bounced: 'Email to this address bounced',
  contact_off: 'This contact no longer gets reminders',
  second_copy: 'Another contact of the customer has the same address',
  ...CLOSED_REASONS,
  mail_stopped: 'Mail to customers was paused',
  superseded: 'Another message replaced it',
  too_late: 'It was too late to send it',
  no_company: 'Your company name was not entered in time',
  unverified: 'Your email address was not verified in time',
  no_access: 'Your subscription no longer covered it',
  manual: 'A reminder was sent manually',
  confirmed: 'The customer was told of the renewal that day',
  noticed: 'The customer got a notice that day',
  not_due: 'No notice was due any more',
  by_hand: 'You skipped it',
  limited: 'The daily email limit kept it from being sent in time',
  refused: 'The mail server refused the message',
  deferred: 'The mail server has not accepted the message yet',
  unreachable: 'The mail server could not be reached',
  unknown: 'We could not tell whether the message was sent',
  moved: 'It was waiting to be sent when this account was exported elsewhere',
} as const
export type ReminderReason = keyof typeof REMINDER_REASONS

/** What a message is waiting for. */
export const REMINDER_WAITS: Record<MailLimit, string> = {
  account_limit: 'You have reached the daily limit of emails to customers',
  address_limit: 'This address has reached the daily limit of emails',
}

/** Days chosen from the options, without repeats, in order of occurrence. */
function chosenDays(options: readonly number[], order: (one: number, other: number) => number) {
  return z.pipe(
    z
      .array(z.int(), 'Must be a list of days')
      .check(
        z.refine(
          (days) => days.every((day) => options.includes(day)),
          `Must be days from this list: ${options.join(', ')}`,
        ),
      ),
    z.transform((days: number[]) => [...new Set(days)].toSorted(order)),
  )
}

const reminderDays = chosenDays(REMINDER_DAYS, (one, other) => other - one)
const followUpDays = chosenDays(FOLLOW_UP_DAYS, (one, other) => one - other)
const flag = z.boolean('Must be true or false')

const HOUR = 'Must be an hour from 0 to 23'

/** An account's reminder settings (spec, section 3), with the hour of its messages. */
export const ReminderSettings = z.object({
  enableNotifications: flag,
  reminderDays,
  followUpDays,
  notificationMethods: z.strictObject({ email: flag, inApp: flag }, unknownNames),
  hour: z.int(HOUR).check(z.minimum(0, HOUR), z.maximum(23, HOUR)),
})
export type ReminderSettings = z.output<typeof ReminderSettings>

/**
 * The settings as they are saved. The name and the reply-to address belong to the company. They keep their values if they
 * are not sent; so does the name if it is blank.
 */
export const SaveReminderSettings = z.object({
  ...ReminderSettings.shape,
  senderName: z.optional(
    z.pipe(
      z.pipe(
        z.nullable(z.string('Must be text')),
        z.transform((name: string | null) => name?.trim() || null),
      ),
      z.nullable(CompanyName),
    ),
  ),
  replyTo: z.optional(ReplyTo),
})
export type SaveReminderSettings = z.output<typeof SaveReminderSettings>

/** One contract's own settings; null uses the account's. */
export const ContractReminderSettings = z.object({
  enableNotifications: z.nullable(flag),
  reminderDays: z.nullable(reminderDays),
  followUpDays: z.nullable(followUpDays),
  email: z.nullable(flag),
  inApp: z.nullable(flag),
})
export type ContractReminderSettings = z.output<typeof ContractReminderSettings>

export const DEFAULT_SETTINGS: ReminderSettings = {
  ...DEFAULT_PREFERENCES,
  reminderDays: [...DEFAULT_PREFERENCES.reminderDays],
  followUpDays: [...DEFAULT_PREFERENCES.followUpDays],
  hour: DEFAULT_HOUR,
}

/** Saves one contract's own settings. */
export const SaveContractSettings = z.object({ ...ContractReminderSettings.shape, id: Id })
export type SaveContractSettings = z.output<typeof SaveContractSettings>

/** Upcoming messages; a page begins after the last cursor of the page before. */
export const ListComing = z.object({
  limit: z._default(wholeNumber(1, 100), 20),
  cursor: z.optional(Cursor),
})
export type ListComing = z.output<typeof ListComing>

const OFFSET = 'Must be a number of days from -36500 to 36500'

const CONTACT = 'Must be the ID of a contact, or 0 for the first'
const ContactId = z.int(CONTACT).check(z.minimum(0, CONTACT), z.maximum(2_147_483_647, CONTACT))

const MESSAGE_ID = 'Must be a whole number'

/** A row of the ledger, whose IDs are larger than others. */
export const ByMessage = z.object({
  id: z
    .union([z.int(), z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number))], MESSAGE_ID)
    .check(z.refine((id) => id >= 1, MESSAGE_ID)),
})
export type ByMessage = z.output<typeof ByMessage>

/** Identifies a message, whether or not it is in the ledger yet. */
export const MessageKey = z.object({
  contractId: Id,
  renewalDate: day('Renewal date is required'),
  kind: oneOf(['reminder', 'follow_up', 'manual', 'confirmation', 'notice', 'answer', 'reply']),
  offset: z.int(OFFSET).check(z.minimum(-36_500, OFFSET), z.maximum(36_500, OFFSET)),
  recipient: oneOf(['customer', 'owner']),
  contactId: z._default(ContactId, 0),
  channel: oneOf(['email', 'in_app']),
})
export type MessageKey = z.output<typeof MessageKey>

export const SnoozeReminder = z.object({ ...MessageKey.shape, until: day('Choose a day') })
export type SnoozeReminder = z.output<typeof SnoozeReminder>

/** Puts a message that was about to be sent back to where it was planned; null if it was not planned before. */
export const UndoPlannedNow = z.object({
  ...MessageKey.shape,
  before: z.nullable(z.strictObject({ day: day('Choose a day'), at: instantText() }, unknownNames)),
})
export type UndoPlannedNow = z.output<typeof UndoPlannedNow>

const { renewalCycle, renews, noticePeriod, tags } = ContractChanges.shape
const { nextCycle } = UpdateContract.shape

/**
 * A contract about to be saved, with its ID if it exists: then what is not sent stays as it is. An ending one goes on
 * ending unless `endsOn` is sent. If it has been saved already, `before` has what that replaced.
 */
export const AnnounceMail = z.object({
  id: z.optional(Id),
  customerId: Id,
  renewalDate: day('Renewal date is required'),
  status: oneOf(CONTRACT_STATUSES),
  endsOn: z.optional(z.null()),
  startDate: z.optional(day('Start date is required')),
  renewalCycle,
  nextCycle,
  renews,
  noticePeriod,
  tags,
  before: z.optional(z.strictObject({ renews, noticePeriod, nextCycle }, unknownNames)),
})
export type AnnounceMail = z.output<typeof AnnounceMail>

/** The tags that a customer is about to have. */
export const AnnounceCustomerTags = z.object({ id: Id, tags: customerTags() })
export type AnnounceCustomerTags = z.output<typeof AnnounceCustomerTags>

/** A tag that is about to be renamed to `name`, or without it to be removed. */
export const AnnounceTag = z.object({ ...TagByName.shape, name: z.optional(RenameTag.shape.name) })
export type AnnounceTag = z.output<typeof AnnounceTag>

/** Whether a contract's customer gets emails about its renewal date. */
export const MuteContract = z.object({ id: Id, reminders: oneOf(['on', 'off']) })
export type MuteContract = z.output<typeof MuteContract>
