import type { FastifyInstance, FastifyPluginAsync, InjectOptions } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { buildApp } from '#server/boot/build-app.ts'
import type { RequestContext, Services } from '#server/context.ts'
import type { LimitSettings } from '#server/limits/allowances.ts'
import { openCallers } from '#server/identity/callers.ts'
import type { MetricsAccess } from '#server/http/metrics.ts'
import type { Pages } from '#server/pages/built-pages.ts'
import { fakeServices } from './services.ts'
import type { World } from './world.ts'

/** Pages that say their name, so that tests need no built client. */
const NAMED_PAGES: Pages = {
  folder: undefined,
  text: async (file) => {
    const account = file === 'landing-member.html' ? '/dashboard' : '/sign-in'
    return `<!doctype html><title>${file}</title><a href="${account}">Account</a><div data-contact-form=""></div>`
  },
}

interface AppChoices {
  timeoutMs?: number
  metrics?: MetricsAccess
  pages?: Pages
  plugins?: FastifyPluginAsync[]
  limits?: LimitSettings
  operatorToken?: string
  /** Keeps what is logged, line by line. */
  logTo?: { write: (line: string) => void }
}

/** The whole HTTP server of a test file, without a socket. */
export function useApp(
  world: World,
  changes: Partial<Services> = {},
  { timeoutMs, metrics = 'local', pages = NAMED_PAGES, plugins = [], limits, operatorToken, logTo }: AppChoices = {},
): { readonly app: FastifyInstance } {
  let app: FastifyInstance | undefined
  const opened = () => {
    if (!app) throw new Error('The server opens with the first test')
    return app
  }
  beforeAll(async () => {
    const services = fakeServices(changes)
    const callers = openCallers(world.db, services)
    const origins = ['http://localhost:3000']
    app = await buildApp({
      db: world.db,
      services,
      callers,
      origins,
      logLevel: logTo ? 'warn' : 'silent',
      logTo,
      timeoutMs,
      metrics,
      pages,
      plugins,
      limits,
      operatorToken,
    })
  })
  afterAll(() => opened().close())
  return {
    get app() {
      return opened()
    },
  }
}

/** The authorization header of this account's session token. */
export function bearer({ caller }: RequestContext) {
  return { authorization: `Bearer session:${caller?.clerkUserId}` }
}

/** One REST call; the answer's status and JSON. */
export async function call({ app }: { readonly app: FastifyInstance }, options: InjectOptions) {
  const answer = await app.inject(options)
  return { status: answer.statusCode, body: answer.body ? answer.json() : undefined, headers: answer.headers }
}
