import { isCostlyJson } from '#shared/costly-json.ts'
import { subjectText, verifyRecord } from '#shared/domain/proof-chain.ts'
import type { ProofKey } from '#shared/domain/proof-key.ts'
import { attachedFiles } from './attached-files.ts'
import { certificatePdf } from './certificate-pdf.ts'
import { Certificate } from './certificate.ts'
import { isKnownKind } from './kind-names.ts'

export type CertificateVerdict =
  | { verdict: 'genuine'; certificate: Certificate }
  /** `record` is the number of the record that it concerns; null if it is the file as a whole. */
  | { verdict: 'changed'; part: string; record: number | null; certificate: Certificate }
  | { verdict: 'unknown'; reason: UnknownReason }

/**
 * It is not a certificate at all, signed with a key of which nothing is known, or has kinds of records that only newer
 * versions print, so that its pages cannot be compared.
 */
export type UnknownReason =
  | { kind: 'no certificate' }
  | { kind: 'newer version' }
  | { kind: 'other key'; keyId: string }

/**
 * Checks a certificate by the file alone: the signatures and hashes of its records, that they belong together, and that
 * its pages are those that these records make.
 */
export async function verifyCertificate(file: Uint8Array, keys: readonly ProofKey[]): Promise<CertificateVerdict> {
  const certificate = await readCertificate(file)
  if (!certificate) return { verdict: 'unknown', reason: { kind: 'no certificate' } }
  for (const proved of certificate.proved) {
    const found = await verifyRecord(proved, keys)
    if (found.verdict === 'unknown') return { verdict: 'unknown', reason: { kind: 'other key', keyId: found.keyId } }
    const { number } = proved.record
    if (found.verdict === 'changed') return { verdict: 'changed', part: found.part, record: number, certificate }
  }
  if (!belongTogether(certificate)) return { verdict: 'changed', part: 'records', record: null, certificate }
  if (!certificate.proved.every(({ record }) => isKnownKind(record.kind)))
    return { verdict: 'unknown', reason: { kind: 'newer version' } }
  const isAsMade = areEqual(file, await certificatePdf(certificate))
  return isAsMade
    ? { verdict: 'genuine', certificate }
    : { verdict: 'changed', part: 'pages', record: null, certificate }
}

/** All records are about one message or answer of one account, in the order of their numbers. */
function belongTogether({ proved: [first, ...others] }: Certificate): boolean {
  let before = first?.record
  for (const { record } of others) {
    if (record.account !== before?.account || subjectText(record) !== subjectText(before)) return false
    if (record.number <= before.number) return false
    before = record
  }
  return true
}

/** What is attached to a PDF; undefined if the file is not such a PDF. */
async function readCertificate(file: Uint8Array): Promise<Certificate | undefined> {
  for await (const attached of attachedFiles(file)) {
    const parsed = Certificate.safeParse(jsonIn(attached))
    if (parsed.success) return parsed.data
  }
  return undefined
}

/** Fields, objects and lists: many times those of a hundred records, the most that a certificate has. */
const MOST_PARTS = 200_000

function jsonIn(bytes: Uint8Array): unknown {
  const json = new TextDecoder().decode(bytes)
  if (isCostlyJson(json, MOST_PARTS)) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}
