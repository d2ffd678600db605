import * as z from 'zod/mini'
import { RemindersSwitch } from './contracts.ts'
import { amount, day, Id, lines, spaced } from './fields.ts'
import { flag, oneOf, renewalCycle, wholeNumber } from './filters.ts'

const POSITIVE = 'Amount must be a positive number'
const NOT_A_DAY = 'Must be a date as YYYY-MM-DD'

/** The number of the current term as the caller saw it; if it is another one by now, nothing is decided. */
const seenTerm = () => z.optional(wholeNumber(1, 1_000_000))

/** Renews a contract; what is left out is as scheduled, or as before. */
export const RenewContract = z.object({
  id: Id,
  amount: z.optional(amount(POSITIVE, POSITIVE)),
  renewalCycle: z.optional(renewalCycle()),
  /** The last renewal date of the new term. */
  renewalDate: z.optional(day(NOT_A_DAY)),
  /** Whether an overdue contract's new term begins on the old renewal date, or today. */
  from: z.optional(oneOf(['term', 'today'])),
  term: seenTerm(),
  /** Whether the customer is told by email; if it is not sent, as the account's settings say. */
  confirm: z.optional(flag()),
})
export type RenewContract = z.output<typeof RenewContract>

export const LONGEST_NOTE = 2000

/** Ends a contract, today or on a later day of its term. */
export const EndContract = z.object({
  id: Id,
  /** One of the account's reasons. */
  reason: spaced(100),
  note: z.optional(z.nullable(lines(LONGEST_NOTE, 'Must not be empty'))),
  on: z.optional(day(NOT_A_DAY)),
  term: seenTerm(),
})
export type EndContract = z.output<typeof EndContract>

/** Opens a closed contract again, or keeps an ending one from ending. */
export const ReopenContract = z.object({ id: Id, term: seenTerm(), ...RemindersSwitch.shape })
export type ReopenContract = z.output<typeof ReopenContract>

/** What is decided about contracts. */
export const ACTS = ['renew', 'end', 'expire', 'reopen'] as const
export type Act = (typeof ACTS)[number]

/** Takes back the newest decision; where the ID of one is sent, only if that is the newest. */
export const UndoDecision = z.object({ id: Id, decision: z.optional(Id) })
export type UndoDecision = z.output<typeof UndoDecision>

/** Why contracts end, unless the account has its own list. */
export const DEFAULT_END_REASONS = [
  'Price',
  'Competitor',
  'No longer needed',
  'Closed business',
  'Service',
  'Paid late',
  'Other',
]

/** The longest that an overdue contract can wait before it ends by itself. */
export const MOST_DAYS_OVERDUE = 365

const MOST_REASONS = 30

export const RenewalSettings = z.object({
  /** Whether customers are told when their contracts are renewed. */
  confirmRenewals: z.boolean('Must be true or false'),
  /** After how many days an overdue contract that renews by agreement ends by itself; null: never. */
  endOverdueAfterDays: z.nullable(wholeNumber(1, MOST_DAYS_OVERDUE)),
  endReasons: z
    .array(spaced(100).check(z.minLength(1, 'A reason must not be empty')), 'Must be a list of reasons')
    .check(
      z.minLength(1, 'Enter at least one reason'),
      z.maxLength(MOST_REASONS, `Enter at most ${MOST_REASONS} reasons`),
      z.refine(
        (reasons) => new Set(reasons.map((reason) => reason.toLowerCase())).size === reasons.length,
        'A reason is in the list twice',
      ),
    ),
})
export type RenewalSettings = z.output<typeof RenewalSettings>

/** The settings as they are saved. Who does not know that customers can be told changes nothing about it. */
export const SaveRenewalSettings = z.object({
  ...RenewalSettings.shape,
  confirmRenewals: z.optional(RenewalSettings.shape.confirmRenewals),
})
export type SaveRenewalSettings = z.output<typeof SaveRenewalSettings>
