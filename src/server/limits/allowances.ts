/** A maximum per period. */
export interface Allowance {
  most: number
  seconds: number
}

const MINUTE = 60
const QUARTER_HOUR = 900
const HOUR = 3600
const DAY = 86_400

/** Counted in the memory of each process: they cost next to nothing, and each process protects itself. */
export const GENERAL_LIMITS = {
  account: { most: 1200, seconds: MINUTE },
  address: { most: 3000, seconds: MINUTE },
} as const satisfies Record<string, Allowance>

/** Counted in PostgreSQL, for all processes together. */
export const SHARED_LIMITS = {
  /** Refused tokens and keys from one address. */
  wrongCredentials: { most: 30, seconds: QUARTER_HOUR },
  /** Refused keys that begin alike, from whatever address. */
  wrongKeys: { most: 30, seconds: QUARTER_HOUR },
  remindersByHand: { most: 120, seconds: HOUR },
  testMails: { most: 20, seconds: HOUR },
  /** Codes that an account has mailed to reply-to addresses, and those that one address is mailed, by any account. */
  replyToCodes: { most: 10, seconds: DAY },
  replyToCodesToAddress: { most: 5, seconds: DAY },
  imports: { most: 60, seconds: HOUR },
  exports: { most: 30, seconds: HOUR },
  previews: { most: 120, seconds: MINUTE },
  /** Calls of an account that wait for Stripe: after a payment, a page asks 15 times. */
  billingCalls: { most: 60, seconds: QUARTER_HOUR },
  /** Calls of an account that wait for Clerk. */
  identityCalls: { most: 60, seconds: QUARTER_HOUR },
  /** Messages reported from one address. */
  reports: { most: 10, seconds: HOUR },
  /** Messages of the contact form from one address, and from all together. */
  contact: { most: 5, seconds: HOUR },
  contactOfAll: { most: 200, seconds: HOUR },
} as const satisfies Record<string, Allowance>

/** How many of each one account may run at once, over all processes. */
export const AT_ONCE = { exports: 2, previews: 4, lists: 4, pdfUploads: 4, logoUploads: 4, imports: 4 } as const

export type GeneralLimit = keyof typeof GENERAL_LIMITS
export type SharedLimit = keyof typeof SHARED_LIMITS
export type HeavyWork = keyof typeof AT_ONCE

/** What an operator, a test or a benchmark allows instead, by the name of the limit. */
export type LimitSettings = Partial<Record<GeneralLimit | SharedLimit, number>>
