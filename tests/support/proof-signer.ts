import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { firstHash, hashLink, hashParts, hashRecord, signedText, type ProofRecord } from '#shared/domain/proof-chain.ts'
import { readProofKey, type ProofKey } from '#shared/domain/proof-key.ts'

/** A key of a made-up operator. */
export interface Forge {
  privateKey: KeyObject
  publicPem: string
  key: ProofKey
}

export async function aForge(): Promise<Forge> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const key = await readProofKey(publicPem)
  if (!key) throw new Error('A new key can be read')
  return { privateKey, publicPem, key }
}

/** The records as the operator would have chained and signed them, from the beginning or after a hash. */
export async function chained(records: readonly ProofRecord[], { privateKey, key }: Forge, after?: string) {
  const proved = []
  let previousHash = after ?? (await firstHash(records[0]?.account ?? 0))
  for (const record of records) {
    const partHashes = await hashParts(record)
    const recordHash = await hashRecord(partHashes)
    const hash = await hashLink({ previousHash, recordHash })
    const signature = sign(null, Buffer.from(signedText(hash)), privateKey).toString('base64url')
    const link = { number: record.number, previousHash, recordHash, hash, signature, keyId: key.id }
    proved.push({ record, partHashes, link })
    previousHash = hash
  }
  return proved
}
