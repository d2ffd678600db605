import type { Random } from '#support/random.ts'
import { known, type Schema } from './input-schema.ts'
import { isId } from './plain-values.ts'

/** What means something to SQL, to patterns, to shells or to templates. */
const SPECIALS =
  `% _ \\ ' " \` ; -- /* */ $1 $$ ? :a {{ }} { } \${1} ( ) [ ] * + ^ $ | . & < > <b> &amp; # @ ! ~ = ,`.split(' ')
/** Characters that can be stored and are seldom thought of. */
const LETTERS =
  '\u202E \u2066 \u200B \u200D \u00AD \uFEFF \uFFFD \u00A0 \u0130 ß ﬁ ǅ ٣ e\u0301\u0327 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 𒐫 ﷺ 日本 Ω≈ç \uFDD0 \u{10FFFF}'.split(
    ' ',
  )
const CONTROLS = '\u0000 \ud800 \udfff \u0007 \u001B[2J \u007F \u0085 \r\nBcc:a@b.c \u2028'.split(' ')
const WORDS =
  'NaN null undefined true __proto__ constructor toString 0x10 1e999 -0 =1+1 {{customer}} {{constructor}} ../../etc/passwd https://evil.example a@b.c GMT+25 infinity'.split(
    ' ',
  )
const LONGEST = 20_000

/** The first and the last that the app knows, and what lies beyond them. */
const DAYS = ['1900-01-01', '1900-01-20', '2024-02-29', '2999-12-20', '2999-12-31', '9999-12-31', '0001-01-01']
const WRONG_DAYS =
  '0000-00-00 0000-01-01 10000-01-01 +275760-09-13 -000001-01-01 2026-02-30 2026-13-01 2026-1-1 ٢٠٢٦-٠١-٠١ 2026-01-01T00:00:00Z infinity 2026-01-01\u0000'.split(
    ' ',
  )
const NUMBERS = [0, -1, 0.005, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308, -(2 ** 31) - 1]
const IDS = [2_147_483_647, 2_147_483_646, '2147483647']
const WRONG_IDS = [0, -1, 1.5, 2_147_483_648, '9999999999', '1e3', '%00', '%', '__proto__', "1'--", '..%2f', '']
const WRONG_TYPES: unknown[] = [null, true, 5, '', [], {}, [[]], ['a', 1, null], { id: 1 }, { toString: 1, length: -1 }]
const CURSORS = [
  ['Acme', 1],
  ['%', 2_147_483_647],
  ['2999-12-31', 1],
  ['1900-01-01', 2_147_483_648],
  ['9999-12-31', 1],
  ['99999999999', 1],
  ['1e400', 1],
  ['\u0000', 1],
  ['\ud800', 1],
  ['infinity', 1],
  ['NaN', 1.5],
  [null, null],
  [],
  {},
  'x',
].map((place) => Buffer.from(JSON.stringify(place)).toString('base64url'))

/** Values that a field of this name and schema has reason to stumble over; about half of them are let through to it. */
export function hostileValues(schema: Schema, name: string, random: Random): unknown[] {
  const wrong = [random.pick(WRONG_TYPES), random.pick(WRONG_TYPES)]
  return [...valuesFor(schema, name, random), ...wrong]
}

function valuesFor(schema: Schema, name: string, random: Random): unknown[] {
  const texts = schema.type === 'string' ? hostileTexts(schema, random) : []
  if (isId(name) && name !== 'userId') return [...IDS, ...some(WRONG_IDS, 3, random), ...texts]
  if (schema.enum) return [...schema.enum, random.pick(WORDS), String(schema.enum[0]).toUpperCase()]
  if (schema.anyOf) return [...valuesFor(known(schema.anyOf[0]), name, random), null]
  if (schema.format === 'date') return [...DAYS, ...some(WRONG_DAYS, 2, random)]
  if (/cursor|after|before/.test(name)) return [...some(CURSORS, 5, random), hostileTexts(schema, random)[0]]
  if (schema.type === 'integer' || schema.type === 'number') return numbersAround(schema, random)
  if (schema.type === 'array') return listsOf(schema, random)
  if (schema.type === 'boolean') return [true, false, 'off', '']
  return texts
}

/** The first has every special character, the second every letter, and the last is as long as may be. */
export function hostileTexts({ maxLength = 200 }: Schema, random: Random): string[] {
  const long = random.pick([...LETTERS, ...SPECIALS, 'a', ' '])
  return [
    `a${mixed(SPECIALS, random).join('a')}`.slice(0, maxLength),
    `a${mixed(LETTERS, random).join('a')}`.slice(0, maxLength).toWellFormed(),
    random.pick(SPECIALS),
    `Acme ${random.pick(LETTERS)}`,
    `a${random.pick(CONTROLS)}b`,
    random.pick(CONTROLS),
    random.pick(WORDS),
    random.pick([' ', '\u200B\u200D', '\u00A0', '\t']),
    long.repeat(LONGEST / long.length),
    long.repeat(maxLength).slice(0, maxLength).toWellFormed(),
  ]
}

function numbersAround({ minimum, exclusiveMinimum, maximum, type }: Schema, random: Random): number[] {
  const step = type === 'integer' ? 1 : 0.01
  const least = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + step : minimum
  const bounds = [least, maximum].filter((bound) => bound !== undefined)
  const beyond = bounds.flatMap((bound) => [bound - step, bound + step])
  return [...bounds, ...beyond, ...some(NUMBERS, 3, random)]
}

function listsOf({ items }: Schema, random: Random): unknown[] {
  const item = Array.isArray(items) ? {} : known(items)
  const one = random.pick(valuesFor(item, '', random))
  const [option] = item.enum ?? [14]
  return [[], Array.from({ length: 500 }, () => option), [one], [option, random.pick(WRONG_TYPES)]]
}

/** A few of them, each once. */
function some<Item>(all: readonly Item[], count: number, random: Random): Item[] {
  return mixed(all, random).slice(0, count)
}

function mixed<Item>(all: readonly Item[], random: Random): Item[] {
  return all
    .map((item) => ({ item, place: random.share() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
