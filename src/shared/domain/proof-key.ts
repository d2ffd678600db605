/** A public Ed25519 key, with which signatures of proofs are checked. */
export interface ProofKey {
  /** The first 16 hexadecimal digits of the SHA-256 of its SPKI bytes. */
  id: string
  /** Whether the signature (base64url) is this key's over the text. */
  verifies: (text: string, signature: string) => Promise<boolean>
}

const ALGORITHM = { name: 'Ed25519' }
const PEM = /^\s*-----BEGIN PUBLIC KEY-----([\w+/=\s]+)-----END PUBLIC KEY-----\s*$/

/** The public key in a PEM file; undefined if the text is not one of Ed25519. */
export async function readProofKey(pem: string): Promise<ProofKey | undefined> {
  const bytes = bytesOf(PEM.exec(pem)?.[1] ?? '')
  if (!bytes || bytes.length === 0) return undefined
  const key = await crypto.subtle.importKey('spki', bytes, ALGORITHM, false, ['verify']).catch(() => undefined)
  if (!key) return undefined
  return {
    id: await keyIdOf(bytes),
    verifies: async (text, signature) => {
      const signed = bytesOf(signature)
      return signed !== undefined && crypto.subtle.verify(ALGORITHM, key, signed, utf8(text))
    },
  }
}

/** The ID of the key with these SPKI bytes. */
export async function keyIdOf(spki: Uint8Array<ArrayBuffer>): Promise<string> {
  return hexOf(await crypto.subtle.digest('SHA-256', spki)).slice(0, 16)
}

/** The SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  return hexOf(await crypto.subtle.digest('SHA-256', utf8(text)))
}

const encoder = new TextEncoder()

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** Of base64 or base64url; undefined if the text is neither. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const plain = atob(base64.replaceAll('-', '+').replaceAll('_', '/').replaceAll(/\s/g, ''))
    return Uint8Array.from(plain, (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(buffer: ArrayBuffer): string {
  let hex = ''
  for (const byte of new Uint8Array(buffer)) hex += HEX[byte]
  return hex
}
