import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'

enableCompileCache(resolve(import.meta.dirname, '../../node_modules/.cache/node'))

// After the compile cache is on, so that it also serves what these load.
const { run } = await import('./run.ts')
await run()
