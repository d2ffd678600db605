import { readEnv, type Env } from '#server/env.ts'
import { startServer, type RunningServer, type ServerParts } from './start-server.ts'
import { StartError } from '#server/start-error.ts'
import { startWorker } from './start-worker.ts'

/** Starts the server for a person at a console: says where to go, or in one line why not. */
export async function run(parts: ServerParts = {}): Promise<void> {
  let server: RunningServer | undefined
  try {
    const env = readEnv()
    server = await startServer(env, { ...parts, ...(await standinsFor(env)) })
    stopOnSignals(server.stop)
    const demo = env.isProduction ? undefined : await (await import('#standins/demo/demo.ts')).openDemo(server)
    greet(server, demo)
    if (env.JOBS === 'off') console.log('  Reminders are sent by: npm run worker\n')
  } catch (error) {
    explain(error)
    await server?.stop()
  }
}

/** The same for the jobs alone. */
export async function runWorker(): Promise<void> {
  try {
    const env = readEnv()
    const { openStandins } = await standinsFor(env)
    const { stop } = await startWorker(env, openStandins)
    stopOnSignals(stop)
    console.log('\n  TRAXX plans and sends reminders\n  Stop with Ctrl-C\n')
  } catch (error) {
    explain(error)
  }
}

function explain(error: unknown): void {
  console.error(error instanceof StartError ? `TRAXX cannot start: ${error.message}` : error)
  process.exitCode = 1
}

async function standinsFor(env: Env): Promise<ServerParts> {
  if (env.isProduction) return {}
  const { openStandins } = await import('#standins/main.ts')
  return { openStandins }
}

function greet({ url, embedded }: RunningServer, demo: { email: string; password: string } | undefined) {
  console.log(`\n  TRAXX is ready at ${url}`)
  if (demo) console.log(`  Sign in as ${demo.email} with the password ${demo.password}, or sign up`)
  if (demo) console.log(`  Mail that is sent: ${url}/dev/mailbox   Billing's clock: ${url}/__stripe/clock`)
  if (embedded?.moved) console.log(`  The database lives in ${embedded.location}, where its own user can reach it`)
  console.log('  Stop with Ctrl-C\n')
}

/** The first signal stops in order, a second one at once. */
function stopOnSignals(stop: () => Promise<void>) {
  let stopping = false
  const begin = async () => {
    if (stopping) process.exit(1)
    stopping = true
    await stop()
    process.exit(0)
  }
  process.on('SIGINT', () => void begin())
  process.on('SIGTERM', () => void begin())
}
