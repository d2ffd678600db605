import { generateKeyPairSync, sign } from 'node:crypto'

const DAY_SECONDS = 86_400

export interface SessionTokens {
  /** For the server, which believes what its other half has signed. */
  publicKey: string
  /** A session token like Clerk's, just after sign-in. */
  tokenOf: (clerkUserId: string, origin: string) => string
}

/** Sign-ins for a server whose identity provider is out of reach. */
export function openSessionTokens(issuer: string): SessionTokens {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    tokenOf(clerkUserId, origin) {
      const now = Math.floor(Date.now() / 1000)
      const times = { iat: now - 10, nbf: now - 10, exp: now + DAY_SECONDS }
      const claims = { ...times, sub: clerkUserId, sid: 'sess_1', iss: issuer, azp: origin, fva: [0, -1] }
      const parts = [{ alg: 'RS256', typ: 'JWT', kid: 'bench' }, claims]
      const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`
    },
  }
}
