import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { answerToken, isPageToken, linkOfToken, pageToken } from './answer-token.ts'

const KEY = 'a key'
const LINK = { accountId: 12, linkId: 345 }
const NOW = new Date('2026-06-01T10:00:00Z')
const HOUR_MS = 3_600_000

test('a token is always the same, and leads to its link', () => {
  expect(answerToken(KEY, LINK)).toBe(answerToken(KEY, { ...LINK }))
  expect(linkOfToken(KEY, answerToken(KEY, LINK))).toEqual(LINK)
})

test('a token made with another key leads nowhere', () => {
  expect(linkOfToken('another', answerToken(KEY, LINK))).toBeUndefined()
})

property.prop([fc.nat({ max: 60 }), fc.string({ minLength: 1, maxLength: 1 })])(
  'a token with another character leads nowhere',
  (position, character) => {
    const token = answerToken(KEY, LINK)
    const forged = token.slice(0, position) + character + token.slice(position + 1)
    fc.pre(forged !== token)
    expect(linkOfToken(KEY, forged)).toBeUndefined()
  },
)

property.prop([fc.string()])('anything else leads nowhere', (text) => {
  expect(linkOfToken(KEY, text)).toBeUndefined()
})

test('the token of one link is not that of another', () => {
  const [, , seal = ''] = answerToken(KEY, LINK).split('.')
  expect(linkOfToken(KEY, `12.a346.${seal}`)).toBeUndefined()
  expect(linkOfToken(KEY, `13.a345.${seal}`)).toBeUndefined()
})

test('a page is valid for a day, for one link, for what it showed, and until something is answered', () => {
  const token = pageToken(KEY, LINK, { answers: 0, shown: 'this', now: NOW })
  const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS)
  const isValid = (link: typeof LINK, answers: number, now: Date, shown = 'this') =>
    isPageToken(KEY, link, { token, answers, shown, now })
  expect(isValid(LINK, 0, NOW)).toBe(true)
  expect(isValid(LINK, 0, later(24))).toBe(true)
  expect(isValid(LINK, 0, later(25))).toBe(false)
  expect(isValid(LINK, 0, later(-1))).toBe(false)
  expect(isValid(LINK, 1, NOW)).toBe(false)
  expect(isValid(LINK, 0, NOW, 'that')).toBe(false)
  expect(isValid({ ...LINK, linkId: 346 }, 0, NOW)).toBe(false)
})

property.prop([fc.string()])('no other text is a page', (token) => {
  expect(isPageToken(KEY, LINK, { token, answers: 0, shown: '', now: NOW })).toBe(false)
})
