import { generateKeyPairSync } from 'node:crypto'

/** A fresh RSA public key in PEM, as Clerk shows its JWT key. */
export function aPublicKey(modulusLength = 2048): string {
  return generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

/** A fresh private Ed25519 key in PEM, with which an operator signs proofs. */
export function aSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
