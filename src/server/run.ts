import { readEnv, type Env } from './env.ts'
import { startServer, type RunningServer, type ServerParts } from './server.ts'
import { StartError } from './start-error.ts'

/** Starts the server for a person at a console: says where to go, or in one line why not. */
export async function run(parts: ServerParts = {}): Promise<void> {
  let server: RunningServer | undefined
  try {
    const env = readEnv()
    server = await startServer(env, { ...parts, ...(await standinsFor(env)) })
    stopOnSignals(server)
    const demo = env.isProduction ? undefined : await (await import('#standins/demo/demo.ts')).openDemo(server)
    greet(server, demo)
  } catch (error) {
    console.error(error instanceof StartError ? `TRAXX cannot start: ${error.message}` : error)
    process.exitCode = 1
    await server?.stop()
  }
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
function stopOnSignals(server: RunningServer) {
  let stopping = false
  const stop = async () => {
    if (stopping) process.exit(1)
    stopping = true
    await server.stop()
    process.exit(0)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
}
