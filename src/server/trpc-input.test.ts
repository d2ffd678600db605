import superjson from 'superjson'
import { expect, test } from 'vitest'
import { bearer, useApp } from '#support/app.ts'
import { anAccount, useWorld } from '#support/world.ts'
import { trpcInput } from './trpc-input.ts'

const world = useWorld()
const server = useApp(world)

async function create(payload: object) {
  const headers = { ...bearer(await anAccount(world)), 'content-type': 'application/json' }
  const answer = await server.app.inject({ method: 'POST', url: '/trpc/customers.create', headers, payload })
  return answer.statusCode
}

test.each([
  ['a typed array as long as its sender likes', { length: 1_000_000_000 }, [['typed-array', 'Float64Array']]],
  ['a typed array of so many bytes', 1_000_000_000, [['typed-array', 'Float64Array']]],
  ['a map', [[1, 2]], ['map']],
  ['a set', [1, 2], ['set']],
  ['a regular expression', '/(a+)+$/', ['regexp']],
  ['a number of any length', '9', ['bigint']],
  ['an error', { message: 'x' }, ['Error']],
])('no call takes %s', async (_what, name, type) => {
  expect(await create({ json: { name }, meta: { values: { name: type } } })).toBe(400)
})

test('an object that is a set with values in it is refused as well', async () => {
  expect(await create({ json: { name: [1] }, meta: { values: { name: ['set', { 0: ['undefined'] }] } } })).toBe(400)
})

test.each([
  ['makes a list as long as its sender likes', { days: [] }, 'days.4294967294'],
  ['is no index of the list', { days: [null] }, 'days.length'],
  ['is not there', { name: 'Acme' }, 'email'],
  ['has a value', { name: 'Acme' }, 'name'],
  ['is within a text', { name: 'Acme' }, 'name.length'],
  ['is within null', { name: null }, 'name.first'],
  ['is of every object', { name: 'Acme' }, '__proto__.isAdmin'],
])('an undefined value whose place %s is refused', (_what, json, place) => {
  expect(() => trpcInput.deserialize({ json, meta: { values: { [place]: ['undefined'] } } })).toThrow('BAD_REQUEST')
})

test.each([
  [{ name: 'Acme', email: undefined, tags: [undefined, 1] }],
  [{ nested: { deep: [{ value: undefined }] }, empty: null }],
  [undefined],
  ['text'],
])('%j arrives as it was sent', (input) => {
  expect(trpcInput.deserialize(JSON.parse(JSON.stringify(trpcInput.serialize(input))))).toEqual(input)
})

test('an object that occurs twice arrives twice', () => {
  const days = [30, 14]
  const sent = JSON.parse(JSON.stringify(superjson.serialize({ one: days, other: days })))
  expect(trpcInput.deserialize(sent)).toEqual({ one: days, other: days })
})
