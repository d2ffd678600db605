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
} from '#shared/domain/proof-chain.ts'
import type { Write } from '#server/db/database.ts'
import { rowOf } from '#server/db/insert.ts'
import { ProofEntity, ProofRecordEntity } from './proof.entity.ts'
import { weekFrom } from './proof-head.service.ts'
import { timePart } from './time-part.ts'
import type { ProofSigner } from '#server/security/signing-key.ts'

/** What happened to a row of the ledger. */
export interface NewProof {
  accountId: number
  reminderId: number
  kind: ProofKind
  at: Date
  /** What else is proved of it, in the order in which it is printed. The time is added. */
  parts: readonly ProofPart[]
}

export type ProofKind = 'sent' | 'delivered' | 'bounced' | 'complained'

/**
 * Adds a record to the account's chain, in the transaction of what it proves. It holds the chain's lock until the
 * transaction ends, so it has to be the transaction's last step.
 */
export async function appendProof(write: Write, proof: NewProof, signer: ProofSigner): Promise<void> {
  const { accountId, reminderId, kind, at } = proof
  await write(sql`select pg_advisory_xact_lock(hashtextextended('proofs of ' || ${accountId}::int, 0))`)
  const { number, previousHash, timeZone } = await readEnd(write, accountId)
  const record: ProofRecord = {
    format: PROOF_FORMAT,
    account: accountId,
    number: number + 1,
    reminder: reminderId,
    kind,
    at: at.toISOString(),
    parts: [...proof.parts, timePart(at, timeZone)],
  }
  const recordHash = await hashRecord(await hashParts(record))
  const hash = await hashLink({ previousHash, recordHash })
  const link = { previousHash, recordHash, hash, signature: signer.sign(signedText(hash)), keyId: signer.keyId }
  const place = { accountId, number: record.number }
  await write(sql`
    with added as (insert into proofs ${rowOf(ProofEntity, { ...place, reminderId, ...link })})
    insert into proof_records ${rowOf(ProofRecordEntity, { ...place, record: textOf(record) })}`)
  if (number === 0) await write(headMailedFrom(accountId, at))
}

/** With its first record, an account begins to get its head by mail. */
function headMailedFrom(accountId: number, at: Date): Sql {
  return sql`
    insert into proof_heads (account_id, next_mail_at) values (${accountId}, ${weekFrom(at)}) on conflict do nothing`
}

const EndRow = z.object({ timeZone: z.string(), number: z.int().nullable(), hash: z.string().nullable() })

async function readEnd(write: Write, accountId: number) {
  const statement = sql`
    select coalesce(a.time_zone, 'UTC') as "timeZone", p.number, p.hash
    from accounts a left join lateral (
      select number, hash from proofs where account_id = a.id order by number desc limit 1) p on true
    where a.id = ${accountId}`
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

const queues = new Map<number, Promise<unknown>>()

/**
 * Runs work that appends to an account's chain once this process has finished such work that it began earlier for the same
 * account. Other accounts do not wait for it, and work that would only wait for the chain's lock takes no connection.
 */
export async function afterEarlierProofs<T>(accountId: number, work: () => Promise<T>): Promise<T> {
  const before = queues.get(accountId) ?? Promise.resolve()
  const done = before.then(work, work)
  queues.set(accountId, done)
  try {
    return await done
  } finally {
    if (queues.get(accountId) === done) queues.delete(accountId)
  }
}
