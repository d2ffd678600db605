import type { Random } from '#support/random.ts'
import { hostileTexts, hostileValues } from './hostile-values.ts'
import { known, type Schema } from './input-schema.ts'

type Input = Record<string, unknown>

interface Field {
  path: string[]
  schema: Schema
}

export interface OneFieldInputs {
  /** The plain input as it is, and without one field after the other: what can be accepted is among them. */
  likely: Input[]
  /** Hostile in one field after the other, and in all of a kind at once. */
  hostile: Input[]
}

/** A plain input, changed in one field at a time. */
export function changedInOneField(schema: Schema, plain: Input, random: Random): OneFieldInputs {
  const fields = fieldsOf(schema)
  const without = fields.map(({ path }) => withValue(plain, path, undefined))
  const changed = fields.flatMap(({ path, schema: field }) =>
    hostileValues(field, path.at(-1) ?? '', random).map((value) => withValue(plain, path, value)),
  )
  return {
    likely: [plain, ...without],
    hostile: [...changed, ...daysAtOnce(fields, plain), ...textsAtOnce(fields, plain, random)],
  }
}

function fieldsOf({ properties = {} }: Schema, above: string[] = []): Field[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const [path, schema] = [[...above, name], known(field)]
    return [{ path, schema }, ...fieldsOf(schema, path)]
  })
}

/** One day that is early, and one that is late, is refused where the order of two days is checked. */
function daysAtOnce(fields: Field[], plain: Input): Input[] {
  const days = fields.filter(({ schema }) => schema.format === 'date')
  if (days.length < 2) return []
  return ['1900-01-01', '2999-12-31', '9999-12-31'].map((day) =>
    days.reduce((input, { path }) => withValue(input, path, day), plain),
  )
}

function textsAtOnce(fields: Field[], plain: Input, random: Random): Input[] {
  const texts = fields.filter(({ schema }) => isFreeText(schema))
  if (texts.length < 2) return []
  return [0, 1, 4].map((nth) =>
    texts.reduce((input, { path, schema }) => withValue(input, path, hostileTexts(schema, random)[nth]), plain),
  )
}

function isFreeText({ type, enum: words, format, anyOf = [] }: Schema): boolean {
  if (anyOf.length > 0) return anyOf.some((option) => isFreeText(known(option)))
  return type === 'string' && words === undefined && format === undefined
}

function withValue(input: Input, [name = '', ...below]: string[], value: unknown): Input {
  if (below.length === 0) return { ...input, [name]: value }
  return { ...input, [name]: withValue({ ...Object(input[name]) }, below, value) }
}
