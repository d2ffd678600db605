import { expect, test } from 'vitest'
import { rangeOf } from './byte-range.ts'

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
])('of 100 bytes %s is a part', (range, part) => {
  expect(rangeOf({ range }, 100)).toEqual(part)
})

test.each(['bytes=100-', 'bytes=20-10', 'bytes=-0', 'bytes=-', 'bytes=0-1,5-6', 'lines=0-1', 'bytes=a-b', ''])(
  '%j is answered with the whole',
  (range) => {
    expect(rangeOf({ range }, 100)).toBeUndefined()
  },
)

test('no range, or one under a condition, is answered with the whole', () => {
  expect(rangeOf({}, 100)).toBeUndefined()
  expect(rangeOf({ range: 'bytes=0-1', 'if-range': '"a"' }, 100)).toBeUndefined()
})
