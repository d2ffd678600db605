import { createHmac } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an authenticator app shows for a Base32 secret (RFC 6238); so many half minutes later, if asked. */
export function totpNow(secret: string, later = 0): string {
  const message = Buffer.alloc(8)
  message.writeUInt32BE(Math.floor(Date.now() / 30_000) + later, 4)
  const digest = createHmac('sha1', decode(secret)).update(message).digest()
  const start = (digest.at(-1) ?? 0) % 16
  const number = digest.readInt32BE(start) & 0x7f_ff_ff_ff
  return String(number).slice(-6).padStart(6, '0')
}

function decode(secret: string): Buffer {
  let bits = 0n
  for (const letter of secret) bits = bits * 32n + BigInt(ALPHABET.indexOf(letter))
  const bytes = (secret.length * 5) / 8
  return Buffer.from(bits.toString(16).padStart(bytes * 2, '0'), 'hex')
}
