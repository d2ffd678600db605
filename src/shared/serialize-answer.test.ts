import fc from 'fast-check'
import superjson from 'superjson'
import { expect, test } from 'vitest'
import { serializeAnswer } from './serialize-answer.ts'

const sent = (value: unknown) => JSON.parse(JSON.stringify(serializeAnswer(value)))

test('what has dates in it is written as superjson writes it', () => {
  const at = new Date('2026-11-26T10:00:00.000Z')
  const answer = { rows: [{ id: 1, at, tags: ['a'], note: null }], since: at }
  const { json, meta } = superjson.serialize({ rows: [{ id: 1, at, tags: ['a'], note: null }], since: new Date(at) })
  expect(sent(answer)).toEqual({ json, meta })
})

/** But for those that superjson refuses, as they could change what is read. */
const key = fc
  .oneof(fc.string(), fc.constantFrom('a.b', 'a\\b', '0'))
  .filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name))

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.boolean(),
    fc.constantFrom(null, undefined, Number.NaN, -0, 1n, Number.POSITIVE_INFINITY),
    fc.double(),
    fc.date(),
    fc.constantFrom(new Map([['a', new Date(0)]]), new Set([1]), new URL('https://traxx.example'), /a/g),
    fc.array(tie('any')),
    fc.dictionary(key, tie('any')),
  ),
})).any

test('whatever is answered is read as superjson would have had it read', () => {
  fc.assert(
    fc.property(value, (answer) => {
      // Superjson keeps where two places share an object, which reading cannot tell.
      const expected = superjson.deserialize(JSON.parse(JSON.stringify(superjson.serialize(answer))))
      expect(superjson.deserialize(sent(answer))).toEqual(expected)
    }),
  )
})

test('a class of its own is left to superjson', () => {
  expect(sent(new Map([[1, 2]]))).toEqual({ json: [[1, 2]], meta: { values: ['map'], v: 1 } })
})
