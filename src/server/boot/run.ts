import { readEnv } from '#server/env.ts'
import { StartError } from '#server/start-error.ts'
import { findLocalEnvironment } from './find-local-environment.ts'
import type { RunningServer } from './local-environment.ts'
import { startServer, type ServerParts } from './start-server.ts'
import { startWorker } from './start-worker.ts'

interface Running {
  /** Runs when everything is closed, before the process ends. */
  onEnd?: (() => Promise<void>) | undefined
}

/** Starts the server for a person at a console: says where to go, or in one line why not. */
export async function run({ onEnd, ...parts }: ServerParts & Running = {}): Promise<void> {
  let server: RunningServer | undefined
  try {
    const env = readEnv()
    const local = await findLocalEnvironment(env)
    server = await startServer(env, { ...parts, local })
    stopOnSignals(server.stop, onEnd)
    greet(server, (await local?.welcome(server)) ?? [])
    if (env.JOBS === 'off') console.log('  Reminders are sent by: npm run worker\n')
  } catch (error) {
    explain(error)
    await server?.stop()
    await onEnd?.()
  }
}

/** The same for the jobs alone. */
export async function runWorker({ onEnd }: Running = {}): Promise<void> {
  try {
    const env = readEnv()
    const { stop } = await startWorker(env, await findLocalEnvironment(env))
    stopOnSignals(stop, onEnd)
    console.log('\n  TRAXX plans and sends reminders\n  Stop with Ctrl-C\n')
  } catch (error) {
    explain(error)
    await onEnd?.()
  }
}

function explain(error: unknown): void {
  console.error(error instanceof StartError ? `TRAXX cannot start: ${error.message}` : error)
  process.exitCode = 1
}

function greet({ url, embedded }: RunningServer, welcome: string[]) {
  console.log(`\n  TRAXX is ready at ${url}`)
  for (const line of welcome) console.log(`  ${line}`)
  if (embedded?.moved) console.log(`  The database is in ${embedded.location}, which its own system user can access`)
  console.log('  Stop with Ctrl-C\n')
}

/** The first signal stops in order, a second one at once. */
function stopOnSignals(stop: () => Promise<void>, onEnd: Running['onEnd']) {
  let stopping = false
  const begin = async () => {
    if (stopping) process.exit(1)
    stopping = true
    await stop()
    await onEnd?.()
    process.exit(0)
  }
  process.on('SIGINT', () => void begin())
  process.on('SIGTERM', () => void begin())
}
