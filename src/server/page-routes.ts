import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { screensOf } from '#shared/domain/access.ts'
import { REFUSALS } from '#shared/errors.ts'
import { identityScript } from '#shared/identity-script.ts'
import type { IdentityConfig } from './context.ts'
import type { Callers } from './identity/callers.ts'
import type { Pages } from './pages.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The app's HTML shell: the router takes over in the browser. */
    sendScreen(): Promise<FastifyReply>
  }
}

interface PageOptions {
  pages: Pages
  callers: Callers
  billingNow: () => Date
  /** The address that search engines shall know. */
  origin: string
  identityConfig: IdentityConfig
}

const NONCE = '__CSP_NONCE__'
const ORIGIN = '__ORIGIN__'
export const HTML = 'text/html; charset=utf-8'
const SIGN_IN_LINK = '<a data-account-link href="/sign-in">Sign In</a>'
const DASHBOARD_LINK = '<a data-account-link href="/dashboard">Dashboard</a>'

/** Pages that are the same for everybody. */
const FIXED = [
  ['/privacy', 'privacy.html', HTML],
  ['/terms', 'terms.html', HTML],
  ['/robots.txt', 'robots.txt', 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 'sitemap.xml', 'application/xml; charset=utf-8'],
] as const

/** The landing page and its neighbours, the app's shell and its assets. */
export async function pageRoutes(app: FastifyInstance, options: PageOptions) {
  const { pages, origin, identityConfig } = options
  // Every screen needs it, and otherwise would learn of it only once the app's own scripts run.
  const preload = `<${identityScript(identityConfig)}>; rel=preload; as=script; crossorigin=anonymous`
  app.decorateReply('sendScreen', async function (this: FastifyReply) {
    const html = await pages.text('index.html', this.request.url)
    this.type(HTML).header('cache-control', 'no-cache').header('link', preload)
    return this.send(html.replaceAll(NONCE, this.scriptNonce()))
  })
  if (pages.folder) await serveAssets(app, pages.folder)
  const send = pageSender(origin)
  landingPage(app, options, send)
  for (const [path, file, type] of FIXED) {
    app.get(path, async (request, reply) => send(reply.type(type), await pages.text(file, request.url)))
  }
  app.setNotFoundHandler(async (request, reply) => {
    const wantsHtml = negotiate(request.headers.accept ?? '*/*', ['application/json', 'text/html']) === 'text/html'
    if (request.method === 'GET' && wantsHtml) return reply.sendScreen()
    return reply.code(404).send({ error: REFUSALS.PATH_NOT_FOUND.message })
  })
}

type Send = ReturnType<typeof pageSender>

/** A visitor is known by the session cookie: no script of the identity provider is loaded here. */
function landingPage(app: FastifyInstance, { pages, callers, billingNow }: PageOptions, send: Send) {
  app.get('/', async (request, reply) => {
    // The page needs no account: whoever cannot be known just now is a visitor like any other.
    const caller = await callers.find(sessionCookie(request)).catch((error: unknown) => {
      request.log.warn({ err: error }, 'the visitor of the landing page could not be known')
      return null
    })
    reply.header('vary', 'Accept-Encoding, Cookie')
    if (caller && screensOf(caller.subscription, billingNow()) === 'checkout') {
      return reply.redirect('/checkout?trial=true')
    }
    const html = await pages.text('landing.html', request.url)
    return send(reply.type(HTML), caller ? html.replace(SIGN_IN_LINK, DASHBOARD_LINK) : html)
  })
}

async function serveAssets(app: FastifyInstance, root: string) {
  await app.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['*.html', '*.txt', '*.xml', '**/*.br', '**/*.gz'],
    setHeaders: (reply, path) => {
      if (path.includes('/assets/')) reply.header('cache-control', 'public, max-age=31536000, immutable')
    },
  })
}

/** A page that runs no script of its own, at this address. */
export function wholePage(text: string, origin: string): string {
  return text.replaceAll(ORIGIN, origin).replaceAll(` nonce="${NONCE}"`, '')
}

/** Sends such pages, compressed once each: only those of which there are few. */
export function pageSender(origin: string) {
  const compress = promisify(brotliCompress)
  const compressed = new Map<string, Promise<Buffer>>()
  return async (reply: FastifyReply, text: string) => {
    const page = wholePage(text, origin)
    reply.header('cache-control', 'no-cache')
    if (!reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding')
    if (negotiate(reply.request.headers['accept-encoding'] ?? '', ['br']) !== 'br') return reply.send(page)
    const bytes = compressed.get(page) ?? compress(page)
    compressed.set(page, bytes)
    return reply.header('content-encoding', 'br').send(await bytes)
  }
}

function sessionCookie({ headers: { cookie } }: FastifyRequest): string | undefined {
  return cookie?.match(/(?:^|;\s*)__session=([^;]+)/)?.[1]
}
