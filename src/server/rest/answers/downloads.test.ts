import { expect, test } from 'vitest'
import { inlineAs, rangeOf } from './downloads.ts'

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

test.each([
  ['Acme contract 7.pdf', 'Acme contract 7.pdf', 'Acme%20contract%207.pdf'],
  ['Café 100%.pdf', 'Cafe 100_.pdf', 'Caf%C3%A9%20100%25.pdf'],
  ['日本 (1).pdf', '_ (1).pdf', '%E6%97%A5%E6%9C%AC%20%281%29.pdf'],
  ['a"b\\c*.pdf', 'a_b_c*.pdf', 'a%22b%5Cc%2a.pdf'],
  ['x\r\ny.pdf', 'x_y.pdf', 'x%0D%0Ay.pdf'],
])('%j is named in ASCII and in UTF-8', (fileName, ascii, utf8) => {
  expect(inlineAs(fileName)).toBe(`inline; filename="${ascii}"; filename*=UTF-8''${utf8}`)
})
