import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import { readProofKey } from '#shared/domain/proof-key.ts'
import { verifyLinks } from '#shared/domain/proof-links.ts'
import type { ProofHead } from '#shared/domain/proof-chain.ts'
import type { RequestContext } from '#server/context.ts'
import { declineAnswer } from '#server/customer-answers/answers.service.ts'
import { getAnswerCertificate, getCertificate } from '#server/proofs/certificate.service.ts'
import { getProofHead } from '#server/proofs/proof-head.service.ts'
import { openSigner } from '#server/security/signing-key.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { anAnswerable } from '#support/answering.ts'
import { useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { proofsOf } from '#support/proofs.ts'
import { aSigningKey } from '#support/public-key.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

/** An account that has sent three reminders, and the head that its owner has of them. */
async function anAccountWithProofs() {
  const { mailer } = aMailbox()
  const request = await anAccount(world, { services: { mailer } })
  await remind(request)
  const { head } = await getProofHead(requireReader(request))
  return { request, accountId: request.caller?.id ?? 0, head: head ?? { number: 0, hash: '' } }
}

async function remind(request: RequestContext): Promise<void> {
  for (const name of ['one', 'two', 'three']) {
    const { id: customerId } = await aCustomer(request, { name, email: `${name}@harbor.test` })
    await sendReminder(request, await aContract(request, { customerId }))
  }
}

/** Changes the database as its operator can: triggers do not run. */
async function forge(...statements: string[]): Promise<void> {
  const client = new pg.Client(world.connection)
  await client.connect()
  try {
    await client.query(['set session_replication_role = replica', ...statements].join(';'))
  } finally {
    await client.end()
  }
}

async function keysOf({ services }: RequestContext) {
  const key = await readProofKey(services.proofSigner.publicPem)
  return key ? [key] : []
}

/** What somebody finds who has the key, the exported chain and perhaps a head. */
async function chainOf(request: RequestContext, heads: ProofHead[] = []) {
  const links = await proofsOf(request)
  return verifyLinks({ account: request.caller?.id ?? 0, links, keys: await keysOf(request), heads })
}

/** What somebody finds who has the key and the certificate of a message, by default the second. */
async function certificateOf(request: RequestContext, which = 1) {
  const id = (await ledgerOf(request))[which]?.id ?? 0
  const { bytes } = await getCertificate(requireReader(request), { id })
  return verifyCertificate(bytes, await keysOf(request))
}

describe('the certificates and the chain of an account', () => {
  test('are genuine, and lead to its head', async () => {
    const { request, head } = await anAccountWithProofs()
    expect(await certificateOf(request)).toMatchObject({ verdict: 'genuine' })
    expect(await chainOf(request, [head])).toMatchObject({ verdict: 'genuine', links: 3 })
  })

  test.each([
    ['one character in the text', `'This is a reminder'`, `'This is a Reminder'`],
    ['a date', `'April 1, 2026'`, `'April 2, 2026'`],
  ])('are found out where %s was changed', async (_what, text, by) => {
    const { request } = await anAccountWithProofs()
    await forge(`update proof_records set record = replace(record, ${text}, ${by}) where number = 2`)
    const found = await certificateOf(request)
    expect(found).toMatchObject({ verdict: 'changed', part: 'record hash', record: 2 })
    expect(await certificateOf(request, 2)).toMatchObject({ verdict: 'genuine' })
  })

  test('are found out where a row was taken out', async () => {
    const { request, head } = await anAccountWithProofs()
    await forge('delete from proofs where number = 2', 'delete from proof_records where number = 2')
    expect(await chainOf(request, [head])).toEqual({ verdict: 'changed', number: 2, fault: 'missing' })
    await forge(...['proofs', 'proof_records'].map((table) => `update ${table} set number = 2 where number = 3`))
    expect(await chainOf(request, [head])).toEqual({ verdict: 'changed', number: 2, fault: 'previous hash' })
  })

  test('are found out where the last row was taken out, by a head', async () => {
    const { request, head } = await anAccountWithProofs()
    await forge('delete from proofs where number = 3', 'delete from proof_records where number = 3')
    expect(await chainOf(request)).toMatchObject({ verdict: 'genuine' })
    expect(await chainOf(request, [head])).toEqual({ verdict: 'changed', number: 3, fault: 'head' })
  })

  test('are found out where two rows were swapped', async () => {
    const { request } = await anAccountWithProofs()
    const swap = (table: string) => [
      `update ${table} set number = 9 where number = 1`,
      `update ${table} set number = 1 where number = 2`,
      `update ${table} set number = 2 where number = 9`,
    ]
    await forge(...swap('proofs'), ...swap('proof_records'))
    expect(await chainOf(request)).toEqual({ verdict: 'changed', number: 1, fault: 'previous hash' })
    expect(await certificateOf(request)).toMatchObject({ verdict: 'changed', part: 'number' })
  })

  test('are found out where the chain was begun anew with the same key, by a head', async () => {
    const { request, head } = await anAccountWithProofs()
    await forge('truncate proofs, proof_records')
    await remind(request)
    expect(await chainOf(request)).toMatchObject({ verdict: 'genuine', links: 3 })
    expect(await chainOf(request, [head])).toEqual({ verdict: 'changed', number: 3, fault: 'head' })
  })

  test('are found out where the chain was begun anew with another key', async () => {
    const { request } = await anAccountWithProofs()
    await forge('truncate proofs, proof_records')
    const proofSigner = openSigner(aSigningKey())
    await remind({ ...request, services: { ...request.services, proofSigner } })
    expect(await chainOf(request)).toMatchObject({ verdict: 'changed', fault: 'key' })
    expect(await certificateOf(request, 4)).toMatchObject({ verdict: 'unknown', reason: { kind: 'other key' } })
  })

  test('are found out where they are another account’s', async () => {
    const [mine, theirs] = [await anAccountWithProofs(), await anAccountWithProofs()]
    const rows = (table: string) => [
      `delete from ${table} where account_id = ${mine.accountId}`,
      `update ${table} set account_id = ${mine.accountId} where account_id = ${theirs.accountId}`,
    ]
    await forge(...rows('proofs'), ...rows('proof_records'))
    expect(await chainOf(mine.request)).toEqual({ verdict: 'changed', number: 1, fault: 'previous hash' })
    const reminders = `update proof_records set record = replace(record, '"account":${theirs.accountId}', '"account":${mine.accountId}')`
    const named = `update proofs set reminder_id = (select min(id) from reminders where account_id = ${mine.accountId}) where number = 1`
    await forge(reminders, named)
    expect(await certificateOf(mine.request, 0)).toMatchObject({ verdict: 'changed', part: 'record hash', record: 1 })
  })
})

describe('the certificate of an answer', () => {
  /** An answer that was changed once, and declined. */
  async function aDecidedAnswer() {
    const { request, answer, answers } = await anAnswerable(world, server)
    await answer('renew')
    await answer('change', { wishedDate: '2027-06-30', words: 'Less, please' })
    const [second, first] = await answers()
    await asSubscriber(request, (ctx) => declineAnswer(ctx, { id: second?.id ?? 0, reply: 'No, sorry' }))
    const certificateOf = async (which: typeof first) => {
      const { bytes } = await getAnswerCertificate(requireReader(request), { id: which?.id ?? 0 })
      return verifyCertificate(bytes, await keysOf(request))
    }
    return { request, first: () => certificateOf(first), second: () => certificateOf(second) }
  }

  test('is genuine with all that happened to it', async () => {
    const { request, first, second } = await aDecidedAnswer()
    expect(await first()).toMatchObject({ verdict: 'genuine' })
    expect(await second()).toMatchObject({ verdict: 'genuine' })
    const kinds = (await proofsOf(request)).map(({ record }) => record.kind)
    expect(kinds).toEqual(['sent', 'answered', 'changed', 'answered', 'decided'])
  })

  test.each([
    ['one character of the words', 'Less, please', 'More, please', 4],
    ['the date', 'June 30, 2027', 'June 30, 2028', 4],
    ['the network', '203.0.113.0/24', '203.0.112.0/24', 4],
    ['the time', '"at":"2026', '"at":"2025', 4],
    ['the decision', 'Declined', 'Accepted', 5],
    ['the words of the owner', 'No, sorry', 'Yes, fine', 5],
  ])('is found out where %s was changed', async (_what, text, by, number) => {
    const { first, second } = await aDecidedAnswer()
    const replaced = `replace(record, '${text}', '${by}')`
    await forge(`update proof_records set record = ${replaced} where number = ${number} and record <> ${replaced}`)
    expect(await second()).toMatchObject({ verdict: 'changed', part: 'record hash', record: number })
    expect(await first()).toMatchObject({ verdict: 'genuine' })
  })

  test('is found out where the record is said to be about another answer', async () => {
    const { first } = await aDecidedAnswer()
    await forge('update proofs set answer_id = (select answer_id from proofs where number = 2) where number = 4')
    expect(await first()).toMatchObject({ verdict: 'changed', part: 'records' })
  })
})
