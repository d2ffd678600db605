import * as z from 'zod/mini'
import { BULK_ACTIONS, type BulkRequest } from '#shared/domain/bulk-change.ts'
import { foldText } from '#shared/domain/fold-text.ts'
import { amountFromCents, centsFromAmount, MAX_AMOUNT } from '#shared/domain/money.ts'
import { PRICE_CHANGES } from '#shared/domain/price-change.ts'
import { amount, Id, lines, spaced, unknownNames } from './fields.ts'
import { ContractFilter, flag, oneOf, RANGES } from './filters.ts'
import { LONGEST_NOTE } from './renewals.ts'
import { tags } from './tags.ts'

/** The most contracts that can be named; a filter can have more. */
export const MOST_NAMED = 500

function written<Value>(hasContent: (text: string) => boolean) {
  const isWritten = (value: unknown) => [value].flat().some((one) => typeof one !== 'string' || hasContent(one))
  return z.custom<Value>(isWritten, 'Must not be empty')
}

const { search, tag } = ContractFilter.shape

/**
 * A name that nobody knows, or a text that is empty, would stand for no condition at all, and the change would be made to
 * every contract. Searching goes without accents, so a text of accents alone is empty.
 */
const BulkFilter = z
  .strictObject(
    {
      ...ContractFilter.shape,
      search: z.optional(
        z.pipe(
          written<string | undefined>((text) => foldText(text).trim() !== ''),
          search,
        ),
      ),
      tag: z.optional(
        z.pipe(
          written<unknown>((text) => /[^\s,]/.test(text)),
          tag,
        ),
      ),
    },
    unknownNames,
  )
  .check(...RANGES)

/** Contracts by their ids, or all that a filter has. */
const Selection = z
  .strictObject(
    {
      ids: z.optional(
        z
          .array(Id, 'Must be a list of ids')
          .check(
            z.minLength(1, 'Select at least one contract'),
            z.maxLength(MOST_NAMED, `Select at most ${MOST_NAMED} contracts, or use a filter`),
          ),
      ),
      filter: z.optional(BulkFilter),
    },
    unknownNames,
  )
  .check(z.refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), 'Send either ids or a filter'))
export type Selection = z.output<typeof Selection>

const MOST = amountFromCents(MAX_AMOUNT)
const NOT_HUNDREDTHS = 'Must be a number with at most two decimals'

const hundredths = z.pipe(
  z.number(NOT_HUNDREDTHS).check(
    z.minimum(-MOST, NOT_HUNDREDTHS),
    z.maximum(MOST, NOT_HUNDREDTHS),
    z.refine((value) => Math.round(value * 100) / 100 === value, NOT_HUNDREDTHS),
  ),
  z.transform((value) => Math.round(value * 100)),
)

const ROUND_TO = 'Must be an amount from 0.01 to 1,000'

const PriceChange = z.strictObject(
  {
    by: oneOf(PRICE_CHANGES),
    /** Percent, or dollars. */
    value: hundredths,
    /** Dollars; a cent unless given. */
    roundTo: z._default(amount(ROUND_TO, ROUND_TO).check(z.maximum(100_000, ROUND_TO)), centsFromAmount(0.01)),
  },
  unknownNames,
)

/** The same change for many contracts. */
export const BulkChange = z
  .object({
    action: oneOf(BULK_ACTIONS),
    contracts: Selection,
    /** Only says what would happen. */
    preview: z._default(flag(), false),
    /** To renew: whether the next terms of overdue contracts follow on from the old ones, or begin today. */
    from: z._default(oneOf(['term', 'today']), 'term'),
    /** To renew: whether the customers are told by email; if it is not sent, as the account's settings say. */
    confirm: z.optional(flag()),
    /** To end: on each contract's renewal date, or today. */
    on: z._default(oneOf(['renewal_date', 'today']), 'renewal_date'),
    /** To end: one of the account's reasons. */
    reason: z.optional(spaced(100)),
    note: z.optional(z.nullable(lines(LONGEST_NOTE, 'Must not be empty'))),
    /** To change prices. */
    price: z.optional(PriceChange),
    /** To tag. */
    add: z._default(tags(), []),
    remove: z._default(tags(), []),
  })
  .check(
    z.refine(({ action, reason, preview }) => action !== 'end' || preview || reason !== undefined, {
      path: ['reason'],
      message: 'Choose a reason',
    }),
    z.refine(({ action, price }) => action !== 'change_price' || price !== undefined, {
      path: ['price'],
      message: 'Enter how prices change',
    }),
    z.refine(({ action, add, remove }) => action !== 'tag' || add.length + remove.length > 0, {
      path: ['add'],
      message: 'Enter tags to add or to remove',
    }),
  )
export type BulkChange = z.output<typeof BulkChange>

/** What the domain makes of it. */
export function bulkRequest({ action, from, on, price, add, remove }: BulkChange): BulkRequest {
  if (action === 'tag') return { action, add, remove }
  if (action === 'renew') return { action, from }
  if (action === 'end') return { action, on }
  if (action === 'delete' || action === 'remind') return { action }
  if (!price) throw new Error('A change of prices without a price passed its schema')
  return { action, price: { by: price.by, hundredths: price.value, roundToCents: price.roundTo } }
}
