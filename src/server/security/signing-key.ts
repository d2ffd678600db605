import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Signs proofs with the operator's Ed25519 key. */
export interface ProofSigner {
  /** The ID of its public key, as in `keyIdOf`. */
  keyId: string
  /** The public key, SPKI in PEM, for anybody. */
  publicPem: string
  /** The signature of a text, in base64url. */
  sign: (text: string) => string
}

/** @throws Error if the text is no private key in PEM */
export function openSigner(privatePem: string): ProofSigner {
  const key = createPrivateKey(privatePem)
  const publicKey = createPublicKey(key)
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return {
    keyId: createHash('sha256').update(spki).digest('hex').slice(0, 16),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  }
}

/** The key of a server without PROOF_SIGNING_KEY: a file in its data folder, which the first process makes. */
export async function localSigningKey(dataDir: string): Promise<string> {
  const path = join(dataDir, LOCAL_KEY)
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known !== undefined) return known
  await mkdir(dataDir, { recursive: true })
  const made = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  // Processes in several containers can have the same ID.
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, made, { mode: 0o600 })
  // Another process may have been quicker; then its key counts.
  await link(draft, path).catch(() => {})
  await rm(draft)
  return readFile(path, 'utf8')
}

const LOCAL_KEY = 'proof-signing-key.pem'
