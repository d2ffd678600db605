import * as z from 'zod/mini'
import { canonicalJson } from '#shared/domain/canonical-json.ts'
import { PROOF_FORMAT, type ProvedRecord } from '#shared/domain/proof-chain.ts'

/** The name of the record within a certificate's PDF. */
export const RECORD_FILE = 'traxx-record.json'

/** The label of the address at which certificates can be verified, among what is proved. */
export const VERIFY_AT = 'Verify at'

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const word = z.string().check(z.maxLength(1000))
const number = z.int().check(z.minimum(1))

const Part = z.strictObject({
  name: word,
  title: word,
  facts: z.array(z.tuple([word, z.string().check(z.maxLength(10_000))])).check(z.maxLength(100)),
  text: z.string().check(z.maxLength(1_000_000)),
})

const about = {
  format: z.literal(PROOF_FORMAT),
  account: number,
  number,
  kind: word,
  at: word,
  parts: z.array(Part).check(z.maxLength(200)),
}

export const StoredRecord = z.union([
  z.strictObject({ ...about, reminder: number }),
  z.strictObject({ ...about, answer: number }),
])

const Proved = z.strictObject({
  record: StoredRecord,
  partHashes: z.array(z.tuple([word, hash])).check(z.maxLength(201)),
  link: z.strictObject({
    number,
    previousHash: hash,
    recordHash: hash,
    hash,
    signature: word,
    keyId: word,
  }),
})

/** What a certificate says, for programs: all records about one message or answer, in the order in which they were added. */
export const Certificate = z.strictObject({
  format: z.literal('traxx-certificate-1'),
  proved: z.array(Proved).check(z.minLength(1), z.maxLength(1000)),
})
export interface Certificate {
  format: 'traxx-certificate-1'
  proved: readonly ProvedRecord[]
}

/** The same certificate has the same text everywhere. */
export function certificateText({ format, proved }: Certificate): string {
  return canonicalJson({ format, proved: proved.map(provedValue) })
}

function provedValue({ record: { parts, ...about }, partHashes, link }: ProvedRecord) {
  const named = parts.map(({ name, title, facts, text = '' }) => ({ name, title, facts, text }))
  return { record: { ...about, parts: named }, partHashes, link: { ...link } }
}
