import { AppError } from '#shared/errors.ts'
import type { FactorAge, RequestContext } from '#server/context.ts'

/** Clerk's name for: within ten minutes, by the second factor if the person has one. */
const LEVEL = 'strict'
const RECENT_MINUTES = 10

/** The hint on which Clerk's SDKs ask the person to sign in again. */
const HINT = {
  clerk_error: { type: 'forbidden', reason: 'reverification-error', metadata: { reverification: LEVEL } },
} as const

/**
 * Requires a sign-in within the last ten minutes, so that an unlocked browser is not enough. API keys pass, because
 * creating one required it. @throws REVERIFICATION_REQUIRED
 */
export function requireRecentSignIn({ viaApiKey, factorAge }: Pick<RequestContext, 'viaApiKey' | 'factorAge'>): void {
  if (viaApiKey || isRecent(factorAge)) return
  throw new AppError('REVERIFICATION_REQUIRED', { details: HINT })
}

/** A token without `fva` proves nothing. */
function isRecent(age: FactorAge | undefined): boolean {
  if (!age) return false
  const [first, second] = age
  const counted = second === -1 ? first : second
  return counted !== -1 && counted < RECENT_MINUTES
}
