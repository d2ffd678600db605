import { canonicalJson } from './canonical-json.ts'
import { sha256, type ProofKey } from './proof-key.ts'

// Each account has a chain of records: what was sent, delivered, answered. A record's parts are hashed one by one, so that
// a change can be named. The record's hash is that of all of these; the link's hash is that of the link before it and of
// the record; the signature is over the link's hash. So a signature vouches for everything before it too.

export const PROOF_FORMAT = 'traxx-proof-1'

/** A part of a record, as it is printed: labels with values, and a text whose every character counts. */
export interface ProofPart {
  name: string
  title: string
  facts: readonly (readonly [label: string, value: string])[]
  text?: string | undefined
}

/** What a record is about: a message, by its row of the ledger, or a customer's answer. */
export type ProofSubject = { reminder: number } | { answer: number }

/** What is proved: something that happened to a message or an answer. */
export type ProofRecord = ProofSubject & {
  format: typeof PROOF_FORMAT
  /** The account's number. */
  account: number
  /** Its place in the account's chain, from 1. */
  number: number
  /** What happened, such as `sent`. */
  kind: string
  /** When, in UTC: `2026-03-10T12:00:00.000Z`. */
  at: string
  parts: readonly ProofPart[]
}

/** A record's place in the chain. Hashes are SHA-256 in hexadecimal, signatures base64url. */
export interface ProofLink {
  number: number
  previousHash: string
  recordHash: string
  hash: string
  signature: string
  keyId: string
}

export type PartHash = readonly [name: string, hash: string]

/** A record with all that is needed to check it alone. */
export interface ProvedRecord {
  record: ProofRecord
  partHashes: readonly PartHash[]
  link: ProofLink
}

/** What a record is about, in one word. */
export function subjectName(subject: ProofSubject): 'message' | 'answer' {
  return 'answer' in subject ? 'answer' : 'message'
}

/** `message 3` or `answer 3`: records about the same have the same text. */
export function subjectText(subject: ProofSubject): string {
  return `${subjectName(subject)} ${'answer' in subject ? subject.answer : subject.reminder}`
}

/** The last link of a chain at some time: whoever has it finds every later change of what came before. */
export type ProofHead = Pick<ProofLink, 'number' | 'hash'>

export type RecordVerdict =
  | { verdict: 'genuine' }
  /** Something does not fit what was signed. */
  | { verdict: 'changed'; part: string }
  | { verdict: 'unknown'; keyId: string }

/** What the first record of an account's chain has in place of a previous hash. */
export function firstHash(account: number): Promise<string> {
  return sha256(`${PROOF_FORMAT} account ${account}`)
}

/** How a text's SHA-256 is computed: by default as a browser can. */
export type Hash = (text: string) => string | Promise<string>

/** The hashes of a record's parts: of what it is about, called `record`, and then of each part. */
export function hashParts({ parts, ...about }: ProofRecord, hash: Hash = sha256): Promise<PartHash[]> {
  const named = [{ name: 'record', content: canonicalJson({ ...about }) }, ...parts.map(namedPart)]
  return Promise.all(named.map(async ({ name, content }) => [name, await hash(content)] as const))
}

function namedPart({ name, title, facts, text = '' }: ProofPart) {
  return { name, content: canonicalJson({ name, title, facts, text }) }
}

/** The hash of a record, in hexadecimal, from those of its parts. Certificates depend on it to the byte. */
export async function hashRecord(partHashes: readonly PartHash[], hash: Hash = sha256): Promise<string> {
  return hash(canonicalJson([PROOF_FORMAT, partHashes]))
}

/** The hash that ties a record to the one before it, in hexadecimal. It is what is signed. */
export async function hashLink(
  { previousHash, recordHash }: Pick<ProofLink, 'previousHash' | 'recordHash'>,
  hash: Hash = sha256,
): Promise<string> {
  return hash(`${PROOF_FORMAT}\n${previousHash}\n${recordHash}`)
}

/** The text that is signed for a link. It is like no other text, so that the key cannot be made to sign anything else. */
export function signedText(hash: string): string {
  return `${PROOF_FORMAT} link ${hash}`
}

/**
 * Checks a record by itself: that it is what was signed with one of these keys, in this place of this account's chain. Of
 * a key that is not among them nothing is known.
 */
export async function verifyRecord(
  { record, partHashes, link }: ProvedRecord,
  keys: readonly ProofKey[],
): Promise<RecordVerdict> {
  const computed = await hashParts(record)
  const changed = changedPart(computed, partHashes)
  if (changed !== undefined) return { verdict: 'changed', part: changed }
  if (record.number !== link.number) return { verdict: 'changed', part: 'number' }
  if ((await hashRecord(partHashes)) !== link.recordHash) return { verdict: 'changed', part: 'record hash' }
  if ((await hashLink(link)) !== link.hash) return { verdict: 'changed', part: 'hash' }
  const key = keys.find(({ id }) => id === link.keyId)
  if (!key) return { verdict: 'unknown', keyId: link.keyId }
  const isSigned = await key.verifies(signedText(link.hash), link.signature)
  return isSigned ? { verdict: 'genuine' } : { verdict: 'changed', part: 'signature' }
}

function changedPart(computed: readonly PartHash[], stated: readonly PartHash[]): string | undefined {
  for (const [index, [name, hash]] of computed.entries()) {
    const [statedName, statedHash] = stated[index] ?? []
    if (name !== statedName || hash !== statedHash) return name
  }
  return stated[computed.length]?.[0]
}
