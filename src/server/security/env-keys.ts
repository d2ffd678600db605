import { createPrivateKey, createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { addressOf } from '#server/mail/mailer.ts'

// A key with a space, a line break or other letters is a slip of pasting, and not every client may put it into a header.
const PRINTABLE = /^[!-~]+$/

/** A secret of which nothing more is known than that it is one word. */
export const secretWord = z.string().regex(PRINTABLE, 'Must be one word of printable ASCII characters, without spaces')

/** A secret that begins with what its service puts before it, such as `whsec_`. */
export function keyOf(whose: string, prefixes: readonly string[]) {
  const begins = new RegExp(`^(?:${prefixes.join('|')})[!-~]+$`)
  return z.string().regex(begins, `Must be ${whose}, ${prefixes.map((prefix) => `${prefix}…`).join(' or ')}`)
}

/**
 * Clerk's JWT key: an RSA key of 2,048 bits in PEM, the only one that Clerk's SDK reads. Its line breaks may be missing or
 * written `\n`, as files of variables want them; it comes out with real ones.
 */
export const pemPublicKey = z.string().transform((value, context) => {
  const pem = readPem(value)
  if (pem === undefined)
    context.addIssue(
      "Must be Clerk's JWT public key as Clerk shows it, in PEM: -----BEGIN PUBLIC KEY-----, the key, -----END PUBLIC KEY-----",
    )
  return pem ?? z.NEVER
})

function readPem(value: string): string | undefined {
  const text = value.replaceAll(/\\[nr]|\s/g, ' ').trim()
  const base64 = /^-----BEGIN PUBLIC KEY-----([\w+/= ]+)-----END PUBLIC KEY-----$/.exec(text)?.[1]
  if (base64 === undefined) return undefined
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {}
    const isClerks = key.asymmetricKeyType === 'rsa' && modulusLength === 2048 && publicExponent === 65_537n
    return isClerks ? key.export({ type: 'spki', format: 'pem' }).toString() : undefined
  } catch {
    return undefined
  }
}

/** An Ed25519 key in PEM, PKCS #8, as `openssl genpkey -algorithm ed25519` writes it. Its line breaks may be as above. */
export const pemSigningKey = z.string().transform((value, context) => {
  const pem = readSigningPem(value)
  if (pem === undefined)
    context.addIssue(
      'Must be a private Ed25519 key in PEM: -----BEGIN PRIVATE KEY-----, the key, -----END PRIVATE KEY-----. Make one with: openssl genpkey -algorithm ed25519',
    )
  return pem ?? z.NEVER
})

function readSigningPem(value: string): string | undefined {
  const text = value.replaceAll(/\\[nr]|\s/g, ' ').trim()
  const base64 = /^-----BEGIN PRIVATE KEY-----([\w+/= ]+)-----END PRIVATE KEY-----$/.exec(text)?.[1]
  if (base64 === undefined) return undefined
  try {
    const key = createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
    return key.asymmetricKeyType === 'ed25519' ? key.export({ type: 'pkcs8', format: 'pem' }).toString() : undefined
  } catch {
    return undefined
  }
}

/** `TRAXX <hello@traxx.example>`, or the address alone. */
export function isSender(value: string): boolean {
  return !/\p{Cc}/u.test(value) && z.email().safeParse(addressOf(value)).success
}
