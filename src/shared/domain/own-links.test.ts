import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { hideOwnLinks } from './own-links.ts'

const URL = 'https://traxx.example'
const anyToken = fc.stringMatching(/^[\w.-]{20,60}$/)

test.prop([anyToken, fc.stringMatching(/^[a-z-]{1,12}$/), fc.constantFrom('/', '?t=', '#')])(
  'of a link to TRAXX only what it is for stays',
  (token, path, between) => {
    const hidden = hideOwnLinks(`Answer: ${URL}/${path}${between}${token}\nBye`, URL)
    expect(hidden).toBe(`Answer: ${URL}/${path}/[hidden]\nBye`)
  },
)

test.each([
  'https://other.example/unsubscribe/abcdef',
  'https://traxx.example.evil.test/unsubscribe/abcdef',
  'See traxx.example/unsubscribe',
  'https://traxx.example/pricing',
])('%s stays as it is', (text) => {
  expect(hideOwnLinks(text, URL)).toBe(text)
})

test('the case of the host makes no difference, and every link is hidden', () => {
  const text = 'https://TRAXX.example/answer/abc and https://traxx.example/report/def'
  expect(hideOwnLinks(text, URL)).toBe(
    'https://TRAXX.example/answer/[hidden] and https://traxx.example/report/[hidden]',
  )
})
