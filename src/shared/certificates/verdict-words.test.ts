import { expect, test } from 'vitest'
import { PROOF_FORMAT, type ProofRecord } from '#shared/domain/proof-chain.ts'
import { verdictWords } from './verdict-words.ts'

const record: ProofRecord = {
  format: PROOF_FORMAT,
  account: 7,
  number: 4,
  reminder: 3,
  kind: 'sent',
  at: '2026-03-10T12:00:00.000Z',
  parts: [{ name: 'contract 31', title: 'Contract 31', facts: [], text: '' }],
}
const link = { number: 4, previousHash: '', recordHash: '', hash: '', signature: '', keyId: '' }
const certificate = { format: 'traxx-certificate-1', proved: [{ record, partHashes: [], link }] } as const

test.each([
  ['contract 31', 4, 'The part “Contract 31” of record 4 is not as it was signed.'],
  ['record', 4, 'The account, number, kind, message or time of record 4 is not as it was signed.'],
  ['signature', 4, 'The signature of record 4 is not that of the key.'],
  ['pages', null, expect.stringContaining('What the pages say does not count')],
])('a change of %s says what it is', (part, number, text) => {
  const verdict = { verdict: 'changed', part, record: number, certificate } as const
  expect(verdictWords(verdict)).toEqual({ title: 'Changed', text })
})

test('a key of which nothing is known is named', () => {
  const reason = { kind: 'other key', keyId: 'abcdef0123456789' } as const
  expect(verdictWords({ verdict: 'unknown', reason }).text).toContain('abcdef0123456789')
})

test('a certificate of a newer version is said to be one', () => {
  const { title, text } = verdictWords({ verdict: 'unknown', reason: { kind: 'newer version' } })
  expect(title).toBe('Unknown')
  expect(text).toContain('made by a newer version of TRAXX')
})
