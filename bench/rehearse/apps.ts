import { createConnection } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ISSUER } from '#bench/servers.ts'
import { freePort, SERVER, WORKER } from '#support/app-process.ts'
import { aPublicKey, aSigningKey } from '#support/public-key.ts'
import { signalTree, until, type Processes, type Started } from './processes.ts'

const WORKERS = ['worker1', 'worker2']

interface AppOptions {
  processes: Processes
  /** Where the code is. */
  code: string
  /** What is the same for all: the database, and the mail server. */
  variables: Record<string, string>
  serverPorts: number[]
  adminSocket: string
}

/** Three servers and two workers as they run in production. */
export async function startApps({ serverPorts, adminSocket, ...options }: AppOptions) {
  const servers = serverPorts.map((port, at) => openServer(`traxx${at + 1}`, port, options))
  const workers = WORKERS.map((name) => openWorker(name, options))
  const all = [...servers, ...workers]
  for (const program of all) await program.start()
  return {
    /** Those that run no more. */
    gone: () => all.filter(({ isRunning }) => !isRunning()).map(({ name }) => name),
    killServer: () => kill(servers[0]),
    killWorker: () => kill(workers[0]),
    /** Starts again what does not run. */
    restart: async () => {
      for (const program of all) if (!program.isRunning()) await program.start()
    },
    /** Replaces one process after the other by one of other code; requests do not go to a server meanwhile. */
    upgrade: async (code: string) => {
      for (const program of servers) {
        await tell(adminSocket, `set server web/${program.name} state drain`)
        await program.stop()
        await program.start(code)
        await tell(adminSocket, `set server web/${program.name} state ready`)
      }
      for (const program of workers) {
        await program.stop()
        await program.start(code)
      }
    },
    stopWorkers: async () => {
      for (const program of workers) await program.stop()
    },
    stop: async () => {
      for (const program of all) await program.stop()
    },
  }
}

/** A server beside those, over another database. */
export async function startServer(name: string, options: ProgramOptions) {
  const port = await freePort()
  const server = openServer(name, port, options)
  await server.start()
  return { url: `http://127.0.0.1:${port}`, stop: server.stop }
}

type ProgramOptions = Pick<AppOptions, 'processes' | 'code' | 'variables'>
type Program = ReturnType<typeof openWorker>

function openServer(name: string, port: number, { variables, ...options }: ProgramOptions) {
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const own = { ...variables, PORT: String(port), JOBS: 'off' }
  return openProgram({ ...options, name, args: SERVER, variables: own, isReady })
}

function openWorker(name: string, options: ProgramOptions) {
  const isReady = ({ output }: Started) => output().includes('TRAXX plans and sends reminders')
  return openProgram({ ...options, name, args: WORKER, isReady })
}

interface Described extends ProgramOptions {
  name: string
  args: string[]
  isReady: (started: Started) => Promise<boolean> | boolean
}

function openProgram({ processes, code: first, name, args, variables, isReady }: Described) {
  let code = first
  let started: Started | undefined
  return {
    name,
    isRunning: () => started?.isRunning() ?? false,
    /** Starts it, and waits until it is ready. */
    start: async (other = code) => {
      code = other
      const now = processes.start({ name, file: process.execPath, args, variables, cwd: code })
      started = now
      await until(`${name} is ready`, () => {
        if (!now.isRunning()) throw new Error(`${name} has ended:\n${now.output()}`)
        return isReady(now)
      })
    },
    /** Lets it end in order. */
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
  async function end(signal: NodeJS.Signals) {
    if (!started?.isRunning()) return
    signalTree([started.pid], signal)
    await started.ended
  }
}

async function kill(program: Program | undefined): Promise<void> {
  await program?.kill()
}

/** What production needs, with outside services that nobody reaches. */
export function productionVariables(publicUrl: string, folder: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    DATA_DIR: join(folder, 'files'),
    CLERK_PUBLISHABLE_KEY: `pk_live_${Buffer.from(`${new URL(ISSUER).host}$`).toString('base64')}`,
    CLERK_SECRET_KEY: 'sk_live_nobody',
    CLERK_JWT_KEY: aPublicKey(),
    PROOF_SIGNING_KEY: aSigningKey(),
    STRIPE_SECRET_KEY: 'sk_live_nobody',
    STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
    MAIL_FROM: 'TRAXX <hello@traxx.example>',
    LIMIT_ACCOUNT: '1000000000',
    LIMIT_ADDRESS: '1000000000',
  }
}

/** Gives HAProxy a command. */
async function tell(adminSocket: string, command: string): Promise<void> {
  const socket = createConnection(adminSocket)
  socket.end(`${command}\n`)
  const answer = (await text(socket)).trim()
  if (answer !== '') throw new Error(`HAProxy answered "${command}" with: ${answer}`)
}
