import * as z from 'zod/mini'
import { isDay, type Day } from '#shared/domain/day.ts'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'

// The first page of a visit loads this file to read its address. What only forms need belongs in fields.ts.

export const LARGEST_ID = 2_147_483_647
export const PAGE_SIZE = 10
/** `openFirst`: open contracts by their renewal date, then the others, the latest first. */
export const CONTRACT_SORTS = ['added', 'openFirst', 'amount', 'startDate', 'renewalDate'] as const
export const CUSTOMER_SORTS = ['name', 'phone', 'customerNumber', 'createdAt'] as const

// PostgreSQL text can hold neither a NUL nor half of a surrogate pair, whichever field it arrives in.
const printable = (written: string) => !/[\0\p{Cs}]/u.test(written)

/** Trimmed text of at most `max` characters. */
export function text(max: number) {
  return z.string('Must be text').check(
    z.trim(),
    // Text that is too long is not checked further, because other checks may be slow on it.
    z.maxLength(max, { error: `Must be at most ${max} characters`, abort: true }),
    z.refine(printable, 'Must not contain control characters'),
  )
}

/** One of a few words, case-sensitive. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `Must be one of ${values.join(', ')}`)
}

const YES = ['true', '1', 'yes', 'on', 'y', 'enabled']
const NO = ['false', '0', 'no', 'off', 'n', 'disabled']

/** A flag in an address ("true") or a body (true). */
export function flag() {
  return z.pipe(
    z.transform((value: unknown) => {
      const word = typeof value === 'string' ? value.toLowerCase() : ''
      return NO.includes(word) ? false : YES.includes(word) || value
    }),
    z.boolean('Must be true or false'),
  )
}

const DECIMAL = /^\s*-?\d+(?:\.\d+)?\s*$/

// Not what only JavaScript takes for a number: "", "0x10", "1e2", true, [1].
const fromAddress = z.transform((value: unknown) =>
  typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value,
)

/** A whole number in an address ("12") or a body (12), within bounds. */
export function wholeNumber(min: number, max: number) {
  const between = `Must be between ${min} and ${max}`
  const schema = z.pipe(
    fromAddress,
    z
      .number('Must be a number')
      .check(z.int('Must be a whole number'), z.minimum(min, between), z.maximum(max, between)),
  )
  return schema.register(z.globalRegistry, { type: 'integer', minimum: min, maximum: max })
}

/** One of a fixed vocabulary, in any case. */
function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  { required, other }: { required: string; other: string },
) {
  const lowerCase = z.pipe(
    z.string({ error: ({ input }) => (input === undefined || input === null ? required : other) }),
    z.transform((value: string) => value.trim().toLowerCase()),
  )
  return z.pipe(lowerCase, z.enum(values, other)).register(z.globalRegistry, { examples: [...values] })
}

const OTHER_STATUS = 'Status must be pending, active, expired, or cancelled'

export function contractStatus(required = OTHER_STATUS) {
  return choice(CONTRACT_STATUSES, { required, other: OTHER_STATUS })
}

const OTHER_CYCLE = 'Cycle must be monthly, quarterly, or yearly'

export function renewalCycle(required = OTHER_CYCLE) {
  return choice(RENEWAL_CYCLES, { required, other: OTHER_CYCLE })
}

/**
 * A position in a sorted list: the sort value and id of a row. Opaque to callers; the list that made it reads it back.
 */
export const Cursor = z.string('Must be text').check(z.maxLength(2000, 'Must be at most 2000 characters'))

const SortDirection = oneOf(['asc', 'desc'])
export type SortDirection = z.output<typeof SortDirection>

/** How many rows may be skipped from a cursor or the start of a list. */
export const FURTHEST_SKIP = 500

/** A page of a list: after or before a row, and further by `skip` rows if a page number was chosen. */
export const Page = z.object({
  limit: z._default(wholeNumber(1, 100), PAGE_SIZE),
  after: z.optional(Cursor),
  before: z.optional(Cursor),
  skip: z._default(wholeNumber(0, FURTHEST_SKIP), 0),
})
export type Page = z.output<typeof Page>

/** The same for the REST API, whose callers get the whole list unless they set a limit. */
export const Slice = z.object({
  limit: z.optional(wholeNumber(1, 1000)),
  cursor: z.optional(Cursor),
})

const SearchText = z.optional(text(200))

/** A calendar month, 'YYYY-MM'. */
function month() {
  const wrong = 'Must be a month as YYYY-MM'
  return z
    .string(wrong)
    .check(z.regex(/^(?:19|2\d)\d\d-(?:0[1-9]|1[0-2])$/, wrong))
    .register(z.globalRegistry, { format: 'month' })
}

/** A calendar day, `YYYY-MM-DD`. */
function day() {
  return z
    .custom<Day>((value) => typeof value === 'string' && isDay(value), 'Must be a date as YYYY-MM-DD')
    .register(z.globalRegistry, { type: 'string', format: 'date' })
}

const LARGEST_AMOUNT = 9_999_999_999.99

/** US dollars with at most two decimals, in an address ("12.50") or a body (12.5). */
function dollars() {
  const wrong = 'Must be an amount from 0 to 9,999,999,999.99'
  const schema = z.pipe(
    fromAddress,
    z.number(wrong).check(
      z.minimum(0, wrong),
      z.maximum(LARGEST_AMOUNT, wrong),
      z.refine((amount) => Math.round(amount * 100) / 100 === amount, 'Must have at most two decimals'),
    ),
  )
  return schema.register(z.globalRegistry, { type: 'number', minimum: 0, maximum: LARGEST_AMOUNT })
}

const MOST_FILTERED = 20

/** Tags, all of which a row has to have: separated by commas ("vip,north"), or a list of them. */
function tagList() {
  const written = z.transform((value: unknown) =>
    Array.isArray(value) && value.every((tag) => typeof tag === 'string') ? value.join(',') : value,
  )
  const split = z.transform((tags: string) => tags.split(',').flatMap((tag) => tag.trim() || []))
  const listed = z.array(z.string()).check(z.maxLength(MOST_FILTERED, `Must be at most ${MOST_FILTERED} tags`))
  return z.pipe(
    z.pipe(z.pipe(written, text(1000)), z.pipe(split, listed)),
    z.transform((tags: string[]) => tags.join(',') || undefined),
  )
}

/** Lists the contracts that match every filter. Without a sort, they come in the order in which they were added. */
export const ContractFilter = z.object({
  search: SearchText,
  customerId: z.optional(wholeNumber(1, LARGEST_ID)),
  status: z.optional(contractStatus()),
  cycle: z.optional(renewalCycle()),
  /** Open, and the renewal date has passed. */
  overdue: z.optional(flag()),
  /** Open, and renews from today to the end of this month. */
  expiring: z.optional(flag()),
  /** Open, and renews within this many days, including today. */
  renewsWithin: z.optional(wholeNumber(0, 366)),
  /** Open with no end decided, and the last day for notice is within this many days, including today. */
  noticeWithin: z.optional(wholeNumber(0, 366)),
  /** Started in the month, today at the latest. */
  startedIn: z.optional(month()),
  /** The customer has no email address. */
  noEmail: z.optional(flag()),
  noPdf: z.optional(flag()),
  /** What happens on the renewal date. */
  renews: z.optional(oneOf(RENEWS)),
  /** The first and the last renewal date. */
  renewalFrom: z.optional(day()),
  renewalThrough: z.optional(day()),
  /** The smallest and the largest amount. */
  amountFrom: z.optional(dollars()),
  amountThrough: z.optional(dollars()),
  tag: z.optional(tagList()),
  sort: z.optional(oneOf(CONTRACT_SORTS)),
  direction: z._default(SortDirection, 'asc'),
})
export type ContractFilter = z.output<typeof ContractFilter>

export const ListContracts = z.object({ ...ContractFilter.shape, ...Page.shape })
export type ListContracts = z.output<typeof ListContracts>

/** Refuses ranges that hold nothing. The app's own lists show that they are empty. */
export const RANGES = [
  z.refine<Ranges>(
    ({ renewalFrom, renewalThrough }) => !renewalFrom || !renewalThrough || renewalFrom <= renewalThrough,
    { path: ['renewalThrough'], message: 'Must not be before renewalFrom' },
  ),
  z.refine<Ranges>(({ amountFrom = 0, amountThrough = LARGEST_AMOUNT }) => amountFrom <= amountThrough, {
    path: ['amountThrough'],
    message: 'Must not be less than amountFrom',
  }),
] as const
type Ranges = Pick<ContractFilter, 'renewalFrom' | 'renewalThrough' | 'amountFrom' | 'amountThrough'>

export const CheckedContractFilter = ContractFilter.check(...RANGES)

export const SliceContracts = z.object({ ...ContractFilter.shape, ...Slice.shape }).check(...RANGES)

/** Which customers are listed. */
export const CustomerFilter = z.object({
  search: SearchText,
  /** Added in the month, in the account's time zone. */
  addedIn: z.optional(month()),
  withContracts: z.optional(flag()),
  tag: z.optional(tagList()),
  sort: z._default(oneOf(CUSTOMER_SORTS), 'name'),
  direction: z._default(SortDirection, 'asc'),
})
export type CustomerFilter = z.output<typeof CustomerFilter>

/** The customer picker searches names only. */
export const ListCustomers = z.object({
  ...CustomerFilter.shape,
  ...Page.shape,
  searchBy: z.optional(z.literal('name')),
})
export type ListCustomers = z.output<typeof ListCustomers>

export const SliceCustomers = z.object({ ...CustomerFilter.shape, ...Slice.shape })

/** The states of a message in the ledger. */
export const REMINDER_STATES = ['planned', 'sending', 'sent', 'skipped', 'failed', 'delivered', 'bounced'] as const
export type ReminderState = (typeof REMINDER_STATES)[number]

/** Which messages of the ledger are listed. */
export const ReminderFilter = z.object({ state: z.optional(oneOf(REMINDER_STATES)) })

export const ListReminders = z.object({ ...ReminderFilter.shape, ...Page.shape })
export type ListReminders = z.output<typeof ListReminders>

export const SliceReminders = z.object({ ...ReminderFilter.shape, ...Slice.shape })
