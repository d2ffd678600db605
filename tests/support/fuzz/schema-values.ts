import fc from 'fast-check'
import { known, type Schema } from './input-schema.ts'

/** Numbers of rows: ids start at 1, so most of these exist, and belong to one account or another. */
export const rowIds = fc.integer({ min: 1, max: 60 })

const days = fc.integer({ min: 0, max: 4000 }).map((offset) => new Date(Date.UTC(2022, 0, 1 + offset)).toISOString())
const words = fc.constantFrom(
  'a@example.com',
  'Acme Ltd',
  'UTC',
  'Europe/Berlin',
  '42',
  '',
  ' ',
  'Émile\u0301 日本 𒐫',
  '\u202Eevil\u200B',
  "Robert'); drop table customers; --",
  '%_\\',
  '{{customer}} {{unknown',
)
const anyText = fc.oneof({ arbitrary: words, weight: 3 }, fc.string({ unit: 'binary', maxLength: 40 }))

/** Where a schema says nothing: it reads flags and numbers that are written as text. */
const anything = fc.oneof(fc.constantFrom<unknown>(true, 'false', 'on', 1, '25', 10), fc.jsonValue())

/** Values that a JSON Schema lets through. What it does not say, as a check in code, they may still be wrong about. */
export function valuesOf(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const { const: only, enum: oneOf, anyOf, type } = schema
  if (only !== undefined) return fc.constant(only)
  if (oneOf) return fc.constantFrom(...oneOf)
  if (/id$/i.test(name)) return rowIds
  if (anyOf) return fc.oneof(...anyOf.map((option) => valuesOf(known(option), name)))
  if (type === 'object') return objectsOf(schema)
  if (type === 'array') return fc.array(valuesOf(itemsOf(schema), name), { maxLength: 5 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer' || type === 'number') return numbersOf(schema)
  return type === 'string' ? textOf(schema) : anything
}

function objectsOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, field]) => [name, valuesOf(known(field), name)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

function itemsOf({ items }: Schema): Schema {
  return Array.isArray(items) ? {} : known(items)
}

function numbersOf({ minimum = -10, maximum = 1_000_000 }: Schema): fc.Arbitrary<number> {
  const min = Math.max(minimum, -1_000_000)
  return fc.integer({ min, max: Math.max(min, Math.min(maximum, 1_000_000)) })
}

function textOf({ format, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'date') return days.map((moment) => moment.slice(0, 10))
  if (format === 'month') return days.map((moment) => moment.slice(0, 7))
  return anyText.map((value) => value.slice(0, maxLength))
}
