import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { changedTags, MOST_TAGS, tagKey, uniqueTags } from './tags.ts'

const anyTags = fc.array(fc.constantFrom('VIP', 'vip', 'Café', 'cafe', 'North', 'south', 'South', 'x'))
const keysOf = (tags: readonly string[] | undefined) => new Set(tags?.map(tagKey))

test('a tag is the same in any case, with and without accents', () => {
  expect(uniqueTags(['Café', 'VIP', 'cafe', 'vip', 'North'])).toEqual(['Café', 'VIP', 'North'])
})

property.prop([anyTags])('each tag is kept once, as it was written first', (tags) => {
  const unique = uniqueTags(tags)
  expect(keysOf(unique)).toEqual(keysOf(tags))
  expect(keysOf(unique).size).toBe(unique.length)
  for (const tag of unique) expect(tags.find((one) => tagKey(one) === tagKey(tag))).toBe(tag)
})

describe('changing tags', () => {
  property.prop([anyTags, anyTags, anyTags])('leaves those that were added, and none that were removed', (...sets) => {
    const [tags, add, remove] = sets
    const changed = keysOf(changedTags(uniqueTags(tags), { add, remove }))
    const expected = new Set([...keysOf(tags)].filter((key) => !keysOf(remove).has(key)))
    expect(changed).toEqual(new Set([...expected, ...keysOf(add)]))
  })

  property.prop([anyTags, anyTags])('twice is the same as once', (tags, add) => {
    const once = changedTags(uniqueTags(tags), { add, remove: [] }) ?? []
    expect(changedTags(once, { add, remove: [] })).toEqual(once)
  })

  test('stops at as many as there can be', () => {
    const tags = Array.from({ length: MOST_TAGS }, (_, at) => `t${at}`)
    expect(changedTags(tags, { add: ['T0'], remove: [] })).toEqual(tags)
    expect(changedTags(tags, { add: ['one more'], remove: [] })).toBeUndefined()
    expect(changedTags(tags, { add: ['one more'], remove: ['t3'] })).toHaveLength(MOST_TAGS)
  })
})
