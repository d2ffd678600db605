import { AppError } from '#shared/errors.ts'
import type { FactorAge, RequestContext } from '#server/context.ts'

/** What Clerk calls its rule for ten minutes, by the second factor where somebody has one. */
const LEVEL = 'strict'
const RECENT_MINUTES = 10

/** The hint that Clerk's SDKs answer by asking the person to prove once more who they are. */
const HINT = {
  clerk_error: { type: 'forbidden', reason: 'reverification-error', metadata: { reverification: LEVEL } },
} as const

/**
 * Protects what somebody at an unlocked browser must not do: it takes a sign-in within the last ten minutes. API keys pass:
 * making them took one. @throws REVERIFICATION_REQUIRED
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
