import { readProofKey } from '#shared/domain/proof-key.ts'
import type { CertificateVerdict } from '#shared/certificates/verify-certificate.ts'

export type Checked = CertificateVerdict

interface ToCheck {
  file: File
  /** The public key; null for that of this site. */
  key: File | null
}

/** Checks a file with a public key. Nothing is sent. @throws Error without a usable key */
export async function verifyFile({ file, key }: ToCheck): Promise<Checked> {
  const pem = key ? await key.text() : await keyOfSite()
  const found = await readProofKey(pem)
  if (!found) throw new Error('The key is not a public Ed25519 key')
  // Loaded with the first file, because it is large.
  const { verifyCertificate } = await import('#shared/certificates/verify-certificate.ts')
  return verifyCertificate(new Uint8Array(await file.arrayBuffer()), [found])
}

async function keyOfSite(): Promise<string> {
  const response = await fetch('/proof-key.pem')
  if (!response.ok) throw new Error(`The key was answered with ${response.status}`)
  return response.text()
}
