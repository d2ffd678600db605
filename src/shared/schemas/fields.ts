import * as z from 'zod/mini'
import { isDay, type Day } from '#shared/domain/day.ts'
import { centsFromAmount, MAX_AMOUNT, amountFromCents } from '#shared/domain/money.ts'
import { isVisible } from '#shared/domain/plain-text.ts'
import { LARGEST_ID, text, wholeNumber } from './filters.ts'

/** The ID of a row, in an address ("12") or a body (12). */
export const Id = z
  .union([z.int(), z.pipe(z.string().check(z.regex(/^\d{1,10}$/)), z.transform(Number))], 'Must be a whole number')
  .check(z.refine((id) => id >= 1 && id <= LARGEST_ID, 'Must be a valid ID'))
export const ById = z.object({ id: Id })
export type ById = z.output<typeof ById>

/** The version that was changed; if somebody has changed it since, the change is refused. */
export const SeenVersion = z.object({ version: z.optional(wholeNumber(1, LARGEST_ID)) })

/** Trimmed text of at most `max` characters, where null and blank both mean "none". */
export function textOrNone(max: number) {
  return z.pipe(
    z.nullable(text(max)),
    z.transform((value: string | null) => value || null),
  )
}

/** An email address, where null and blank both mean "none". */
export function emailOrNone(max: number) {
  return textOrNone(max).check(
    z.refine((value) => value === null || z.email().safeParse(value).success, 'Email must be a valid address'),
  )
}

const ONE_LINE = /^[^\p{Cc}\u2028\u2029]*$/u

/** One line of text, not empty. In an email's header, a line break could begin another header. */
export function line(max: number, required: string) {
  return text(max).check(z.refine(isVisible, required), z.regex(ONE_LINE, 'Must be on one line'))
}

/** A name typed into a single-line field; at least one visible character. */
export function name(max: number, required: string) {
  return z.pipe(z.string(required), spaced(max).check(z.refine(isVisible, required)))
}

/** One line of text: line breaks and tabs become spaces, as in a browser's single-line field. */
export function spaced(max: number) {
  return z.pipe(
    z.pipe(
      z.string('Must be text'),
      z.transform((written: string) => written.replaceAll(/[\t-\r\u2028\u2029]+/g, ' ')),
    ),
    text(max).check(z.regex(ONE_LINE, 'Must not contain control characters')),
  )
}

/** The same, where null and blank both mean "none". */
export function spacedOrNone(max: number) {
  return z.pipe(
    z.nullable(spaced(max)),
    z.transform((value: string | null) => visibleOrNone(value)),
  )
}

/** Text of only invisible characters counts as empty. */
export function visibleOrNone(value: string | null): string | null {
  return value !== null && isVisible(value) ? value : null
}

/** Text of any number of lines, not empty. Forms send each line end as two characters. */
export function lines(max: number, required: string) {
  return z.pipe(
    z.pipe(
      z.string('Must be text'),
      z.transform((written: string) => written.replaceAll('\r\n', '\n')),
    ),
    text(max).check(z.refine(isVisible, required)),
  )
}

/** A calendar day, `YYYY-MM-DD`. */
export function day(required: string) {
  return z
    .pipe(
      z.string(required).check(z.minLength(1, required)),
      z.custom<Day>((value) => typeof value === 'string' && isDay(value), 'Must be a date as YYYY-MM-DD'),
    )
    .register(z.globalRegistry, { format: 'date' })
}

/** US dollars with at most two decimals, above 0; becomes whole cents. */
export function amount(required: string, positive: string) {
  return z.pipe(
    z
      .number({ error: (issue) => (issue.input === undefined || issue.input === null ? required : positive) })
      .check(
        z.positive(positive),
        z.maximum(amountFromCents(MAX_AMOUNT), 'Amount must be at most 9,999,999,999.99'),
        z.refine(hasCentsOnly, 'Amount must have at most two decimals'),
      ),
    z.transform(centsFromAmount),
  )
}

function hasCentsOnly(value: number): boolean {
  try {
    centsFromAmount(value)
    return true
  } catch {
    return false
  }
}

const INSTANT = 'Must be a date and time such as 2026-03-10T09:00:00Z'

/** A moment, written in ISO 8601 with its time zone. */
export const instantText = () =>
  z.pipe(
    z.iso.datetime({ offset: true, error: INSTANT }).check(z.refine((written) => written >= '2000', INSTANT)),
    z.transform((written: string) => new Date(written)),
  )

/** For fields within a field: refuses a name that it does not know, as the calls do for their own. There may be very many. */
export const unknownNames = {
  error: ({ code, keys: [name] = [] }: { code: string; keys?: readonly string[] }) =>
    code === 'unrecognized_keys' ? `Unknown field "${name?.slice(0, 50)}"` : undefined,
}
