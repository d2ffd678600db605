import { afterAll, beforeAll } from 'vitest'
import { freePort, residentMegabytes, startApp, type AppProcess } from './app-process.ts'
import { urlOf } from './full-server.ts'
import type { World } from './world.ts'

export interface ServerProcess {
  readonly origin: string
  readonly app: AppProcess
  /** Resident memory, in megabytes. */
  memory: () => number
}

/** TRAXX in a separate process for the tests of one file, over their database, and without jobs. */
export function useServerProcess(world: World, variables: Record<string, string> = {}): ServerProcess {
  let started: { origin: string; app: AppProcess } | undefined
  const running = () => {
    if (!started) throw new Error('The server starts with the first test')
    return started
  }
  beforeAll(async () => {
    const port = String(await freePort())
    const app = startApp({
      NODE_ENV: 'test',
      PORT: port,
      DATABASE_URL: urlOf(world.connection),
      DATA_DIR: `.data/test-${port}`,
      LOG_LEVEL: 'error',
      JOBS: 'off',
      ...variables,
    })
    started = { origin: `http://localhost:${port}`, app }
    await app.says('TRAXX is ready at')
  })
  afterAll(async () => {
    running().app.child.kill('SIGTERM')
    await running().app.ended
  })
  return {
    get origin() {
      return running().origin
    },
    get app() {
      return running().app
    },
    memory: () => residentMegabytes(running().app),
  }
}
