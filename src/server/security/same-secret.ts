import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether these are the same, in a time that does not depend on how much of the secret was guessed. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(secret))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
