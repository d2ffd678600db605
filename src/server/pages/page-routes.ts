import { negotiate } from '@fastify/accept-negotiator'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { screensOf } from '#shared/domain/access.ts'
import { AppError } from '#shared/errors.ts'
import type { ServerDependencies } from '#server/http/request-context.ts'
import { refusalBody } from '#server/rest/answers/errors.ts'
import { HTML, type Pages } from './built-pages.ts'
import { visitorOf } from './page-visitor.ts'
import { screenSender } from './screen-sender.ts'
import { pageSender, wholePages } from './whole-page.ts'

export interface PageOptions extends ServerDependencies {
  pages: Pages
  /** The address that search engines shall know. */
  origin: string
}

/** Files that are the same for everybody. */
const FIXED = [
  ['/account-deleted', 'account-deleted.html', HTML],
  ['/robots.txt', 'robots.txt', 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 'sitemap.xml', 'application/xml; charset=utf-8'],
] as const

/** Pages whose header has a link to the app for people who are signed in. */
const TEXTS = ['help', 'privacy', 'terms'] as const

/** The landing page and its neighbours, the app's shell and its assets. */
export async function pageRoutes(app: FastifyInstance, options: PageOptions) {
  const { pages, origin, services } = options
  screenSender(app, options)
  if (pages.folder) await serveAssets(app, pages.folder)
  const send = pageSender(wholePages(origin, services), pages)
  landingPage(app, options, send)
  for (const [path, file, type] of FIXED) {
    app.get(path, async (request, reply) => send(reply.type(type), await pages.text(file, request.url)))
  }
  for (const name of TEXTS) {
    app.get(`/${name}`, async (request, reply) => {
      const { isSignedIn } = await visitorOf(reply, options)
      return send(reply.type(HTML), await pages.text(isSignedIn ? `${name}-member.html` : `${name}.html`, request.url))
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const wantsHtml = negotiate(request.headers.accept ?? '*/*', ['application/json', 'text/html']) === 'text/html'
    if (['GET', 'HEAD'].includes(request.method) && wantsHtml) {
      return reply.code((await isScreen(pages, request)) ? 200 : 404).sendScreen()
    }
    return reply
      .code(404)
      .header('cache-control', 'no-store')
      .send(refusalBody(new AppError('PATH_NOT_FOUND')))
  })
}

/** If that cannot be determined, the browser decides. */
async function isScreen({ screens }: Pages, { url, log }: FastifyRequest): Promise<boolean> {
  try {
    return (await screens?.has(url)) ?? true
  } catch (error) {
    log.warn({ err: error }, 'an address could not be looked up among the screens')
    return true
  }
}

type Send = ReturnType<typeof pageSender>

/** Someone who has signed up but not subscribed goes on to the checkout. */
function landingPage(app: FastifyInstance, options: PageOptions, send: Send) {
  const { pages, services } = options
  app.get('/', async (request, reply) => {
    const { caller, isSignedIn } = await visitorOf(reply, options)
    if (caller && screensOf(caller.subscription, services.billingNow()) === 'checkout') {
      return reply.redirect('/checkout?trial=true')
    }
    return send(reply.type(HTML), await pages.text(isSignedIn ? 'landing-member.html' : 'landing.html', request.url))
  })
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
