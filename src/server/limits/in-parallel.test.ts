import { expect, test } from 'vitest'
import { chunksOf } from './in-parallel.ts'

test.each([
  { count: 0, sizes: [] },
  { count: 1, sizes: [1] },
  { count: 4, sizes: [4] },
  { count: 9, sizes: [4, 4, 1] },
])('$count items come in groups of four, in order', ({ count, sizes }) => {
  const items = Array.from({ length: count }, (_item, at) => at)
  const chunks = chunksOf(items, 4)
  expect(chunks.map(({ length }) => length)).toEqual(sizes)
  expect(chunks.flat()).toEqual(items)
})
