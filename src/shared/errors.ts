import { API_KEY_REFUSALS } from './api-key-refusals.ts'
import { COMPANY_REFUSALS } from './company-refusals.ts'
import { CONSENT_REFUSALS } from './consent-refusals.ts'
import { READ_ONLY_REFUSALS } from './read-only-refusals.ts'
import { SCREEN_REFUSALS } from './screen-refusals.ts'

/**
 * Every refusal a person can meet, with the words they read. `code` is a tRPC code; the HTTP status follows from it.
 * The words of a wrong field stand in its schema.
 */
export const REFUSALS = {
  ...SCREEN_REFUSALS,
  ...READ_ONLY_REFUSALS,
  ...CONSENT_REFUSALS,
  ...COMPANY_REFUSALS,
  ...API_KEY_REFUSALS,
  NOT_SIGNED_IN: { code: 'UNAUTHORIZED', message: 'You are not logged in' },
  REVERIFICATION_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'Confirm that it is you: your sign-in was too long ago for this',
  },
  SESSION_NOT_FOUND: { code: 'NOT_FOUND', message: 'Session not found: it has ended already' },
  DELETION_UNCONFIRMED: { code: 'BAD_REQUEST', message: 'This is not the email address of the account' },
  TIME_ZONE_UNKNOWN: { code: 'BAD_REQUEST', message: 'The database of this installation does not know this time zone' },
  SUBSCRIPTION_REQUIRED: { code: 'PAYMENT_REQUIRED', message: 'An active or trialing subscription is required' },
  INPUT_INVALID: { code: 'BAD_REQUEST', message: 'The request is not valid' },
  CURSOR_INVALID: { code: 'BAD_REQUEST', message: 'The cursor is not one of this list' },
  CUSTOMER_NAME_REQUIRED: { code: 'BAD_REQUEST', message: 'Customer name is required' },
  CUSTOMER_NOT_FOUND: { code: 'NOT_FOUND', message: 'Customer not found' },
  CUSTOMER_HAS_CONTRACTS: {
    code: 'BAD_REQUEST',
    message: 'Cannot delete customer - they may have existing contracts',
  },
  CUSTOMER_NUMBER_TAKEN: { code: 'CONFLICT', message: 'Another customer already has this customer number' },
  TOO_MANY_REQUESTS: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Please try again in {wait}' },
  TOO_MANY_AT_ONCE: {
    code: 'TOO_MANY_REQUESTS',
    message: 'Your earlier requests of this kind are still running. Please try again in a few seconds',
  },
  STRANGER_REFUSED: {
    code: 'FORBIDDEN',
    message:
      'This server runs with stand-ins that let anybody in, and answers only to its machine and its private network. ' +
      'Set NODE_ENV=production and what it needs to open it to others',
  },
  HOST_UNKNOWN: {
    code: 'BAD_REQUEST',
    message: 'TRAXX does not answer to this host name. Set PUBLIC_URL to the address that you use',
  },
  CONTRACT_NOT_FOUND: { code: 'NOT_FOUND', message: 'Contract not found' },
  RENEWAL_BEFORE_START: { code: 'BAD_REQUEST', message: 'Renewal date must not be before the start date' },
  PDF_NOT_FOUND: { code: 'NOT_FOUND', message: 'This contract has no PDF' },
  PDF_FORM_REQUIRED: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the PDF as multipart/form-data, in the field "pdf"',
  },
  PDF_FIELD_REQUIRED: { code: 'BAD_REQUEST', message: 'Send one PDF file, in the field "pdf"' },
  PDF_FORM_UNREADABLE: { code: 'BAD_REQUEST', message: 'The form with the PDF cannot be read' },
  NOT_A_PDF: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Please select a PDF file' },
  SEVERAL_PDFS: { code: 'BAD_REQUEST', message: 'A contract has one PDF. Please drop a single file' },
  PDF_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The PDF is larger than 20 MB' },
  PDF_EMPTY: { code: 'UNPROCESSABLE_CONTENT', message: 'The PDF is empty' },
  PDF_INCOMPLETE: { code: 'UNPROCESSABLE_CONTENT', message: 'The PDF is not complete: its end is missing' },
  PDFS_FULL: { code: 'CONFLICT', message: 'An account has room for {count} PDFs, {size} in all. Remove some first' },
  PDF_UPLOAD_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to upload PDF' },
  PDF_LOAD_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to load PDF' },
  IMPORT_NOT_FOUND: { code: 'NOT_FOUND', message: 'Import not found' },
  IMPORT_FORM_REQUIRED: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the file as multipart/form-data, in the field "file"',
  },
  IMPORT_FORM_UNREADABLE: { code: 'BAD_REQUEST', message: 'The form with the file cannot be read' },
  IMPORT_FILE_REQUIRED: { code: 'BAD_REQUEST', message: 'Send one file, in the field "file"' },
  IMPORT_TYPE_UNSUPPORTED: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Please select a CSV file or an Excel file (.xlsx)',
  },
  IMPORT_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The file is larger than 50 MB' },
  IMPORT_TOO_MANY_ROWS: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The file has more than 200,000 rows. Split it into smaller files',
  },
  IMPORT_TOO_MANY_COLUMNS: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The file has more than 1,000 columns. Remove the ones you do not need',
  },
  IMPORT_SHEET_TOO_LARGE: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The spreadsheet is too large. Save it as a CSV file and upload that',
  },
  IMPORT_UNREADABLE: { code: 'UNPROCESSABLE_CONTENT', message: 'This file cannot be read as a CSV or Excel file' },
  IMPORT_QUOTE_OPEN: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The row that begins on line {line} has a quotation mark that is never closed',
  },
  IMPORT_ROW_TOO_LONG: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The row that begins on line {line} is too long. Is a quotation mark not closed?',
  },
  IMPORT_COLUMNS_MISSING: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The first row must contain the column headings. These are missing: {columns}',
  },
  IMPORT_EMPTY: { code: 'UNPROCESSABLE_CONTENT', message: 'The file has no rows' },
  IMPORT_REPEATED: { code: 'CONFLICT', message: 'This file has been imported before. Import it again?' },
  IMPORT_DATE_ORDER_UNCLEAR: {
    code: 'CONFLICT',
    message: 'Dates such as {value} can be read in two ways. Which comes first, the month or the day?',
  },
  IMPORT_DECIMAL_MARK_UNCLEAR: {
    code: 'CONFLICT',
    message: 'Amounts such as {value} can be read in two ways. Is the decimal mark a dot or a comma?',
  },
  IMPORT_SENDS_MAIL: {
    code: 'CONFLICT',
    message: 'Send emails to customers about these contracts?',
  },
  IMPORT_BUSY: {
    code: 'TOO_MANY_REQUESTS',
    message: 'Other Excel files are being imported. Please try again in a few minutes, or save yours as a CSV file',
  },
  IMPORT_TOO_MANY_WAITING: {
    code: 'TOO_MANY_REQUESTS',
    message: 'You already have 3 Excel files waiting to be imported. Please wait until they are done',
  },
  IMPORT_RUNNING: { code: 'CONFLICT', message: 'This import is still running' },
  IMPORT_STOPPED: {
    code: 'INTERNAL_SERVER_ERROR',
    message: 'The import stopped. Everything up to line {line} was imported: {created} created, {failed} failed',
  },
  SAMPLE_DATA_LOADED: { code: 'CONFLICT', message: 'The sample data is already loaded' },
  ACCOUNT_NOT_EMPTY: { code: 'CONFLICT', message: 'Sample data is for accounts without contracts' },
  NOTIFICATION_NOT_FOUND: { code: 'NOT_FOUND', message: 'Notification not found' },
  REMINDER_CONTRACT_CLOSED: { code: 'CONFLICT', message: 'Only pending and active contracts have reminders' },
  REMINDER_NO_ADDRESS: { code: 'UNPROCESSABLE_CONTENT', message: 'This customer has no email address' },
  REMINDER_OPTED_OUT: { code: 'UNPROCESSABLE_CONTENT', message: 'Notifications are turned off for this customer' },
  REMINDER_ADDRESS_BOUNCED: {
    code: 'UNPROCESSABLE_CONTENT',
    message:
      "Mail to this customer's address bounced. Correct it, or say in the customer's details that it works again",
  },
  REMINDER_OWN_ADDRESS_BOUNCED: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'Mail to your own address bounced. Say in your profile that it works again, or change it, first',
  },
  REMINDER_OFF: { code: 'CONFLICT', message: 'Reminders of this kind are turned off' },
  REMINDER_DATE_CHANGED: { code: 'CONFLICT', message: 'The renewal date was changed, so this message is not sent' },
  REMINDER_TOO_LATE: { code: 'CONFLICT', message: 'It is too late for this message' },
  REMINDER_SENT_TODAY: { code: 'CONFLICT', message: 'A reminder was already sent to this customer today' },
  REMINDER_ON_ITS_WAY: { code: 'CONFLICT', message: 'A reminder to this customer is already on its way' },
  REMINDER_ACCOUNT_LIMIT: {
    code: 'TOO_MANY_REQUESTS',
    message: 'Your account has sent all {limit} emails to customers that it may send today. Please try again tomorrow',
  },
  REMINDER_ADDRESS_LIMIT: {
    code: 'TOO_MANY_REQUESTS',
    message: 'This address has already been sent {limit} emails today, which is the most. Please try again tomorrow',
  },
  REMINDER_WAITS_FOR_LIMIT: {
    code: 'TOO_MANY_REQUESTS',
    message: 'A limit of emails a day is met. The reminder waits, and is sent as soon as it may be',
  },
  REMINDER_NOT_FOUND: { code: 'NOT_FOUND', message: 'Reminder not found' },
  REMINDER_DECIDED: { code: 'CONFLICT', message: 'This message has been sent or decided meanwhile' },
  REMINDER_SNOOZE_DAY: {
    code: 'BAD_REQUEST',
    message: 'Choose a day after today, and for a reminder one up to the renewal date',
  },
  UNSUBSCRIBE_NOT_FOUND: { code: 'NOT_FOUND', message: 'This link is not valid' },
  REMINDER_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to send reminder' },
  TEXT_TEST_FAILED: { code: 'BAD_GATEWAY', message: 'The test could not be sent. Please try again in a few minutes' },
  REMINDER_WAITS: {
    code: 'BAD_GATEWAY',
    message: 'The mail server could not be reached. The reminder will be sent as soon as it can be',
  },
  SUBSCRIPTION_NOT_FOUND: { code: 'NOT_FOUND', message: 'Subscription not found' },
  ALREADY_SUBSCRIBED: { code: 'CONFLICT', message: 'You already have a subscription' },
  CHECKOUT_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to create checkout session' },
  PORTAL_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to create portal session' },
  CONTACT_FROM_ELSEWHERE: { code: 'FORBIDDEN', message: 'Please send your message from this page' },
  CONTACT_TOO_OFTEN: {
    code: 'TOO_MANY_REQUESTS',
    message: 'That is many messages at once. Please try again in an hour, or write to the address below',
  },
  CONTACT_FAILED: {
    code: 'BAD_GATEWAY',
    message: 'Your message could not be sent. Please try again in a few minutes, or write to the address below',
  },
  BILLING_UNAVAILABLE: { code: 'BAD_GATEWAY', message: 'The payment service did not answer. Please try again' },
  WEBHOOK_UNSIGNED: { code: 'BAD_REQUEST', message: 'The webhook signature is not valid' },
  WEBHOOK_STALE: { code: 'BAD_REQUEST', message: 'The webhook was not signed within the last few minutes' },
  WEBHOOK_REPEATED: { code: 'CONFLICT', message: 'This webhook was received before' },
  WEBHOOK_UNREADABLE: { code: 'BAD_REQUEST', message: 'The webhook event cannot be read' },
  PATH_NOT_FOUND: { code: 'NOT_FOUND', message: 'There is nothing at this address' },
  BODY_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The request is larger than the server accepts' },
  BODY_TOO_SLOW: { code: 'TIMEOUT', message: 'The request took too long to arrive' },
  BODY_TYPE_UNSUPPORTED: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the request body as JSON' },
  BODY_ENCODED: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the request body uncompressed, in UTF-8' },
  BODY_UNREADABLE: { code: 'BAD_REQUEST', message: 'The request body is not valid JSON' },
  SERVER_BUSY: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server is very busy. Please try again in a few seconds',
  },
  FAULT: { code: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong' },
} as const

export type RefusalKey = keyof typeof REFUSALS
export type RefusalCode = (typeof REFUSALS)[RefusalKey]['code']

interface RefusalOptions extends ErrorOptions {
  /** What stands in the text's {places}. */
  values?: Record<string, string | number>
  /** What the answer tells besides its text. */
  details?: object
  /** When it makes sense to try again, and by which limit it is refused. */
  wait?: Wait | undefined
}

interface Wait {
  seconds: number
  limit?: number | undefined
}

/** How long to wait where only somebody else's work is in the way. */
const BUSY: Wait = { seconds: 60 }

/** A foreseen refusal: both transports turn it into their own kind of answer. */
export class AppError extends Error {
  readonly key: RefusalKey
  readonly values: Record<string, string | number>
  readonly details: object
  /** Every refusal of too many requests has one. */
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
    this.wait = wait ?? (this.code === 'TOO_MANY_REQUESTS' ? BUSY : undefined)
  }

  get code(): RefusalCode {
    return REFUSALS[this.key].code
  }
}
