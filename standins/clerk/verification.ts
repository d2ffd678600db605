import { randomInt } from 'node:crypto'
import { z } from 'zod'
import type { ClerkErrorCode } from './errors.ts'

export const CodeStrategy = z.enum(['email_code', 'reset_password_email_code'])
export type CodeStrategy = z.output<typeof CodeStrategy>

/** A code that was mailed, and what became of it. Stored as JSON with the attempt it belongs to. */
export interface Verification {
  strategy: CodeStrategy
  code: string
  expireAt: number
  wrongTries: number
  verified: boolean
}

/** Clerk's code for addresses under test; here it opens every address. */
const TEST_CODE = '424242'
const LIFETIME = 10 * 60_000
const MOST_WRONG_TRIES = 5

export function newVerification(strategy: CodeStrategy): Verification {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  return { strategy, code, expireAt: Date.now() + LIFETIME, wrongTries: 0, verified: false }
}

/** What a try leaves behind, and why it was refused, if it was. A used-up code refuses the right digits too. */
export function tryCode(verification: Verification, code: string): [Verification, ClerkErrorCode | null] {
  if (verification.verified) return [verification, 'verification_already_verified']
  const status = verificationStatus(verification)
  if (status !== 'unverified') return [verification, `verification_${status}`]
  if (code === verification.code || code === TEST_CODE) return [{ ...verification, verified: true }, null]
  return [{ ...verification, wrongTries: verification.wrongTries + 1 }, 'form_code_incorrect']
}

export function verificationJson(verification: Verification) {
  return {
    status: verification.verified ? 'verified' : verificationStatus(verification),
    strategy: verification.strategy,
    attempts: verification.wrongTries,
    expire_at: verification.expireAt,
  }
}

function verificationStatus({ expireAt, wrongTries }: Verification): 'unverified' | 'failed' | 'expired' {
  if (wrongTries >= MOST_WRONG_TRIES) return 'failed'
  return expireAt <= Date.now() ? 'expired' : 'unverified'
}
