import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { screensOf } from '#shared/domain/access.ts'
import { REFUSALS } from '#shared/errors.ts'
import type { Callers } from './identity/callers.ts'
import { StartError } from './start-error.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The app's HTML shell: the same for every screen; the router takes over in the browser. */
    sendScreen(): Promise<FastifyReply>
  }
}

/** Where HTML comes from: built files, or Vite while developing. */
export interface Pages {
  html(name: PageName, url: string): Promise<string>
  /** The folder of built assets; undefined where Vite serves them. */
  folder: string | undefined
}

export type PageName = 'index' | 'landing' | 'privacy' | 'terms' | 'contact'

const STATIC_PAGES = ['privacy', 'terms', 'contact'] as const
const NONCE = '__CSP_NONCE__'
const SIGN_IN_LINK = '<a data-account-link href="/sign-in">Sign In</a>'
const DASHBOARD_LINK = '<a data-account-link href="/dashboard">Dashboard</a>'

/** @throws StartError before the client was built. */
export function builtPages(folder: string): Pages {
  if (!existsSync(folder)) throw new StartError('The client is not built. Run npm run build')
  const files = new Map<PageName, Promise<string>>()
  return {
    folder,
    html(name) {
      const file = files.get(name) ?? readFile(join(folder, `${name}.html`), 'utf8')
      files.set(name, file)
      return file
    },
  }
}

interface PageOptions {
  pages: Pages
  callers: Callers
  billingNow: () => Date
}

export async function pageRoutes(app: FastifyInstance, { pages, callers, billingNow }: PageOptions) {
  app.decorateReply('sendScreen', async function (this: FastifyReply) {
    return sendHtml(this, await pages.html('index', this.request.url))
  })

  if (pages.folder) {
    await app.register(fastifyStatic, {
      root: pages.folder,
      index: false,
      wildcard: false,
      preCompressed: true,
      globIgnore: ['**/*.html', '**/*.br', '**/*.gz'],
      setHeaders: (reply, path) => {
        if (path.includes('/assets/')) reply.header('cache-control', 'public, max-age=31536000, immutable')
      },
    })
  }

  app.get('/', async (request, reply) => {
    const caller = await callers.find(sessionCookie(request))
    reply.header('vary', 'Cookie')
    if (caller && screensOf(caller.subscription, billingNow()) === 'checkout')
      return reply.redirect('/checkout?trial=true')
    const html = await pages.html('landing', request.url)
    return sendHtml(reply, caller ? html.replace(SIGN_IN_LINK, DASHBOARD_LINK) : html)
  })

  for (const name of STATIC_PAGES) {
    app.get(`/${name}`, async (request, reply) => sendHtml(reply, await pages.html(name, request.url)))
  }

  app.setNotFoundHandler(async (request, reply) => {
    const wantsHtml = negotiate(request.headers.accept ?? '*/*', ['application/json', 'text/html']) === 'text/html'
    if (request.method === 'GET' && wantsHtml) return reply.sendScreen()
    return reply.code(404).send({ error: REFUSALS.PATH_NOT_FOUND.message })
  })
}

function sendHtml(reply: FastifyReply, html: string) {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(html.replaceAll(NONCE, reply.request.nonce))
}

function sessionCookie({ headers: { cookie } }: FastifyRequest): string | undefined {
  return cookie?.match(/(?:^|;\s*)__session=([^;]+)/)?.[1]
}
