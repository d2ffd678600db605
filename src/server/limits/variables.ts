import { z } from 'zod'
import { STORAGE, type Storage } from './quotas.ts'
import { GENERAL_LIMITS, SHARED_LIMITS, type LimitSettings } from './allowances.ts'

const LONGEST_DAYS = 3650

const atMost = (most: number) => z.coerce.number().int().min(1).default(most)

const daysFrom = (fewest: number, days: number) => z.coerce.number().int().min(fewest).max(LONGEST_DAYS).default(days)

/** The operator's variables; .env.example explains each. */
export const LIMIT_VARIABLES = {
  LIMIT_ACCOUNT: atMost(GENERAL_LIMITS.account.most),
  LIMIT_ADDRESS: atMost(GENERAL_LIMITS.address.most),
  LIMIT_WRONG_CREDENTIALS: atMost(SHARED_LIMITS.wrongCredentials.most),
  LIMIT_REMINDERS_BY_HAND: atMost(SHARED_LIMITS.remindersByHand.most),
  LIMIT_LETTER_MARKS: atMost(SHARED_LIMITS.letterMarks.most),
  LIMIT_TEST_MAILS: atMost(SHARED_LIMITS.testMails.most),
  LIMIT_IMPORTS: atMost(SHARED_LIMITS.imports.most),
  LIMIT_EXPORTS: atMost(SHARED_LIMITS.exports.most),
  LIMIT_PREVIEWS: atMost(SHARED_LIMITS.previews.most),
  LIMIT_BILLING_CALLS: atMost(SHARED_LIMITS.billingCalls.most),
  LIMIT_IDENTITY_CALLS: atMost(SHARED_LIMITS.identityCalls.most),
  LIMIT_REPORTS: atMost(SHARED_LIMITS.reports.most),
  LIMIT_CUSTOMER_ANSWERS: atMost(SHARED_LIMITS.customerAnswers.most),
  LIMIT_CONTACT: atMost(SHARED_LIMITS.contact.most),
}

/** Operators have no reason to change these. */
type NotSet =
  | 'wrongMetricsTokens'
  | 'archives'
  | 'importedArchives'
  | 'contactOfAll'
  | 'letters'
  | 'idempotencyKeys'
  | 'resubscriptions'
  | 'replyToCodes'
  | 'replyToCodesToAddress'
type Variables = Record<keyof typeof LIMIT_VARIABLES, number>

export function limitsOf(variables: Variables): Required<Omit<LimitSettings, NotSet>> {
  return {
    account: variables.LIMIT_ACCOUNT,
    address: variables.LIMIT_ADDRESS,
    wrongCredentials: variables.LIMIT_WRONG_CREDENTIALS,
    wrongKeys: variables.LIMIT_WRONG_CREDENTIALS,
    remindersByHand: variables.LIMIT_REMINDERS_BY_HAND,
    letterMarks: variables.LIMIT_LETTER_MARKS,
    testMails: variables.LIMIT_TEST_MAILS,
    imports: variables.LIMIT_IMPORTS,
    exports: variables.LIMIT_EXPORTS,
    previews: variables.LIMIT_PREVIEWS,
    billingCalls: variables.LIMIT_BILLING_CALLS,
    identityCalls: variables.LIMIT_IDENTITY_CALLS,
    reports: variables.LIMIT_REPORTS,
    customerAnswers: variables.LIMIT_CUSTOMER_ANSWERS,
    contact: variables.LIMIT_CONTACT,
  }
}

const { quotas, keptDays } = STORAGE
const MEGABYTE = 1024 ** 2

export const STORAGE_VARIABLES = {
  QUOTA_CUSTOMERS_AND_CONTRACTS: atMost(quotas.customersAndContracts),
  QUOTA_FAILED_ROWS: atMost(quotas.failedRows),
  QUOTA_IMPORTS: atMost(quotas.imports),
  QUOTA_PDFS: atMost(quotas.pdfs),
  QUOTA_PDF_MEGABYTES: atMost(quotas.pdfBytes / MEGABYTE),
  KEEP_FAILED_ROWS_DAYS: daysFrom(1, keptDays.failedRows),
  KEEP_READ_NOTIFICATIONS_DAYS: daysFrom(1, keptDays.readNotifications),
  KEEP_UNREAD_NOTIFICATIONS_DAYS: daysFrom(1, keptDays.unreadNotifications),
  KEEP_CLEARED_NOTIFICATIONS_DAYS: daysFrom(1, keptDays.clearedNotifications),
  // Stripe repeats an event for three days.
  KEEP_STRIPE_EVENTS_DAYS: daysFrom(4, keptDays.stripeEvents),
  // Longer than the interval of any job.
  KEEP_JOB_RUNS_DAYS: daysFrom(2, keptDays.jobRuns),
  // Limits only use today's counts.
  KEEP_MAIL_COUNTS_DAYS: daysFrom(1, keptDays.mailCounts),
  // Time to read after access has ended, and for two emails before the deletion.
  KEEP_ENDED_ACCOUNTS_DAYS: daysFrom(60, keptDays.endedAccounts),
}

export function storageOf(variables: Record<keyof typeof STORAGE_VARIABLES, number>): Storage {
  return {
    quotas: {
      customersAndContracts: variables.QUOTA_CUSTOMERS_AND_CONTRACTS,
      failedRows: variables.QUOTA_FAILED_ROWS,
      imports: variables.QUOTA_IMPORTS,
      pdfs: variables.QUOTA_PDFS,
      pdfBytes: variables.QUOTA_PDF_MEGABYTES * MEGABYTE,
    },
    keptDays: {
      failedRows: variables.KEEP_FAILED_ROWS_DAYS,
      readNotifications: variables.KEEP_READ_NOTIFICATIONS_DAYS,
      unreadNotifications: variables.KEEP_UNREAD_NOTIFICATIONS_DAYS,
      clearedNotifications: variables.KEEP_CLEARED_NOTIFICATIONS_DAYS,
      stripeEvents: variables.KEEP_STRIPE_EVENTS_DAYS,
      jobRuns: variables.KEEP_JOB_RUNS_DAYS,
      mailCounts: variables.KEEP_MAIL_COUNTS_DAYS,
      endedAccounts: variables.KEEP_ENDED_ACCOUNTS_DAYS,
    },
  }
}
