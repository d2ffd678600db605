import { PDFDocument } from '@cantoo/pdf-lib'
import { subjectText, verifyRecord } from '#shared/domain/proof-chain.ts'
import type { ProofKey } from '#shared/domain/proof-key.ts'
import { certificatePdf } from './certificate-pdf.ts'
import { Certificate, RECORD_FILE } from './certificate.ts'
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

/** The record that is attached to a PDF; undefined if the file is not such a PDF. */
async function readCertificate(file: Uint8Array): Promise<Certificate | undefined> {
  try {
    const document = await readPdf(file)
    const attached = document.getAttachments().find(({ name }) => name === RECORD_FILE)
    if (!attached) return undefined
    const parsed = Certificate.safeParse(JSON.parse(new TextDecoder().decode(attached.data)))
    return parsed.data
  } catch {
    // Any other file, which the library cannot read.
    return undefined
  }
}

/**
 * Number of objects times size of the file above which one with broken objects is given up; below it takes a few seconds. A
 * certificate of 100 records, the longest, reaches a tenth.
 */
const MOST_READ_AGAIN = 300_000_000
/** The library reads on from each digit to the last one of its row. */
const MANY_DIGITS = /\d{1000}/

/** A PDF, also one with broken objects unless they are so many that it would take minutes. */
async function readPdf(file: Uint8Array): Promise<PDFDocument> {
  const text = new TextDecoder('latin1').decode(file)
  if (MANY_DIGITS.test(text)) throw new Error('No PDF of ours has so many digits in a row')
  const read = (throwOnInvalidObject: boolean) =>
    PDFDocument.load(file, { updateMetadata: false, throwOnInvalidObject })
  return read(true).catch((error: unknown) => {
    const objects = text.split('obj').length
    if (objects * file.length > MOST_READ_AGAIN) throw error
    return read(false)
  })
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}
