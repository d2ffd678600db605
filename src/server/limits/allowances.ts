/** A maximum per period. */
export interface Allowance {
  most: number
  seconds: number
  /** By what it is counted, which decides whom the security log names: for `other` nobody. */
  by: 'account' | 'address' | 'other'
}

const MINUTE = 60
const QUARTER_HOUR = 900
const HOUR = 3600
const DAY = 86_400

/** Counted in each process's memory, which costs next to nothing. */
export const GENERAL_LIMITS = {
  account: { most: 1200, seconds: MINUTE, by: 'account' },
  address: { most: 3000, seconds: MINUTE, by: 'address' },
} as const satisfies Record<string, Allowance>

/** Counted in PostgreSQL, for all processes together. */
export const SHARED_LIMITS = {
  /** Refused tokens and keys from one address. */
  wrongCredentials: { most: 30, seconds: QUARTER_HOUR, by: 'address' },
  /** Refused keys with the same beginning, from any address. */
  wrongKeys: { most: 30, seconds: QUARTER_HOUR, by: 'other' },
  /** Wrong tokens for `/metrics`; apart, so that a program with an old one keeps no API key of its address from working. */
  wrongMetricsTokens: { most: 30, seconds: QUARTER_HOUR, by: 'address' },
  remindersByHand: { most: 120, seconds: HOUR, by: 'account' },
  /** Letters marked as mailed, or no longer, each of which is proved for good. */
  letterMarks: { most: 60, seconds: HOUR, by: 'account' },
  testMails: { most: 20, seconds: HOUR, by: 'account' },
  /** Codes that an account sends to reply-to addresses, and codes sent to one address by any account. */
  replyToCodes: { most: 10, seconds: DAY, by: 'account' },
  replyToCodesToAddress: { most: 5, seconds: DAY, by: 'other' },
  imports: { most: 60, seconds: HOUR, by: 'account' },
  /** Archives of accounts, previews included; and how many are imported, which fill an account that then is emptied again. */
  archives: { most: 10, seconds: HOUR, by: 'account' },
  importedArchives: { most: 5, seconds: 30 * DAY, by: 'account' },
  exports: { most: 30, seconds: HOUR, by: 'account' },
  previews: { most: 120, seconds: MINUTE, by: 'account' },
  /** Letters with a logo that may take a second to draw. */
  letters: { most: 300, seconds: HOUR, by: 'account' },
  /** Calls of an account that call Stripe: after a payment, a page polls 15 times. */
  billingCalls: { most: 60, seconds: QUARTER_HOUR, by: 'account' },
  /** Calls of an account that call Clerk. */
  identityCalls: { most: 60, seconds: QUARTER_HOUR, by: 'account' },
  /** Messages reported from one address. */
  reports: { most: 10, seconds: HOUR, by: 'address' },
  /** Answers to reminders from one address. */
  customerAnswers: { most: 60, seconds: HOUR, by: 'address' },
  /** How often the reader of a message subscribes again with its link: each time notifies the owner. */
  resubscriptions: { most: 10, seconds: DAY, by: 'other' },
  /** Calls of an account with an Idempotency-Key, each of which is stored for a day. */
  idempotencyKeys: { most: 20_000, seconds: DAY, by: 'account' },
  /** Messages from the contact form, from one address and in all. */
  contact: { most: 5, seconds: HOUR, by: 'address' },
  contactOfAll: { most: 200, seconds: HOUR, by: 'other' },
} as const satisfies Record<string, Allowance>

export const ALLOWANCES: Record<GeneralLimit | SharedLimit, Allowance> = { ...GENERAL_LIMITS, ...SHARED_LIMITS }

/** How many of each one account may run at once, over all processes. */
export const AT_ONCE = {
  exports: 2,
  previews: 4,
  letters: 2,
  lists: 4,
  pdfUploads: 4,
  logoUploads: 4,
  imports: 4,
  archives: 1,
} as const

export type GeneralLimit = keyof typeof GENERAL_LIMITS
export type SharedLimit = keyof typeof SHARED_LIMITS
export type HeavyWork = keyof typeof AT_ONCE
export type AtOnceLimit = `${HeavyWork}AtOnce`
export type LimitName = GeneralLimit | SharedLimit | AtOnceLimit

/** By what a limit is counted. What runs at once is counted by account. */
export function countedBy(limit: LimitName): Allowance['by'] {
  return isAllowance(limit) ? ALLOWANCES[limit].by : 'account'
}

function isAllowance(limit: LimitName): limit is keyof typeof ALLOWANCES {
  return limit in ALLOWANCES
}

/** Overrides by operators, tests, and benchmarks, by the name of the limit. */
export type LimitSettings = Partial<Record<GeneralLimit | SharedLimit, number>>
