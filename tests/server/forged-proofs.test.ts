import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import { readProofKey } from '#shared/domain/proof-key.ts'
import { verifyLinks } from '#shared/domain/proof-links.ts'
import type { ProofHead } from '#shared/domain/proof-chain.ts'
import type { RequestContext } from '#server/context.ts'
import { getCertificate } from '#server/proofs/certificate.service.ts'
import { getProofHead } from '#server/proofs/proof-head.service.ts'
import { openSigner } from '#server/security/signing-key.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { proofsOf } from '#support/proofs.ts'
import { aSigningKey } from '#support/public-key.ts'
import { aContract, aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()

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
