import { afterAll, beforeAll } from 'vitest'
import { openDatabase } from '#server/boot/open-database.ts'
import { freePort, startApp, WORKER, type AppProcess } from './app-process.ts'
import { workerConnection } from './database.ts'
import { urlOf } from './full-server.ts'
import { startRoundRobin } from './round-robin.ts'
import type { World } from './world.ts'

export interface ServerProcess {
  /** At which only this process answers. */
  url: string
  app: AppProcess
}

interface Running {
  world: World
  servers: ServerProcess[]
  /** Their public address, which passes each call to the next of them. */
  url: string
  /** A worker beside them. */
  startWorker: () => Promise<AppProcess>
}

/**
 * So many servers as `npm start` runs them, each a process with a port of its own, over this worker's database, which is
 * emptied once, before they start. They run no jobs.
 */
export function useServerProcesses(count: number, variables: Record<string, string>): Running {
  let running: (Running & { stopProxy: () => Promise<void> }) | undefined
  const started = () => {
    if (!running) throw new Error('The servers start with the first test')
    return running
  }
  beforeAll(async () => {
    const connection = await workerConnection()
    const world = { connection, db: await openDatabase(connection) }
    const ports = await Promise.all(Array.from({ length: count }, freePort))
    const urls = ports.map((port) => `http://localhost:${port}`)
    const { url, stop } = await startRoundRobin(await freePort(), urls)
    const shared = {
      NODE_ENV: 'test',
      PUBLIC_URL: url,
      DATABASE_URL: urlOf(connection),
      DATA_DIR: '.data/test-processes',
      TRUSTED_PROXIES: '127.0.0.1,::1',
      LOG_LEVEL: 'fatal',
      ...variables,
    }
    const servers = ports.map((port, at) => ({
      url: urls[at] ?? '',
      app: startApp({ ...shared, PORT: String(port), JOBS: 'off' }),
    }))
    const startWorker = async () => {
      const worker = startApp({ ...shared, PORT: String(ports[0]) }, WORKER)
      await worker.says('TRAXX plans and sends reminders')
      return worker
    }
    running = { world, servers, url, startWorker, stopProxy: stop }
    await Promise.all(servers.map(({ app }) => app.says('TRAXX is ready at')))
  })
  afterAll(async () => {
    const { world, servers, stopProxy } = started()
    for (const { app } of servers) app.child.kill('SIGKILL')
    await Promise.all(servers.map(({ app }) => app.ended))
    await stopProxy()
    await world.db.close()
  })
  return {
    get world() {
      return started().world
    },
    get servers() {
      return started().servers
    },
    get url() {
      return started().url
    },
    startWorker: () => started().startWorker(),
  }
}

interface Asked {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** A session token or an API key. */
  bearer?: string
  body?: object | FormData | URLSearchParams
  /** Where the request comes from: a private address, as stand-ins answer no others. */
  from?: string
}

/** One call of one process, as a proxy passes it on; the answer's status and text. */
export async function ask({ url }: ServerProcess, { method = 'GET', path, bearer, body, from = '10.0.0.1' }: Asked) {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  const headers = {
    'x-forwarded-for': from,
    ...(bearer && { authorization: `Bearer ${bearer}` }),
    ...(body && !isForm && { 'content-type': 'application/json' }),
  }
  const sent = isForm ? body : body && JSON.stringify(body)
  const answer = await fetch(`${url}${path}`, { method, headers, ...(sent && { body: sent }) })
  return { status: answer.status, text: await answer.text() }
}
