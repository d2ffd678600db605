import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { IdentityConfig } from './context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    nonce: string
  }
}

/** The scripts of the identity provider itself, where it is not the stand-in. */
function identityHost(publishableKey: string): string | undefined {
  const encoded = publishableKey.split('_')[2] ?? ''
  const host = Buffer.from(encoded, 'base64').toString().replace(/\$$/, '')
  return /^[a-z0-9.-]+$/i.test(host) ? `https://${host}` : undefined
}

interface SecurityOptions {
  identity: IdentityConfig
  /** Vite's sockets, while developing. */
  sockets: boolean
}

/** One policy for every answer: our own origin, and the identity provider's where that is another. */
export function contentSecurity(app: FastifyInstance, { identity, sockets }: SecurityOptions) {
  const provider = identity.proxyUrl ? undefined : identityHost(identity.publishableKey)
  const scripts = provider ? `${provider} https://challenges.cloudflare.com` : ''
  app.decorateRequest('nonce', '')
  app.addHook('onRequest', async (request, reply) => {
    request.nonce = randomBytes(16).toString('base64')
    reply.header(
      'content-security-policy',
      policy(request.nonce, { scripts, provider: provider ?? '', sockets: sockets ? 'ws:' : '' }),
    )
  })
}

function policy(nonce: string, { scripts, provider, sockets }: Record<'scripts' | 'provider' | 'sockets', string>) {
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}' ${scripts}`,
    // Mantine sets its variables in style elements, and Clerk would need them too.
    `style-src 'self' 'unsafe-inline'`,
    `connect-src 'self' ${provider} ${sockets}`,
    `img-src 'self' data: blob: ${provider && 'https://img.clerk.com'}`,
    `worker-src 'self' blob:`,
    `frame-src ${provider ? 'https://challenges.cloudflare.com' : "'none'"}`,
    `object-src 'none'`,
    `base-uri 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ]
    .map((directive) => directive.trim().replaceAll(/ +/g, ' '))
    .join('; ')
}
