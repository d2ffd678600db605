import './in-production.ts'
import { createPublicKey, generateKeyPairSync, hash, sign } from 'node:crypto'
import { certificatePdf } from '#shared/certificates/certificate-pdf.ts'
import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import {
  firstHash,
  hashLink,
  hashParts,
  hashRecord,
  PROOF_FORMAT,
  signedText,
  type ProofRecord,
  type ProvedRecord,
} from '#shared/domain/proof-chain.ts'
import { readProofKey } from '#shared/domain/proof-key.ts'
import { verifyLinks } from '#shared/domain/proof-links.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { afterEarlierProofs, appendProof } from '#server/proofs/append-proof.ts'
import { openSigner, type ProofSigner } from '#server/security/signing-key.ts'
import { openOwnDatabase } from './own-database.ts'
import { printMilliseconds } from './report.ts'
import { timed } from './timed.ts'

/**
 * `npm run bench -- proof [rows]`: making and verifying a certificate, verifying a chain of 100,000 rows, and how many
 * records a second are added to the chain of one account and to those of 20 at once.
 */
const rows = Number(process.argv[2] ?? 100_000)
const CERTIFICATE_MS = 150
const VERIFYING_MS = 10_000
const CERTIFICATES = 50
const ACCOUNT = 1

const { privateKey } = generateKeyPairSync('ed25519')
const signer = openSigner(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
const key = await readProofKey(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString())
if (!key) throw new Error('The key can be read')

const chain = await makeChain(rows)
await measureCertificates(chain.slice(0, CERTIFICATES))
const links = chain.map(({ link }) => link)
const { seconds, result } = await timed(() => verifyLinks({ account: ACCOUNT, links, keys: [key], hash: sha256 }))
if (result.verdict !== 'genuine') throw new Error(`The chain is ${result.verdict}`)
printMilliseconds(`verifying ${rows} rows`, [seconds * 1000], VERIFYING_MS)
await measureAppending()

/** As `npm run verify` hashes. */
function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Records as those of an email, of some 3 kB. */
async function makeChain(count: number): Promise<ProvedRecord[]> {
  const proved: ProvedRecord[] = []
  let previousHash = await firstHash(ACCOUNT)
  for (let number = 1; number <= count; number += 1) {
    const record = aRecord(number)
    const partHashes = await hashParts(record)
    const recordHash = await hashRecord(partHashes)
    const hash = await hashLink({ previousHash, recordHash })
    const signature = sign(null, Buffer.from(signedText(hash)), privateKey).toString('base64url')
    proved.push({
      record,
      partHashes,
      link: { number, previousHash, recordHash, hash, signature, keyId: signer.keyId },
    })
    previousHash = hash
  }
  return proved
}

function aRecord(number: number): ProofRecord {
  const about = { format: PROOF_FORMAT, account: ACCOUNT, number, reminder: number, kind: 'sent' } as const
  return { ...about, at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(), parts: partsOf(number) }
}

function partsOf(number: number): ProofRecord['parts'] {
  const facts = Array.from({ length: 8 }, (_, index) => [`Label ${index}`, `A value of record ${number}`] as const)
  const text = `Hello customer ${number},\n\n${'This is a reminder of your contract, which renews soon. '.repeat(20)}`
  return [
    { name: 'parties', title: 'Parties', facts, text: '' },
    { name: 'contract', title: 'Contract', facts, text: '' },
    { name: 'message', title: 'Message', facts, text },
  ]
}

async function measureCertificates(some: readonly ProvedRecord[]): Promise<void> {
  const [made, checked]: [number[], number[]] = [[], []]
  for (const one of some) {
    const certificate = {
      format: 'traxx-certificate-1',
      proved: [one],
    } as const
    const making = await timed(() => certificatePdf(certificate))
    const checking = await timed(() => verifyCertificate(making.result, key ? [key] : []))
    if (checking.result.verdict !== 'genuine') throw new Error(`A certificate is ${checking.result.verdict}`)
    made.push(making.seconds * 1000)
    checked.push(checking.seconds * 1000)
  }
  console.log(`the first certificate, with what is loaded for it: ${made[0]?.toFixed(0)} ms`)
  printMilliseconds('a certificate', made, CERTIFICATE_MS)
  printMilliseconds('verifying one', checked, CERTIFICATE_MS)
}

/** Printed without a bound: it depends on the disk. */
async function measureAppending(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { connection, stop } = await openOwnDatabase()
  stack.defer(stop)
  const db = (await openDatabase(connection)).as('operator')
  stack.defer(() => db.close())
  await db.system.query(
    `insert into accounts (clerk_user_id, email, time_zone) select 'user_' || n, '', 'UTC' from generate_series(1, 21) n`,
  )
  const add = (accountId: number, number: number, by: ProofSigner) =>
    afterEarlierProofs(accountId, () =>
      db.writeAs(accountId, (_em, write) =>
        appendProof(write, { accountId, reminderId: number, kind: 'sent', at: new Date(), parts: partsOf(number) }, by),
      ),
    )
  const each = Array.from({ length: 1000 }, (_, number) => number + 1)
  const one = await timed(() => Promise.all(each.map((number) => add(21, number, signer))))
  const many = await timed(() => Promise.all(each.map((number) => add((number % 20) + 1, number, signer))))
  console.log(`records added a second: ${perSecond(one.seconds)} of one account, ${perSecond(many.seconds)} of 20`)
  const answer = await db.system.query(
    `select pg_size_pretty(pg_total_relation_size('proofs') / 2000) as link,
      pg_size_pretty(pg_total_relation_size('proof_records') / 2000) as record`,
  )
  console.log(`on disk, of each: ${JSON.stringify(answer.rows[0])}`)
}

function perSecond(seconds: number): string {
  return (1000 / seconds).toFixed(0)
}
