import { verifyToken } from '@clerk/backend'
import { z } from 'zod'

export interface TokenCheckOptions {
  secretKey: string
  /** The public key as PEM; without it the keys are fetched from Clerk once. */
  jwtKey: string | undefined
  apiUrl: string | undefined
  authorizedParties: string[]
}

// Clerk's session tokens carry no audience: one that does was made for somebody else.
const SessionClaims = z.object({
  sub: z.string().min(1),
  exp: z.number(),
  azp: z.string(),
  aud: z.undefined().optional(),
  sts: z.literal('active').optional(),
})

/**
 * Checks a session token with Clerk's SDK; rejects what is forged, unsigned, meant for another origin, or expired for
 * longer than the leeway, a few seconds where none is given.
 */
export function tokenCheck({ secretKey, jwtKey, apiUrl, authorizedParties }: TokenCheckOptions) {
  const options = { secretKey, authorizedParties, ...(jwtKey && { jwtKey }), ...(apiUrl && { apiUrl }) }
  return async (token: string, { leewayMs }: { leewayMs?: number } = {}) => {
    const leeway = leewayMs === undefined ? {} : { clockSkewInMs: leewayMs }
    const claims = SessionClaims.parse(await verifyToken(token, { ...options, ...leeway }))
    return { userId: claims.sub, expiresAt: new Date(claims.exp * 1000) }
  }
}
