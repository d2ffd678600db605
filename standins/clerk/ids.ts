import { createHash, randomBytes, randomInt } from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An identifier as Clerk writes them: `user_2x9…`. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from({ length: 27 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
