import { ANSWER_REFUSALS } from './refusals/answer.ts'
import { API_KEY_REFUSALS } from './refusals/api-key.ts'
import { ARCHIVE_REFUSALS } from './refusals/archive.ts'
import { BULK_REFUSALS } from './refusals/bulk.ts'
import { CALENDAR_REFUSALS } from './refusals/calendar.ts'
import { COMPANY_REFUSALS } from './refusals/company.ts'
import { CONTACT_REFUSALS } from './refusals/customer-contact.ts'
import { CONSENT_REFUSALS } from './refusals/consent.ts'
import { EDIT_REFUSALS } from './refusals/edit.ts'
import { IDEMPOTENCY_REFUSALS } from './refusals/idempotency.ts'
import { IMPORT_REFUSALS } from './refusals/import.ts'
import { PROOF_REFUSALS } from './refusals/proof.ts'
import { ACCESS_REFUSALS } from './refusals/access.ts'
import { NOTE_REFUSALS } from './refusals/note.ts'
import { NOTICE_REFUSALS } from './refusals/notice.ts'
import { RENEWAL_REFUSALS } from './refusals/renewal.ts'
import { SCREEN_REFUSALS } from './refusals/screen.ts'
import { SERVER_REFUSALS } from './refusals/server.ts'
import { TAG_REFUSALS } from './refusals/tag.ts'
import { VIEW_REFUSALS } from './refusals/view.ts'

/**
 * Every refusal and the sentence people read. `code` is a tRPC code; the HTTP status follows from it. `retrySeconds` says
 * when to try again, unless the refusal itself does. What is wrong with a field is said by its schema.
 */
export const REFUSALS = {
  ...SCREEN_REFUSALS,
  ...ACCESS_REFUSALS,
  ...CONSENT_REFUSALS,
  ...CONTACT_REFUSALS,
  ...COMPANY_REFUSALS,
  ...API_KEY_REFUSALS,
  ...IMPORT_REFUSALS,
  ...ARCHIVE_REFUSALS,
  ...IDEMPOTENCY_REFUSALS,
  ...RENEWAL_REFUSALS,
  ...ANSWER_REFUSALS,
  ...EDIT_REFUSALS,
  ...BULK_REFUSALS,
  ...CALENDAR_REFUSALS,
  ...NOTE_REFUSALS,
  ...NOTICE_REFUSALS,
  ...TAG_REFUSALS,
  ...VIEW_REFUSALS,
  ...PROOF_REFUSALS,
  NOT_SIGNED_IN: { code: 'UNAUTHORIZED', message: 'You are not logged in' },
  REVERIFICATION_REQUIRED: {
    code: 'FORBIDDEN',
    message: "Please confirm it's you. You signed in more than 10 minutes ago",
  },
  ACCOUNT_NOT_FOUND: { code: 'NOT_FOUND', message: 'There is no such account' },
  SESSION_NOT_FOUND: { code: 'NOT_FOUND', message: 'This session has already ended' },
  DELETION_UNCONFIRMED: { code: 'BAD_REQUEST', message: 'This is not the email address of your account' },
  TIME_ZONE_UNKNOWN: { code: 'BAD_REQUEST', message: 'This time zone is not supported' },
  SUBSCRIPTION_REQUIRED: { code: 'PAYMENT_REQUIRED', message: 'An active or trialing subscription is required' },
  INPUT_INVALID: { code: 'BAD_REQUEST', message: 'The request is not valid' },
  CURSOR_INVALID: { code: 'BAD_REQUEST', message: 'The cursor is not valid for this list and its order' },
  CUSTOMER_NAME_REQUIRED: { code: 'BAD_REQUEST', message: 'Customer name is required' },
  CUSTOMER_NOT_FOUND: { code: 'NOT_FOUND', message: 'Customer not found' },
  CUSTOMER_HAS_CONTRACTS: {
    code: 'BAD_REQUEST',
    message: 'Cannot delete customer - they may have existing contracts',
  },
  CUSTOMER_NUMBER_TAKEN: { code: 'CONFLICT', message: 'Another customer already has this customer number' },
  TOO_MANY_REQUESTS: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Please try again in {wait}' },
  ACCOUNT_BUSY: {
    code: 'CONFLICT',
    message: 'Something else, such as an import, is changing your data. Please try again in a few minutes',
  },
  TOO_MANY_AT_ONCE: {
    code: 'TOO_MANY_REQUESTS',
    message: 'Your earlier requests are still running. Please try again in a few seconds',
  },
  CONTRACT_NOT_FOUND: { code: 'NOT_FOUND', message: 'Contract not found' },
  RENEWAL_BEFORE_START: { code: 'BAD_REQUEST', message: 'Renewal date must not be before the start date' },
  PDF_NOT_FOUND: { code: 'NOT_FOUND', message: 'This contract has no PDF' },
  PDF_NOT_KEPT: { code: 'NOT_FOUND', message: 'This contract has no earlier PDF that can be restored' },
  PDF_FORM_REQUIRED: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the PDF as multipart/form-data, in the field "pdf"',
  },
  PDF_FIELD_REQUIRED: { code: 'BAD_REQUEST', message: 'Send one PDF file, in the field "pdf"' },
  PDF_FORM_UNREADABLE: { code: 'BAD_REQUEST', message: 'The upload could not be read' },
  NOT_A_PDF: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Please select a PDF file' },
  SEVERAL_PDFS: { code: 'BAD_REQUEST', message: 'A contract can have one PDF. Please drop a single file' },
  PDF_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The PDF is larger than 20 MB' },
  PDF_EMPTY: { code: 'UNPROCESSABLE_CONTENT', message: 'The PDF is empty' },
  PDF_INCOMPLETE: { code: 'UNPROCESSABLE_CONTENT', message: 'The PDF is incomplete: the end of the file is missing' },
  ACCOUNT_FULL: {
    code: 'CONFLICT',
    message:
      'You can have up to {count} customers and contracts in total, including the trash. Delete some permanently first',
  },
  PDFS_FULL: { code: 'CONFLICT', message: 'You can store up to {count} PDFs, {size} in total. Delete some first' },
  PDF_UPLOAD_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to upload PDF', retrySeconds: 15 },
  PDF_LOAD_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to load PDF', retrySeconds: 15 },
  SAMPLE_DATA_LOADED: { code: 'CONFLICT', message: 'The sample data is already loaded' },
  ACCOUNT_NOT_EMPTY: { code: 'CONFLICT', message: 'Sample data is for accounts without contracts' },
  NOTIFICATION_NOT_FOUND: { code: 'NOT_FOUND', message: 'Notification not found' },
  REMINDER_CONTRACT_CLOSED: { code: 'CONFLICT', message: 'Only pending and active contracts have reminders' },
  REMINDER_NO_ADDRESS: { code: 'UNPROCESSABLE_CONTENT', message: 'This customer has no email address' },
  REMINDER_CONTACT_OFF: { code: 'CONFLICT', message: 'This contact no longer gets reminders' },
  REMINDER_SECOND_COPY: {
    code: 'CONFLICT',
    message: 'Another contact of this customer has the same address and gets the message',
  },
  REMINDER_OPTED_OUT: { code: 'UNPROCESSABLE_CONTENT', message: 'Notifications are turned off for this customer' },
  REMINDER_ADDRESS_BOUNCED: {
    code: 'UNPROCESSABLE_CONTENT',
    message: "Email to this customer bounced. Correct the address, or mark it as working in the customer's details",
  },
  REMINDER_OWN_ADDRESS_BOUNCED: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'Email to your address bounced. Change your address, or mark it as working in your profile',
  },
  REMINDER_OFF: { code: 'CONFLICT', message: 'Reminders of this kind are turned off' },
  REMINDER_DATE_CHANGED: {
    code: 'CONFLICT',
    message: 'The renewal date has changed, so this message will not be sent',
  },
  REMINDER_TOO_LATE: { code: 'CONFLICT', message: 'It is too late to send this message' },
  REMINDER_SKIPPED: { code: 'CONFLICT', message: 'The message was not sent: {reason}' },
  REMINDER_ANSWERED: {
    code: 'CONFLICT',
    message: 'The customer has already answered. Accept or decline the answer instead',
  },
  REMINDER_SENT_TODAY: { code: 'CONFLICT', message: 'A reminder was already sent to this customer today' },
  REMINDER_ON_ITS_WAY: { code: 'CONFLICT', message: 'A reminder to this customer is already on its way' },
  REMINDER_ACCOUNT_LIMIT: {
    code: 'TOO_MANY_REQUESTS',
    message: "You have reached today's limit of {limit} emails to customers. Please try again tomorrow",
  },
  REMINDER_ADDRESS_LIMIT: {
    code: 'TOO_MANY_REQUESTS',
    message: "This address has reached today's limit of {limit} emails. Please try again tomorrow",
  },
  REMINDER_WAITS_FOR_LIMIT: {
    code: 'TOO_MANY_REQUESTS',
    message: 'The daily email limit has been reached. The reminder will be sent as soon as possible',
  },
  REMINDER_NOT_FOUND: { code: 'NOT_FOUND', message: 'Reminder not found' },
  REMINDER_DECIDED: { code: 'CONFLICT', message: 'This message was already sent or skipped' },
  REMINDER_NOT_SKIPPED: { code: 'CONFLICT', message: 'You have not skipped this message' },
  REMINDER_SNOOZE_DAY: {
    code: 'BAD_REQUEST',
    message: 'Choose a day after today. A reminder must go out by the renewal date',
  },
  UNSUBSCRIBE_NOT_FOUND: { code: 'NOT_FOUND', message: 'This link is not valid' },
  REMINDER_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to send reminder' },
  TEXT_TEST_FAILED: {
    code: 'BAD_GATEWAY',
    message: 'The test could not be sent. Please try again in a few minutes',
    retrySeconds: 120,
  },
  REMINDER_WAITS: {
    code: 'BAD_GATEWAY',
    message: 'The mail server could not be reached. The reminder will be sent as soon as possible',
  },
  SUBSCRIPTION_NOT_FOUND: { code: 'NOT_FOUND', message: 'Subscription not found' },
  ALREADY_SUBSCRIBED: { code: 'CONFLICT', message: 'You already have a subscription' },
  CHECKOUT_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to create checkout session', retrySeconds: 15 },
  PORTAL_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to create portal session', retrySeconds: 15 },
  CONTACT_FROM_ELSEWHERE: { code: 'FORBIDDEN', message: 'Please send your message from this page' },
  CONTACT_TOO_OFTEN: {
    code: 'TOO_MANY_REQUESTS',
    message:
      'You have sent several messages in a short time. Please try again in an hour, or email us at the address below',
  },
  CONTACT_FAILED: {
    code: 'BAD_GATEWAY',
    message: 'Your message could not be sent. Please try again in a few minutes, or email us at the address below',
    retrySeconds: 120,
  },
  BILLING_UNAVAILABLE: {
    code: 'BAD_GATEWAY',
    message: 'The payment service is not responding. Please try again',
    retrySeconds: 15,
  },
  WEBHOOK_UNSIGNED: { code: 'BAD_REQUEST', message: 'The webhook signature is not valid' },
  WEBHOOK_STALE: { code: 'BAD_REQUEST', message: 'The webhook was not signed within the last few minutes' },
  WEBHOOK_REPEATED: { code: 'CONFLICT', message: 'This webhook was received before' },
  WEBHOOK_UNREADABLE: { code: 'BAD_REQUEST', message: 'The webhook event cannot be read' },
  PATH_NOT_FOUND: { code: 'NOT_FOUND', message: 'Nothing was found at this address' },
  PARAMETER_UNKNOWN: { code: 'BAD_REQUEST', message: 'Unknown parameter "{name}". Allowed: {known}' },
  FIELD_UNKNOWN: { code: 'BAD_REQUEST', message: 'Unknown field "{name}". Allowed: {known}' },
  BODY_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The request is larger than the server accepts' },
  BODY_TOO_SLOW: { code: 'TIMEOUT', message: 'The request took too long to arrive' },
  BODY_TYPE_UNSUPPORTED: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the request body as JSON' },
  BODY_ENCODED: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the request body uncompressed, in UTF-8' },
  BODY_UNREADABLE: { code: 'BAD_REQUEST', message: 'The request body is not valid JSON' },
  ...SERVER_REFUSALS,
} as const

interface Refusal {
  code: RefusalCode
  message: string
  retrySeconds?: number
}

export type RefusalKey = keyof typeof REFUSALS
export type RefusalCode = (typeof REFUSALS)[RefusalKey]['code']

interface RefusalOptions extends ErrorOptions {
  /** The values of the placeholders in the text. */
  values?: Record<string, string | number>
  /** Further fields of the response. */
  details?: object
  /** When to try again, and which limit was hit. */
  wait?: Wait | undefined
}

interface Wait {
  seconds: number
  limit?: number | undefined
}

/** How long to wait if the limit is on requests at the same time. */
const BUSY: Wait = { seconds: 60 }

/** An expected refusal, which each transport translates into its own kind of error. */
export class AppError extends Error {
  readonly key: RefusalKey
  readonly values: Record<string, string | number>
  readonly details: object
  /** Set for every refusal of too many requests, and where something is away for now. */
  readonly wait: Wait | undefined

  constructor(key: RefusalKey, { values = {}, details = {}, wait, ...options }: RefusalOptions = {}) {
    super(
      REFUSALS[key].message.replaceAll(/\{(\w+)\}/g, (_place, name: string) => String(values[name] ?? '')),
      options,
    )
    this.name = 'AppError'
    this.key = key
    this.values = values
    this.details = details
    this.wait = wait ?? usualWait(REFUSALS[key])
  }

  get code(): RefusalCode {
    return REFUSALS[this.key].code
  }
}

function usualWait({ code, retrySeconds }: Refusal): Wait | undefined {
  if (retrySeconds !== undefined) return { seconds: retrySeconds }
  return code === 'TOO_MANY_REQUESTS' ? BUSY : undefined
}
