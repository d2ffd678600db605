import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { canonicalJson, type CanonicalValue } from './canonical-json.ts'

const { value: anyValue } = fc.letrec<{ value: CanonicalValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger().map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value'), { noNullPrototype: true }),
  ),
}))

function reversed(value: CanonicalValue): CanonicalValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, one]) => [name, reversed(one)]),
  )
}

test.prop([anyValue])('a text says all of its value', (value) => {
  expect(JSON.parse(canonicalJson(value))).toEqual(value)
})

test.prop([anyValue])('the order in which names were added makes no difference', (value) => {
  expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
})

test.prop([anyValue])('writing what was read gives the same text', (value) => {
  const text = canonicalJson(value)
  expect(canonicalJson(JSON.parse(text))).toBe(text)
})

test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -0])('%s has no text', (number) => {
  expect(() => canonicalJson({ number })).toThrow(TypeError)
})
