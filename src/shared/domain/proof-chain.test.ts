import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { aForge, chained, type Forge } from '#support/proof-signer.ts'
import { PROOF_FORMAT, verifyRecord, type ProofRecord, type ProofSubject, type ProvedRecord } from './proof-chain.ts'
import { verifyLinks } from './proof-links.ts'

const operator = await aForge()
const stranger = await aForge()
const ACCOUNT = 7

const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
const anyPart = fc.record({
  name: fc.constantFrom('parties', 'contract', 'message'),
  title: anyText,
  facts: fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 4 }),
  text: anyText,
})
const anyId = fc.integer({ min: 1, max: 1_000_000 })
const happened = {
  kind: fc.constantFrom('sent', 'delivered', 'answered'),
  parts: fc.array(anyPart, { minLength: 1, maxLength: 4 }),
}
const anyAct = fc.oneof(fc.record({ ...happened, reminder: anyId }), fc.record({ ...happened, answer: anyId }))
const anyRecords = fc.array(anyAct, { minLength: 3, maxLength: 8 }).map((acts) => recordsOf(acts))

type Act = ProofSubject & Pick<ProofRecord, 'kind' | 'parts'>

function recordsOf(acts: readonly Act[], account = ACCOUNT) {
  return acts.map((act, index): ProofRecord => {
    const at = `2026-03-10T12:00:0${index}.000Z`
    return { ...act, format: PROOF_FORMAT, account, number: index + 1, at }
  })
}

const linksOf = (proved: readonly ProvedRecord[]) => proved.map(({ link }) => link)

/** What the operator's chain looks like to somebody who has its key. */
function verdictOf(proved: readonly ProvedRecord[], heads: ProvedRecord[] = [], account = ACCOUNT) {
  return verifyLinks({ account, links: linksOf(proved), keys: [operator.key], heads: linksOf(heads) })
}

function verified(one: ProvedRecord | undefined, forge: Forge = operator) {
  if (!one) throw new Error('There is such a record')
  return verifyRecord(one, [forge.key])
}

/** The record with another last character in the first text of a part. */
function withOtherText(one: ProvedRecord, index: number): ProvedRecord {
  const parts = one.record.parts.map((part, at) => (at === index ? { ...part, text: `${part.text}x` } : part))
  return { ...one, record: { ...one.record, parts } }
}

describe('what the operator signed', () => {
  test.prop([anyRecords])('is genuine, record by record and as a chain', async (records) => {
    const proved = await chained(records, operator)
    for (const one of proved) expect(await verified(one)).toEqual({ verdict: 'genuine' })
    const { link } = proved.at(-1) ?? {}
    const head = { number: records.length, hash: link?.hash }
    expect(await verdictOf(proved, proved)).toEqual({ verdict: 'genuine', links: records.length, head })
  })

  test('is of unknown origin to somebody who has only the key of another', async () => {
    const [one] = await chained(recordsOf([EXAMPLE]), operator)
    expect(await verified(one, stranger)).toEqual({ verdict: 'unknown', keyId: operator.key.id })
  })

  test('stays genuine beside a key that came later', async () => {
    const [one] = await chained(recordsOf([EXAMPLE]), operator)
    if (!one) throw new Error('There is such a record')
    expect(await verifyRecord(one, [stranger.key, operator.key])).toEqual({ verdict: 'genuine' })
  })
})

const EXAMPLE = {
  reminder: 3,
  kind: 'sent',
  parts: [
    { name: 'parties', title: 'Parties', facts: [['Sender', 'Alder Supplies']] },
    { name: 'message', title: 'Message', facts: [['Subject', 'Your contract']], text: 'It renews on April 1.' },
  ],
} as const

describe('a forged record', () => {
  test.prop([anyRecords, fc.nat(), fc.nat()])(
    'names the part of which a character was changed',
    async (records, which, where) => {
      const proved = await chained(records, operator)
      const one = proved[which % proved.length]
      const part = one?.record.parts[where % one.record.parts.length]
      const forged = one && withOtherText(one, where % one.record.parts.length)
      expect(await verified(forged)).toEqual({ verdict: 'changed', part: part?.name })
    },
  )

  test.prop([anyRecords, fc.constantFrom('at', 'kind', 'reminder', 'account')])(
    'names the record itself if a date or a number in it was changed',
    async (records, name) => {
      const [one] = await chained(records, operator)
      const record = one && { ...one.record, at: '2026-01-01T00:00:00.000Z', ...(name !== 'at' && { [name]: 99 }) }
      expect(await verified(one && record && { ...one, record })).toEqual({ verdict: 'changed', part: 'record' })
    },
  )

  test('lacks a signature if everything but that was made to fit', async () => {
    const [one] = await chained(recordsOf([EXAMPLE]), operator)
    const forgery = one && withOtherText(one, 1)
    const [made] = await chained(forgery ? [forgery.record] : [], stranger)
    const link = made && { ...made.link, keyId: operator.key.id }
    expect(await verified(made && link && { ...made, link })).toEqual({ verdict: 'changed', part: 'signature' })
  })

  test('has the hash of another record, or another place', async () => {
    const [one, other] = await chained(recordsOf([EXAMPLE, { ...EXAMPLE, reminder: 4 }]), operator)
    if (!one || !other) throw new Error('There are two records')
    expect(await verified({ ...one, link: other.link })).toEqual({ verdict: 'changed', part: 'number' })
    const moved = { ...other.link, number: 1 }
    expect(await verified({ ...one, link: moved })).toEqual({ verdict: 'changed', part: 'record hash' })
    const link = { ...one.link, previousHash: other.link.hash }
    expect(await verified({ ...one, link })).toEqual({ verdict: 'changed', part: 'hash' })
  })

  test('has a part more, or less', async () => {
    const [one] = await chained(recordsOf([EXAMPLE]), operator)
    if (!one) throw new Error('There is such a record')
    const { record } = one
    const less = { ...record, parts: record.parts.slice(0, 1) }
    const more = { ...record, parts: [...record.parts, { name: 'delivery', title: 'Delivery', facts: [] }] }
    expect(await verified({ ...one, record: less })).toEqual({ verdict: 'changed', part: 'message' })
    expect(await verified({ ...one, record: more })).toEqual({ verdict: 'changed', part: 'delivery' })
  })
})

describe('a chain of two keys', () => {
  test.prop([anyRecords, fc.nat()])('is signed with both, and with neither missing', async (records, which) => {
    const at = 1 + (which % (records.length - 1))
    const earlier = await chained(records.slice(0, at), stranger)
    const later = await chained(records.slice(at), operator, earlier.at(-1)?.link.hash)
    const chain = { account: ACCOUNT, links: linksOf([...earlier, ...later]) }
    expect(await verifyLinks({ ...chain, keys: [operator.key, stranger.key] })).toMatchObject({ verdict: 'genuine' })
    const without = { verdict: 'changed', number: at, fault: 'key' }
    expect(await verifyLinks({ ...chain, keys: [operator.key] })).toEqual(without)
  })
})

describe('a forged chain', () => {
  test.prop([anyRecords, fc.nat()])('lacks a link that was taken out', async (records, which) => {
    const proved = await chained(records, operator)
    const gone = which % (proved.length - 1)
    const left = proved.toSpliced(gone, 1)
    expect(await verdictOf(left)).toEqual({ verdict: 'changed', number: gone + 1, fault: 'missing' })
    const renumbered = left.map((one, index) => ({ ...one, link: { ...one.link, number: index + 1 } }))
    expect(await verdictOf(renumbered)).toEqual({ verdict: 'changed', number: gone + 1, fault: 'previous hash' })
  })

  test.prop([anyRecords, fc.nat()])('has two links swapped', async (records, which) => {
    const proved = await chained(records, operator)
    const at = which % (proved.length - 1)
    const [one, other] = proved.slice(at, at + 2)
    if (!one || !other) throw new Error('There are two links')
    const swapped = proved.toSpliced(at, 2, other, one)
    expect(await verdictOf(swapped)).toMatchObject({ verdict: 'changed', number: at + 1 })
    const renumbered = swapped.map(({ link, ...proof }, index) => ({ ...proof, link: { ...link, number: index + 1 } }))
    expect(await verdictOf(renumbered)).toEqual({ verdict: 'changed', number: at + 1, fault: 'previous hash' })
  })

  test.prop([anyRecords])('lacks its end, which only a known head shows', async (records) => {
    const proved = await chained(records, operator)
    const cut = proved.slice(0, -1)
    expect(await verdictOf(cut)).toMatchObject({ verdict: 'genuine' })
    const fault = { verdict: 'changed', number: proved.length, fault: 'head' }
    expect(await verdictOf(cut, proved.slice(-1))).toEqual(fault)
  })

  test.prop([anyRecords])('was begun anew by the operator, which a known head shows', async (records) => {
    const proved = await chained(records, operator)
    const anew = records.map((record) => ({ ...record, kind: 'delivered again' }))
    const forged = await chained(anew, operator)
    expect(await verdictOf(forged)).toMatchObject({ verdict: 'genuine' })
    const fault = { verdict: 'changed', number: proved.length, fault: 'head' }
    expect(await verdictOf(forged, proved.slice(-1))).toEqual(fault)
  })

  test.prop([anyRecords])('was begun anew by somebody else', async (records) => {
    const forged = await chained(records, stranger)
    expect(await verdictOf(forged)).toEqual({ verdict: 'changed', number: records.length, fault: 'key' })
    const posing = forged.map(({ link, ...proof }) => ({ ...proof, link: { ...link, keyId: operator.key.id } }))
    expect(await verdictOf(posing)).toEqual({ verdict: 'changed', number: records.length, fault: 'signature' })
  })

  test.prop([anyRecords])('is of another account', async (records) => {
    const proved = await chained(records, operator)
    expect(await verdictOf(proved, [], 8)).toEqual({ verdict: 'changed', number: 1, fault: 'previous hash' })
  })

  test.prop([anyRecords])('has another hash', async (records) => {
    const proved = await chained(records, operator)
    const forged = proved.map(({ link, ...proof }) => ({ ...proof, link: { ...link, hash: 'a'.repeat(64) } }))
    expect(await verdictOf(forged)).toEqual({ verdict: 'changed', number: 1, fault: 'hash' })
  })
})
