import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { identityScript } from '#shared/identity-script.ts'
import { actorOf, type ServerDependencies } from '#server/http/request-context.ts'
import { sessionCookie } from '#server/identity/session-cookie.ts'
import { countCalls, countCaller } from '#server/limits/count-requests.ts'
import { securityLog } from '#server/security/security-log.ts'
import { HTML, NONCE, type Pages } from './built-pages.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The app's page: the router takes over in the browser. */
    sendScreen(): Promise<FastifyReply>
  }
}

interface ScreenOptions extends ServerDependencies {
  pages: Pages
  /** The first of our addresses. */
  origin: string
}

const TIMEOUT_MS = 3000
const SHELL_ALONE = { title: 'TRAXX', html: '', files: '' }
const compress = promisify(brotliCompress)

/** The app's shell, and in it the screen itself where the visitor is known by the session cookie. */
export function screenSender(app: FastifyInstance, options: ScreenOptions) {
  const { pages, services } = options
  // Where the session is not known, the browser has to ask for it first.
  const preload = `<${identityScript(services.identityConfig)}>; rel=preload; as=script; crossorigin=anonymous`
  app.addHook('onListen', async () => void prepare(app, pages))
  app.decorateReply('sendScreen', async function (this: FastifyReply) {
    this.type(HTML).header('vary', 'Accept, Accept-Encoding, Cookie')
    const nonce = this.pageNonce()
    const [shell, screen] = await Promise.all([
      pages.text('index.html', this.request.url),
      renderScreen(this, nonce, options),
    ])
    const { title, html, files } = screen ?? SHELL_ALONE
    const page = shell
      .replace('<!-- __FILES__ -->', () => files)
      .replaceAll(NONCE, nonce)
      .replace('__TITLE__', () => title)
      .replace('__SCREEN__', () => html)
    if (screen) this.header('cache-control', 'private, no-store')
    else this.header('cache-control', 'no-cache').header('link', preload)
    return sendCompressed(this, page)
  })
}

/** So that the first visitor need not wait for it. */
async function prepare({ log }: FastifyInstance, { screens }: Pages) {
  await screens?.prepare().catch((error: unknown) => log.warn({ err: error }, 'server rendering is not available'))
}

// The browser renders as well: if the server fails to, the shell is enough.
async function renderScreen(reply: FastifyReply, nonce: string, { pages, origin, ...shared }: ScreenOptions) {
  const { request } = reply
  const token = sessionCookie(request)
  if (!token || !pages.screens) return undefined
  try {
    await countCalls(shared.limits, reply)
    const caller = await shared.callers.find(token)
    if (caller) await countCaller(shared.limits, { accountId: caller.id, reply })
    const actor = actorOf(caller)
    const db = shared.db.as(actor)
    const security = securityLog(request.log, { actor, account: caller?.id, address: request.ip })
    const context = { ...shared, db, actor, security, log: request.log, origin, caller, viaApiKey: false }
    const visitor = { context, tokenForMs: shared.callers.remainingMs(token), nonce }
    return await Promise.race([pages.screens.render(request.url, visitor), afterTimeout()])
  } catch (error) {
    request.log.warn({ err: error }, 'the screen could not be rendered')
    return undefined
  }
}

function afterTimeout(): Promise<undefined> {
  return new Promise((done) => setTimeout(() => done(undefined), TIMEOUT_MS).unref())
}

// Quickly rather than thoroughly: it is compressed for this one answer.
async function sendCompressed(reply: FastifyReply, page: string) {
  if (negotiate(reply.request.headers['accept-encoding'] ?? '', ['br']) !== 'br') return reply.send(page)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  return reply.header('content-encoding', 'br').send(await compress(page, { params }))
}
