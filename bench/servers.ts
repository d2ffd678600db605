import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import { z } from 'zod'
import {
  freePort,
  processorSeconds,
  residentMegabytes,
  startApp,
  WORKER,
  type AppProcess,
} from '#support/app-process.ts'
import { aPublicKey, aSigningKey } from '#support/public-key.ts'

export interface BenchServer {
  port: number
  /** Resident memory of the process, in megabytes. */
  memory(): number
  /** How long it has used a processor, in seconds. */
  processor(): number
  /** What is left after garbage collection. Takes a server that was started with `HEAP_ON_SIGNAL`. */
  heap(): Promise<Heap>
  /** All that it has written. */
  output(): string
  /** Signals it, and waits until it has written this. */
  signal(signal: NodeJS.Signals, says: string): Promise<void>
  stop(): Promise<void>
}

/** What limits cost is measured; that they refuse is not. */
const UNLIMITED = Object.fromEntries(
  ['LIMIT_ACCOUNT', 'LIMIT_ADDRESS', 'LIMIT_IMPORTS', 'LIMIT_EXPORTS', 'LIMIT_PREVIEWS'].map((name) => [
    name,
    '1000000000',
  ]),
)

/** What a process keeps, in megabytes. */
export interface Heap {
  /** Objects, and the bytes of buffers. */
  kept: number
  resident: number
}

/** For a server that is to tell of its heap; it slows nothing down until it is asked. */
export const HEAP_ON_SIGNAL = { NODE_OPTIONS: `--import ${join(import.meta.dirname, 'heap-on-signal.ts')}` }

const Told = z.object({ memory: z.object({ heapUsed: z.number(), external: z.number(), rss: z.number() }) })

/** Who makes session tokens for our server. */
export const ISSUER = 'https://clerk.traxx.example'

/** TRAXX as it is shipped: in production, with the built client. Its outside services are out of reach. */
export async function startOurs(connection: PoolConfig, variables: Record<string, string> = {}): Promise<BenchServer> {
  const port = await freePort()
  const app = startApp({ ...inProduction(connection, port), ...variables })
  await app.says('TRAXX is ready at')
  return serverOf(app, port)
}

/** The worker, beside a server of this port. */
export async function startOurWorker(
  connection: PoolConfig,
  port: number,
  variables: Record<string, string>,
): Promise<AppProcess> {
  const app = startApp({ ...inProduction(connection, port), ...variables }, WORKER)
  await app.says('TRAXX plans and sends reminders')
  return app
}

function inProduction(connection: PoolConfig, port: number): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: urlOf(connection),
    CLERK_PUBLISHABLE_KEY: `pk_live_${Buffer.from(`${new URL(ISSUER).host}$`).toString('base64')}`,
    CLERK_SECRET_KEY: 'sk_live_nobody',
    CLERK_JWT_KEY: aPublicKey(),
    PROOF_SIGNING_KEY: aSigningKey(),
    STRIPE_SECRET_KEY: 'sk_live_nobody',
    STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
    SMTP_URL: 'smtps://127.0.0.1:9',
    MAIL_FROM: 'TRAXX <hello@traxx.example>',
    ...UNLIMITED,
    ...nodeOptions(),
  }
}

/** The reference (see reference-server.ts). */
export async function startReference(connection: PoolConfig): Promise<BenchServer> {
  const port = await freePort()
  const app = startApp({ PORT: String(port), CONNECTION: JSON.stringify(connection), ...nodeOptions() }, [
    'bench/reference-server.ts',
  ])
  await app.says('The reference is ready')
  return serverOf(app, port)
}

/** To look into both, as with `BENCH_NODE_OPTIONS=--cpu-prof`. */
function nodeOptions(): Record<string, string> {
  const options = process.env['BENCH_NODE_OPTIONS']
  return options ? { NODE_OPTIONS: options } : {}
}

function serverOf(app: AppProcess, port: number): BenchServer {
  let asked = 0
  return {
    port,
    memory: () => residentMegabytes(app),
    processor: () => processorSeconds(app),
    heap: async () => {
      asked += 1
      const told = `"heap ${asked}"`
      app.child.kill('SIGUSR2')
      await app.says(told)
      const line =
        app
          .output()
          .split('\n')
          .find((each) => each.includes(told)) ?? ''
      const { heapUsed, external, rss } = Told.parse(JSON.parse(line)).memory
      return { kept: (heapUsed + external) / 1024 ** 2, resident: rss / 1024 ** 2 }
    },
    output: () => app.output(),
    signal: (signal, says) => {
      app.child.kill(signal)
      return app.says(says)
    },
    stop: async () => {
      app.child.kill('SIGTERM')
      await app.ended
    },
  }
}

export function urlOf({ host = '', port, user, password, database }: PoolConfig): string {
  return `postgres://${String(user)}:${String(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
