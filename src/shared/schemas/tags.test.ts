import { expect, test } from 'vitest'
import { tags } from './tags.ts'

test.each(['V\u200bIP', '\u200bVIP\u2060', 'VIP \ufeff', '\u202eVIP'])(
  'tags that look the same are one: %j',
  (written) => {
    expect(tags().parse(['VIP', written])).toEqual(['VIP'])
  },
)

test('a tag that nobody sees is none', () => {
  expect(tags().safeParse(['\u200b']).error?.issues).toMatchObject([{ path: [0], message: 'Enter a tag' }])
})
