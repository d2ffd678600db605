import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { screensOf } from '#shared/domain/access.ts'
import { AppError } from '#shared/errors.ts'
import type { ServerDependencies } from '#server/http/request-context.ts'
import { sessionCookie } from '#server/identity/session-cookie.ts'
import { findVisitor, type Visitor } from '#server/identity/visitor.ts'
import { countCaller, countCalls } from '#server/limits/count-requests.ts'
import { refusalBody } from '#server/rest/errors.ts'
import { HTML, type Pages } from './built-pages.ts'
import { NONCE } from './nonce.ts'
import { screenSender } from './screen-sender.ts'

export interface PageOptions extends ServerDependencies {
  pages: Pages
  /** The address that search engines shall know. */
  origin: string
}

const ORIGIN = '__ORIGIN__'
const STRANGER: Visitor = { isSignedIn: false, caller: null }

/** Pages that are the same for everybody. */
const FIXED = [
  ['/privacy', 'privacy.html', HTML],
  ['/terms', 'terms.html', HTML],
  ['/robots.txt', 'robots.txt', 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 'sitemap.xml', 'application/xml; charset=utf-8'],
] as const

/** The landing page and its neighbours, the app's shell and its assets. */
export async function pageRoutes(app: FastifyInstance, options: PageOptions) {
  const { pages, origin } = options
  screenSender(app, options)
  if (pages.folder) await serveAssets(app, pages.folder)
  const send = pageSender(origin)
  landingPage(app, options, send)
  for (const [path, file, type] of FIXED) {
    app.get(path, async (request, reply) => send(reply.type(type), await pages.text(file, request.url)))
  }
  app.setNotFoundHandler(async (request, reply) => {
    const wantsHtml = negotiate(request.headers.accept ?? '*/*', ['application/json', 'text/html']) === 'text/html'
    if (['GET', 'HEAD'].includes(request.method) && wantsHtml) return reply.sendScreen()
    return reply
      .code(404)
      .header('cache-control', 'no-store')
      .send(refusalBody(new AppError('PATH_NOT_FOUND')))
  })
}

type Send = ReturnType<typeof pageSender>

/** A visitor is known by the identity provider's cookies: no script of it is loaded here. */
function landingPage(app: FastifyInstance, options: PageOptions, send: Send) {
  const { pages, services } = options
  app.get('/', async (request, reply) => {
    const { caller, isSignedIn } = await visitorOf(reply, options)
    reply.header('vary', 'Accept-Encoding, Cookie')
    if (caller && screensOf(caller.subscription, services.billingNow()) === 'checkout') {
      return reply.redirect('/checkout?trial=true')
    }
    return send(reply.type(HTML), await pages.text(isSignedIn ? 'landing-member.html' : 'landing.html', request.url))
  })
}

/** The page needs no account: a visitor who cannot be identified, or is over a limit, sees the public page. */
async function visitorOf(reply: FastifyReply, { callers, limits }: PageOptions): Promise<Visitor> {
  const { request } = reply
  try {
    if (sessionCookie(request)) await countCalls(limits, reply)
    const visitor = await findVisitor(callers, request)
    if (visitor.caller) await countCaller(limits, { accountId: visitor.caller.id, reply })
    return visitor
  } catch (error) {
    request.log.warn({ err: error }, 'the visitor to the landing page could not be identified')
    return STRANGER
  }
}

async function serveAssets(app: FastifyInstance, root: string) {
  await app.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['.server/**', '*.html', '*.txt', '*.xml', '**/*.br', '**/*.gz'],
    setHeaders: (reply, path) => {
      if (path.includes('/assets/')) reply.header('cache-control', 'public, max-age=31536000, immutable')
    },
  })
}

/** Serves a page without scripts at this path. */
export function wholePage(text: string, origin: string): string {
  return text.replaceAll(ORIGIN, origin).replaceAll(` nonce="${NONCE}"`, '')
}

/** Sends such pages, compressed once each: only those of which there are few. */
export function pageSender(origin: string) {
  const compress = promisify(brotliCompress)
  const compressed = new Map<string, Promise<Buffer>>()
  return async (reply: FastifyReply, text: string) => {
    const page = wholePage(text, origin)
    reply.header('cache-control', 'no-cache').allowStylesOf(page)
    if (!reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding')
    if (negotiate(reply.request.headers['accept-encoding'] ?? '', ['br']) !== 'br') return reply.send(page)
    const bytes = compressed.get(page) ?? compress(page)
    compressed.set(page, bytes)
    return reply.header('content-encoding', 'br').send(await bytes)
  }
}
