import { hash } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { canonicalJson } from '#shared/domain/canonical-json.ts'
import {
  firstHash,
  hashLink,
  hashParts,
  hashRecord,
  PROOF_FORMAT,
  signedText,
  type ProofPart,
  type ProofRecord,
  type ProofSubject,
} from '#shared/domain/proof-chain.ts'
import type { Write } from '#server/db/database.ts'
import { rowOf } from '#server/db/insert.ts'
import { openQueue } from '#server/db/queue.ts'
import { ProofEntity, ProofRecordEntity } from './proof.entity.ts'
import { weekFrom } from './proof-head.service.ts'
import { timePart } from './time-part.ts'
import type { ProofSigner } from '#server/security/signing-key.ts'

/** What happened to a message, by its row of the ledger, or to a customer's answer. */
export type NewProof = ({ reminderId: number } | { answerId: number }) & {
  accountId: number
  kind: ProofKind
  at: Date
  /** What else is proved of it, in the order in which it is printed. The time is added. */
  parts: readonly ProofPart[]
}

/** Of emails, of letters, and of answers. */
export type ProofKind =
  | ('sent' | 'delivered' | 'bounced' | 'complained')
  | ('mailed' | 'corrected' | 'withdrawn')
  | ('answered' | 'changed' | 'decided')

/**
 * Adds a record to the account's chain, in the transaction of what it proves. It holds the chain's lock until the
 * transaction ends, so it has to be the transaction's last step.
 */
export async function appendProof(write: Write, proof: NewProof, signer: ProofSigner): Promise<void> {
  const { accountId, kind, at } = proof
  const { number, previousHash, timeZone } = await lockEnd(write, accountId)
  const record: ProofRecord = {
    ...subjectOf(proof),
    format: PROOF_FORMAT,
    account: accountId,
    number: number + 1,
    kind,
    at: at.toISOString(),
    parts: [...proof.parts, timePart(at, timeZone)],
  }
  const recordHash = await hashRecord(await hashParts(record, sha256), sha256)
  const linkHash = await hashLink({ previousHash, recordHash }, sha256)
  const signature = signer.sign(signedText(linkHash))
  const link = { previousHash, recordHash, hash: linkHash, signature, keyId: signer.keyId }
  const key = { accountId, number: record.number }
  const about = 'answerId' in proof ? { answerId: proof.answerId } : { reminderId: proof.reminderId }
  await write.later(sql`
    with added as (insert into proofs ${rowOf(ProofEntity, { ...key, ...about, ...link })})
    insert into proof_records ${rowOf(ProofRecordEntity, { ...key, record: textOf(record) })}`)
  if (number === 0) await write.later(headMailedFrom(accountId, at))
}

/** Many times as fast as that of browsers, which takes a thread for each text. */
function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

function subjectOf(proof: NewProof): ProofSubject {
  return 'answerId' in proof ? { answer: proof.answerId } : { reminder: proof.reminderId }
}

/** With its first record, an account begins to get its head by mail. */
function headMailedFrom(accountId: number, at: Date): Sql {
  return sql`
    insert into proof_heads (account_id, next_mail_at) values (${accountId}, ${weekFrom(at)}) on conflict do nothing`
}

const EndRow = z.object({ timeZone: z.string().nullable(), number: z.int().nullable(), hash: z.string().nullable() })

/** The chain's last link. Until the transaction ends, nobody else adds one. */
async function lockEnd(write: Write, accountId: number) {
  const statement = sql`select time_zone as "timeZone", number, hash from lock_proofs(${accountId})`
  const [end] = await write(statement, EndRow)
  return {
    timeZone: end?.timeZone ?? 'UTC',
    number: end?.number ?? 0,
    previousHash: end?.hash ?? (await firstHash(accountId)),
  }
}

function textOf({ parts, ...record }: ProofRecord): string {
  return canonicalJson({ ...record, parts: parts.map(({ text = '', ...part }) => ({ ...part, text })) })
}

const queue = openQueue<number>()

/**
 * Runs work that appends to an account's chain once this process has finished such work that it began earlier for the same
 * account. Other accounts do not wait for it, and work that would only wait for the chain's lock takes no connection.
 * @throws TOO_MANY_AT_ONCE if `mostWaiting` wait already
 */
export function afterEarlierProofs<T>(accountId: number, work: () => Promise<T>, mostWaiting = Infinity): Promise<T> {
  return queue({ name: accountId, mostWaiting }, work)
}
