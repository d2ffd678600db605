import Fastify from 'fastify'
import pg from 'pg'
import { z } from 'zod'
import { openClerkStandin } from '#standins/clerk/clerk-standin.ts'
import { totpNow } from './totp.ts'
import { workerConnection } from './database.ts'

const Resource = z.looseObject({
  id: z.string().optional(),
  status: z.string().nullish(),
  created_session_id: z.string().nullish(),
  /** Of an authenticator app. */
  secret: z.string().optional(),
  backup_codes: z.array(z.string()).nullish(),
  codes: z.array(z.string()).optional(),
})
const Client = z.looseObject({
  sessions: z.array(Resource),
  sign_up: Resource.nullable(),
  sign_in: Resource.nullable(),
})
const Answer = z.looseObject({
  response: Resource.nullish(),
  client: Client.nullish(),
  errors: z.array(z.looseObject({ code: z.string() })).optional(),
  jwt: z.string().optional(),
})

export interface ClerkAnswer {
  status: number
  headers: Headers
  body: z.output<typeof Answer>
  /** For the calls that answer with a bare list. */
  list: z.output<typeof Resource>[]
}

interface Sent {
  method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
}

export interface ClerkBrowser {
  cookie: string
  get: (path: string) => Promise<ClerkAnswer>
  post: (path: string, fields?: Record<string, string>, sent?: Sent) => Promise<ClerkAnswer>
}

export type ClerkServer = Awaited<ReturnType<typeof startClerk>>

/** The stand-in on a real port, as the app serves it, over this worker's database. */
export async function startClerk() {
  const pool = new pg.Pool(await workerConnection())
  const mails: { to: string; subject: string; text: string }[] = []
  const sendMail = async (mail: (typeof mails)[number]) => void mails.push(mail)
  const standin = await openClerkStandin({ pool, sendMail })
  const app = Fastify()
  await app.register(standin.plugin, { prefix: '/__clerk' })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const stop = async () => {
    await app.close()
    await pool.end()
  }
  return { pool, standin, app, origin, apiUrl: `${origin}/__clerk`, mails, newBrowser: () => newBrowser(origin), stop }
}

/** The digits of the latest mail to an address. */
export function mailedCode({ mails }: ClerkServer, address: string): string {
  const mail = mails.findLast(({ to }) => to === address)
  return /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? `no mail to ${address}`
}

let addresses = 0
export function anAddress(): string {
  addresses += 1
  return `ada${addresses}.${process.pid}@example.com`
}

export const PASSWORD = 'correct horse battery'

/** A sign-up whose code has been sent. */
export async function beginSignUp(browser: ClerkBrowser, email_address = anAddress()) {
  const { body } = await browser.post('/v1/client/sign_ups', { email_address, password: PASSWORD })
  const path = `/v1/client/sign_ups/${body.response?.id}`
  const prepare = () => browser.post(`${path}/prepare_verification`, { strategy: 'email_code' })
  const attempt = (code: string) => browser.post(`${path}/attempt_verification`, { strategy: 'email_code', code })
  await prepare()
  return { email_address, path, prepare, attempt }
}

/** A sign-in that names the address alone, as "forgot password" does. */
export async function beginSignIn(browser: ClerkBrowser, identifier: string) {
  const { body } = await browser.post('/v1/client/sign_ins', { identifier })
  const path = `/v1/client/sign_ins/${body.response?.id}`
  return {
    path,
    begun: body,
    prepare: (strategy: string) => browser.post(`${path}/prepare_first_factor`, { strategy }),
    attempt: (fields: Record<string, string>) => browser.post(`${path}/attempt_first_factor`, fields),
    reset: (fields: Record<string, string>) => browser.post(`${path}/reset_password`, fields),
  }
}

/** Signs up with a code, and leaves the browser signed in. */
export async function signUp(browser: ClerkBrowser, address = anAddress()) {
  const { email_address, attempt } = await beginSignUp(browser, address)
  const done = await attempt('424242')
  return { email_address, sessionId: done.body.response?.created_session_id ?? 'none', done }
}

/** Signed up, with an authenticator app. */
export async function signUpWithApp(browser: ClerkBrowser) {
  const { email_address, sessionId } = await signUp(browser)
  const me = (path = '') => `/v1/me${path}?_clerk_session_id=${sessionId}`
  const secret = (await browser.post(me('/totp'))).body.response?.secret ?? 'none'
  const confirmed = await browser.post(me('/totp/attempt_verification'), { code: totpNow(secret) })
  return { email_address, sessionId, me, secret, backupCodes: confirmed.body.response?.backup_codes ?? [] }
}

/** Calls as clerk-js does: with its cookies, urlencoded, and with the method in the address. */
export function newBrowser(origin: string): ClerkBrowser {
  const browser: ClerkBrowser = {
    cookie: '',
    get: async (path) => read(await fetch(`${origin}/__clerk${path}`, { headers: { cookie: browser.cookie } })),
    post: async (path, fields = {}, { method = 'POST', headers = {} } = {}) => {
      const url = new URL(`${origin}/__clerk${path}`)
      if (method !== 'POST') url.searchParams.set('_method', method)
      const response = await fetch(url, {
        method: 'POST',
        headers: { origin, cookie: browser.cookie, 'user-agent': CHROME, ...headers },
        body: new URLSearchParams(fields),
      })
      browser.cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? browser.cookie
      return read(response)
    },
  }
  return browser
}

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

async function read(response: Response): Promise<ClerkAnswer> {
  const json: unknown = await response.json()
  const list = Array.isArray(json) ? z.array(Resource).parse(json) : []
  const body = Answer.parse(Array.isArray(json) ? {} : json)
  return { status: response.status, headers: response.headers, body, list }
}
