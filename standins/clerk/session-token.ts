import { createSign } from 'node:crypto'
import { newId } from './ids.ts'
import type { Keys } from './keys.ts'
import type { SessionRow } from './session-store.ts'

const ISSUER = 'https://clerk.local.test'
const LIFETIME_SECONDS = 60

/** A session token for the page at `origin`. */
export function sessionToken(keys: Keys, session: SessionRow, origin: string): string {
  const header = { alg: 'RS256', kid: keys.id, typ: 'JWT' }
  const content = `${encode(header)}.${encode(claims(session, origin))}`
  return `${content}.${createSign('RSA-SHA256').update(content).sign(keys.privateKey, 'base64url')}`
}

function claims(session: SessionRow, origin: string) {
  const now = Math.floor(Date.now() / 1000)
  return {
    azp: origin,
    exp: now + LIFETIME_SECONDS,
    fva: factorAge(session),
    iat: now,
    iss: ISSUER,
    jti: newId('jti'),
    nbf: now - 10,
    sid: session.id,
    sts: 'active',
    sub: session.user_id,
    v: 2,
  }
}

/** Whole minutes since each factor was given; -1 for a second factor that was not. */
export function factorAge({ first_factor_at, second_factor_at }: SessionRow): [number, number] {
  return [minutesSince(first_factor_at), second_factor_at ? minutesSince(second_factor_at) : -1]
}

// The database's clock may be a little ahead of ours.
function minutesSince(moment: Date): number {
  return Math.max(0, Math.floor((Date.now() - moment.getTime()) / 60_000))
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
