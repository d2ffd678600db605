import { createHmac, randomBytes } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
const SECRET_BYTES = 20
/** Clocks of phones are a little off, and people type slowly. */
const STEPS_OFF = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A secret for an authenticator app, in Base32. */
export function newTotpSecret(): string {
  return base32(randomBytes(SECRET_BYTES))
}

/** What an authenticator app reads from a QR code. */
export function totpUri(secret: string, emailAddress: string): string {
  const query = new URLSearchParams({
    algorithm: 'SHA1',
    digits: String(DIGITS),
    issuer: 'TRAXX',
    period: '30',
    secret,
  })
  return `otpauth://totp/${encodeURIComponent(`TRAXX:${emailAddress}`)}?${query}`
}

/**
 * The time step (RFC 6238) of a code, which is a number of half minutes. Undefined for a code of another time than `now`
 * in milliseconds, and of a step up to `usedStep`: each code counts once.
 */
export function matchTotp(secret: string, code: string, { now, usedStep }: { now: number; usedStep: number }) {
  const current = Math.floor(now / 1000 / STEP_SECONDS)
  for (let step = current - STEPS_OFF; step <= current + STEPS_OFF; step += 1) {
    if (step > usedStep && totpAt(secret, step) === code) return step
  }
  return undefined
}

/** The code of one time step: HOTP (RFC 4226) with the step as its counter. */
export function totpAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = hash.readUInt8(hash.length - 1) & 0x0f
  const number = hash.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replaceAll(/.{5}/g, (five) => BASE32.charAt(Number.parseInt(five, 2)))
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
