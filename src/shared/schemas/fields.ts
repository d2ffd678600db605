import { z } from 'zod'
import { isDay, type Day } from '#shared/domain/day.ts'
import { centsFromAmount, MAX_AMOUNT, amountFromCents } from '#shared/domain/money.ts'
import { isVisible } from '#shared/domain/plain-text.ts'

const LARGEST_ID = 2_147_483_647

/** The number of a row, as it stands in an address ("12") or a body (12). */
export const Id = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d{1,10}$/)
        .transform(Number),
    ],
    'Must be a whole number',
  )
  .refine((id) => id >= 1 && id <= LARGEST_ID, 'Must be the number of a row')
export const ById = z.object({ id: Id })
export type ById = z.output<typeof ById>

// PostgreSQL text cannot hold a NUL, whichever field it arrives in.
const printable = (text: string) => !text.includes('\u0000')

/** Trimmed text of at most `max` characters. */
export function text(max: number) {
  return z
    .string('Must be text')
    .trim()
    .max(max, `Must be at most ${max} characters`)
    .refine(printable, 'Must not contain control characters')
}

/** The same, where null and blank both mean "none". */
export function textOrNone(max: number) {
  return text(max)
    .nullable()
    .transform((value) => value || null)
}

const ONE_LINE = /^[^\p{Cc}\u2028\u2029]*$/u

/** Text on one line, and some of it: what ends up in a mail's header must not be able to begin another one. */
export function line(max: number, required: string) {
  return text(max).refine(isVisible, required).regex(ONE_LINE, 'Must be on one line')
}

/** What a person or a thing is called: written in a field of one line, and not of characters alone that nobody sees. */
export function name(max: number, required: string) {
  return z.string(required).pipe(spaced(max).refine(isVisible, required))
}

/**
 * Text on one line, as a browser's field of one line makes it: a line break or a tab in it is a space. Nothing else in
 * it is without a sign of its own.
 */
export function spaced(max: number) {
  return z
    .string('Must be text')
    .transform((written) => written.replaceAll(/[\t-\r\u2028\u2029]+/g, ' '))
    .pipe(text(max).regex(ONE_LINE, 'Must not contain control characters'))
}

/** The same, where null and blank both mean "none". */
export function spacedOrNone(max: number) {
  return spaced(max)
    .nullable()
    .transform((value) => (value !== null && isVisible(value) ? value : null))
}

/** Text of any number of lines, and some of it. Forms send every line end as two characters. */
export function lines(max: number, required: string) {
  return z
    .string('Must be text')
    .transform((written) => written.replaceAll('\r\n', '\n'))
    .pipe(text(max).refine(isVisible, required))
}

/** A calendar day, `YYYY-MM-DD`. */
export function day(required: string) {
  return z
    .string(required)
    .min(1, required)
    .refine((value): value is Day => isDay(value), 'Must be a date as YYYY-MM-DD')
    .meta({ format: 'date' })
}

/** US dollars with at most two decimals, above 0; becomes whole cents. */
export function amount(required: string, positive: string) {
  return z
    .number({ error: (issue) => (issue.input === undefined || issue.input === null ? required : positive) })
    .positive(positive)
    .max(amountFromCents(MAX_AMOUNT), 'Amount must be at most 9,999,999,999.99')
    .refine(hasCentsOnly, 'Amount must have at most two decimals')
    .transform(centsFromAmount)
}

function hasCentsOnly(value: number): boolean {
  try {
    centsFromAmount(value)
    return true
  } catch {
    return false
  }
}

/** One of a fixed vocabulary, in any case. */
export function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  { required, other }: { required: string; other: string },
) {
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? required : other) })
    .transform((value) => value.trim().toLowerCase())
    .pipe(z.enum(values, other))
    .meta({ examples: [...values] })
}

/** One of a few words, written as they are. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `Must be one of ${values.join(', ')}`)
}

/** A flag as it stands in an address ("true") or a body (true). */
export function flag() {
  return z.union([z.stringbool(), z.boolean()], 'Must be true or false')
}

/** A whole number as it stands in an address or a body, within the bounds. */
export function wholeNumber(min: number, max: number) {
  const between = `Must be between ${min} and ${max}`
  return z.preprocess(
    // Blank would be 0.
    (value) => (typeof value === 'string' && value.trim() === '' ? Number.NaN : value),
    z.coerce.number('Must be a number').int('Must be a whole number').min(min, between).max(max, between),
  )
}
