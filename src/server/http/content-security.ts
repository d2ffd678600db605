import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { frontendHost } from '#shared/identity-script.ts'
import type { IdentityConfig } from '#server/context.ts'
import { CALLS_POLICY } from '#server/security/content-policies.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Lets this page run inline scripts and show inline styles that carry the nonce. */
    pageNonce(): string
    /** Lets this page, which carries no nonce, show the inline style of this hash. */
    allowStyle(hash: string | undefined): FastifyReply
  }
}

/** What Helmet would say, once and for all answers alike. */
const FIXED_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), ' +
    'magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
const A_YEAR = 'max-age=31536000'
const ANY_STYLE = `style-src 'self' 'unsafe-inline'`
const CALL_HEADERS = { 'content-security-policy': CALLS_POLICY, 'cache-control': 'no-store' }

/** The scripts of the identity provider, where it is not served here. */
function identityHost(publishableKey: string): string | undefined {
  const host = frontendHost(publishableKey)
  return /^[a-z0-9.-]+$/i.test(host) ? `https://${host}` : undefined
}

interface HttpsOptions {
  /** The addresses of the server. */
  origin: string
  /** Whether browsers use https alone for the subdomains of its host as well. */
  hstsSubdomains: boolean
}

/** The headers of every response, but for its policy. */
function fixedHeaders({ origin, hstsSubdomains }: HttpsOptions): Record<string, string> {
  if (!origin.startsWith('https:')) return FIXED_HEADERS
  return { ...FIXED_HEADERS, 'strict-transport-security': hstsSubdomains ? `${A_YEAR}; includeSubDomains` : A_YEAR }
}

/** The headers of refusals for which no hook runs, such as that of an address that cannot be decoded. */
export function refusalHeaders(options: HttpsOptions): Record<string, string> {
  return { ...fixedHeaders(options), ...CALL_HEADERS }
}

interface SecurityOptions extends HttpsOptions {
  identity: IdentityConfig
  /** Vite's sockets, while developing. */
  sockets: boolean
}

/** One policy for every page: our own origin, and the identity provider's if it differs. */
export function contentSecurity(app: FastifyInstance, { identity, sockets, ...options }: SecurityOptions) {
  const provider = identity.proxyUrl ? undefined : identityHost(identity.publishableKey)
  const scripts = provider ? `${provider} https://challenges.cloudflare.com` : ''
  const policy = pagePolicy({ scripts, provider: provider ?? '', sockets: sockets ? 'ws:' : '' })
  const headers = { ...fixedHeaders(options), 'content-security-policy': policy }
  app.decorateReply('pageNonce', function (this: FastifyReply) {
    const nonce = randomBytes(16).toString('base64')
    this.header('content-security-policy', allowing(policy, ['script-src', 'style-src'], `'nonce-${nonce}'`))
    return nonce
  })
  app.decorateReply('allowStyle', function (this: FastifyReply, hash: string | undefined) {
    return hash ? this.header('content-security-policy', allowing(policy, ['style-src'], hash)) : this
  })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

// Where styles may be anything already, as while developing, a nonce or a hash would allow less.
function allowing(policy: string, directives: string[], source: string): string {
  return directives
    .filter((directive) => directive !== 'style-src' || !policy.includes(ANY_STYLE))
    .reduce((changed, directive) => changed.replace(`${directive} 'self'`, `${directive} 'self' ${source}`), policy)
}

/** Responses to programs: as a page they may load nothing, and no cache keeps them. */
export function callSecurity(calls: FastifyInstance) {
  calls.addHook('onRequest', (_request, reply, done) => {
    callHeaders(reply)
    done()
  })
}

/** The same for one response. */
export function callHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers(CALL_HEADERS)
}

function pagePolicy({ scripts, provider, sockets }: Record<'scripts' | 'provider' | 'sockets', string>) {
  return [
    `default-src 'self'`,
    `script-src 'self' ${scripts}`,
    // What Vite adds while developing carries no nonce. Attributes in rendered pages are sizes and colors of ours.
    sockets ? ANY_STYLE : `style-src 'self'`,
    `style-src-attr 'unsafe-inline'`,
    `connect-src 'self' ${provider} ${sockets}`,
    `img-src 'self' data: blob: ${provider && 'https://img.clerk.com'}`,
    `worker-src 'self' blob:`,
    `frame-src ${provider ? 'https://challenges.cloudflare.com' : "'none'"}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ]
    .map((directive) => directive.trim().replaceAll(/ +/g, ' '))
    .join('; ')
}
