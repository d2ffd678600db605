import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { readCollector } from './env.ts'

const ENV_FILE = resolve(import.meta.dirname, '../../.env')
if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE)

enableCompileCache(resolve(import.meta.dirname, '../../node_modules/.cache/node'))

const collector = readCollector()
const tracing = collector === undefined ? undefined : await import('./tracing/start-tracing.ts')
const onEnd = tracing?.startTracing(collector ?? '')

// After the compile cache is on, so that it also serves what these load.
const { run, runWorker } = await import('./boot/run.ts')
await (process.argv[2] === 'worker' ? runWorker({ onEnd }) : run({ onEnd }))
