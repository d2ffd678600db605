import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { IdentityConfig } from './context.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Lets this page run inline scripts that carry the nonce. */
    scriptNonce(): string
  }
}

/** What Helmet would say, once and for all answers alike. */
const FIXED_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
const CALLS_POLICY = `default-src 'none'; frame-ancestors 'none'`

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

/** One policy for every page: our own origin, and the identity provider's where that is another. */
export function contentSecurity(app: FastifyInstance, { identity, sockets }: SecurityOptions) {
  const provider = identity.proxyUrl ? undefined : identityHost(identity.publishableKey)
  const scripts = provider ? `${provider} https://challenges.cloudflare.com` : ''
  const policy = pagePolicy({ scripts, provider: provider ?? '', sockets: sockets ? 'ws:' : '' })
  const headers = { ...FIXED_HEADERS, 'content-security-policy': policy }
  app.decorateReply('scriptNonce', function (this: FastifyReply) {
    const nonce = randomBytes(16).toString('base64')
    this.header('content-security-policy', policy.replace(`script-src 'self'`, `script-src 'self' 'nonce-${nonce}'`))
    return nonce
  })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** Answers to programs: shown as a page, they may do nothing. */
export function callSecurity(calls: FastifyInstance) {
  calls.addHook('onRequest', (_request, reply, done) => {
    reply.header('content-security-policy', CALLS_POLICY)
    done()
  })
}

function pagePolicy({ scripts, provider, sockets }: Record<'scripts' | 'provider' | 'sockets', string>) {
  return [
    `default-src 'self'`,
    `script-src 'self' ${scripts}`,
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
