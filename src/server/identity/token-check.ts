import { verifyToken } from '@clerk/fastify'
import { z } from 'zod'
import type { VerifiedToken } from '#server/context.ts'
import type { FindKey } from './key-set.ts'

export interface TokenCheckOptions {
  findKey: FindKey
  /** Who issues the tokens: the identity provider's address. */
  issuer: string
  authorizedParties: string[]
}

/** A header with extensions that we do not support (`crit`) is refused, as RFC 7515 requires. */
const Header = z.object({ kid: z.string().min(1).max(200), crit: z.undefined().optional() })

const FactorAge = z.tuple([z.int().min(-1), z.int().min(-1)])

/**
 * Checks a session token with Clerk's SDK; rejects one that is forged, unsigned, from another issuer, meant for another
 * origin, or expired for longer than the leeway (a few seconds by default).
 */
export function tokenCheck({ findKey, issuer, authorizedParties }: TokenCheckOptions) {
  // Clerk's session tokens carry no audience; a token with one was issued for another service.
  const SessionClaims = z.object({
    sub: z.string().min(1),
    exp: z.number(),
    azp: z.string(),
    iss: z.literal(issuer),
    aud: z.undefined().optional(),
    sts: z.literal('active').optional(),
    fva: FactorAge.optional().catch(undefined),
  })
  return async (token: string, { leewayMs }: { leewayMs?: number } = {}): Promise<VerifiedToken> => {
    const jwtKey = await findKey(headerOf(token).kid)
    if (!jwtKey) throw new Error('The token names a key that the identity provider does not have')
    const leeway = leewayMs === undefined ? {} : { clockSkewInMs: leewayMs }
    const claims = SessionClaims.parse(await verifyToken(token, { jwtKey, authorizedParties, ...leeway }))
    return { userId: claims.sub, expiresAt: new Date(claims.exp * 1000), factorAge: claims.fva }
  }
}

function headerOf(token: string) {
  const [header = ''] = token.split('.', 1)
  return Header.parse(JSON.parse(Buffer.from(header, 'base64url').toString()))
}
