import { createTRPCClient, httpBatchLink } from '@trpc/client'
import superjson from 'superjson'
import { MAX_CALLS_IN_BATCH } from '#shared/trpc-batch.ts'
import { afterAll, beforeAll } from 'vitest'
import { readEnv } from '#server/env.ts'
import type { Pages } from '#server/pages/built-pages.ts'
import type { AppRouter } from '#server/routers/index.ts'
import type { RunningServer } from '#server/boot/local-environment.ts'
import { startServer } from '#server/boot/start-server.ts'
import { localEnvironment } from '#standins/main.ts'
import { freePort } from './app-process.ts'
import { newBrowser, signUp, type ClerkBrowser } from './clerk.ts'
import { workerConnection } from './database.ts'

const NO_PAGES: Pages = { folder: undefined, text: async (file) => file }

/** The whole server with its stand-ins on a real port, over this worker's database. */
export function useFullServer(): { readonly server: RunningServer; readonly databaseUrl: string } {
  let server: RunningServer | undefined
  let databaseUrl = ''
  const running = () => {
    if (!server) throw new Error('The server starts with the first test')
    return server
  }
  beforeAll(async () => {
    databaseUrl = urlOf(await workerConnection())
    const env = readEnv({
      NODE_ENV: 'test',
      PORT: String(await freePort()),
      DATABASE_URL: databaseUrl,
      DATA_DIR: '.data/test',
      LOG_LEVEL: 'error',
    })
    server = await startServer(env, { local: localEnvironment, pages: NO_PAGES })
  })
  afterAll(() => running().stop())
  return {
    get server() {
      return running()
    },
    get databaseUrl() {
      return databaseUrl
    },
  }
}

export interface Person {
  email: string
  userId: string
  token: string
  browser: ClerkBrowser
  trpc: ReturnType<typeof trpcClient>
}

/** A new user with a verified address. */
export async function aPerson({ url }: Pick<RunningServer, 'url'>): Promise<Person> {
  const browser = newBrowser(url)
  const { email_address: email, sessionId } = await signUp(browser)
  const { body } = await browser.post(`/v1/client/sessions/${sessionId}/tokens`)
  const token = body.jwt ?? ''
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return { email, userId: String(Reflect.get(Object(claims), 'sub')), token, browser, trpc: trpcClient(url, token) }
}

/** tRPC as the browser app calls it. */
export function trpcClient(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, origin: url }
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${url}/trpc`,
        transformer: superjson,
        maxItems: MAX_CALLS_IN_BATCH,
        headers: () => headers,
      }),
    ],
  })
}

export function urlOf({
  host,
  port,
  user,
  password,
  database,
  connectionString,
}: Awaited<ReturnType<typeof workerConnection>>): string {
  if (connectionString) return connectionString
  return `postgres://${user}:${String(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`
}
