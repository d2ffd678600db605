import { generateKeyPairSync } from 'node:crypto'

/** A fresh RSA public key in PEM, as Clerk shows its JWT key. */
export function aPublicKey(modulusLength = 2048): string {
  return generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type: 'spki', format: 'pem' }).toString()
}
