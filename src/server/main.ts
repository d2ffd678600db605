import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'

const ENV_FILE = resolve(import.meta.dirname, '../../.env')
if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE)

enableCompileCache(resolve(import.meta.dirname, '../../node_modules/.cache/node'))

// From here on, so that it serves all that is loaded.
const { readCollector } = await import('./env.ts')
const collector = readCollector()
const tracing = collector === undefined ? undefined : await import('./tracing/start-tracing.ts')
const onEnd = tracing?.startTracing(collector ?? '')

const { run, runWorker } = await import('./boot/run.ts')
await (process.argv[2] === 'worker' ? runWorker({ onEnd }) : run({ onEnd }))
