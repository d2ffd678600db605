import { expect, test } from 'vitest'
import { matchTotp, newTotpSecret, totpAt, totpUri } from './totp.ts'

/** "12345678901234567890", the secret of RFC 6238's examples. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i the code is that of RFC 6238', (second, code) => {
  expect(totpAt(SECRET, Math.floor(second / 30))).toBe(code)
  expect(matchTotp(SECRET, code, { now: second * 1000, usedStep: 0 })).toBe(Math.floor(second / 30))
})

test('a code counts half a minute early and late, and no longer', () => {
  const code = totpAt(SECRET, 1000)
  const at = (step: number) => matchTotp(SECRET, code, { now: step * 30_000, usedStep: 0 })
  expect([998, 999, 1000, 1001, 1002].map(at)).toEqual([undefined, 1000, 1000, 1000, undefined])
})

test('a code counts once', () => {
  const now = 1000 * 30_000
  expect(matchTotp(SECRET, totpAt(SECRET, 1000), { now, usedStep: 1000 })).toBeUndefined()
  expect(matchTotp(SECRET, totpAt(SECRET, 1001), { now, usedStep: 1000 })).toBe(1001)
})

test('a new secret has 160 bits, and the link for the app carries it', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(secret)
  const uri = new URL(totpUri(secret, 'ada+1@example.com'))
  expect(uri.protocol).toBe('otpauth:')
  expect(decodeURIComponent(uri.pathname)).toContain('TRAXX:ada+1@example.com')
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer: 'TRAXX', digits: '6', period: '30' })
})
