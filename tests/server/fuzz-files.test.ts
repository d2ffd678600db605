import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, startApp, type AppProcess } from '#support/app-process.ts'
import { urlOf } from '#support/full-server.ts'
import { fuzzFiles } from '#support/fuzz/fuzz-files.ts'
import { anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const MOST_GROWTH_MB = 150
const seed = Date.now() % 1_000_000_000
let app: AppProcess | undefined
let origin: string

beforeAll(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  app = startApp({
    NODE_ENV: 'test',
    PORT: String(port),
    DATABASE_URL: urlOf(world.connection),
    DATA_DIR: '.data/test-fuzz',
    LOG_LEVEL: 'error',
    JOBS: 'off',
    ...Object.fromEntries(['LIMIT_ACCOUNT', 'LIMIT_ADDRESS', 'LIMIT_IMPORTS'].map((name) => [name, '1000000'])),
  })
  await app.says('TRAXX is ready at')
})

afterAll(async () => {
  app?.child.kill('SIGTERM')
  await app?.ended
})

function memory(): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(app?.child.pid)], { encoding: 'utf8' })) / 1024
}

test('no file, however wrong, harms the server', async () => {
  console.info(`Fuzzing files with seed ${seed}; npm run fuzz -- files tries more`)
  const key = await anApiKey(await anAccount(world))
  const report = await fuzzFiles({ origin, key, memory }, { seed, runs: 300 })
  expect(report.faults).toEqual([])
  expect(app?.child.exitCode).toBeNull()
  expect(app?.output()).not.toContain('"level":50')
  expect(report.memory.after - report.memory.before).toBeLessThan(MOST_GROWTH_MB)
  // Files of every kind came through as well: what fuzzing never gets past its first check proves little.
  for (const answer of ['customers.csv 200', 'workbook read', 'pdf 201', 'form of an import 200']) {
    expect(report.answers[answer] ?? 0).toBeGreaterThan(5)
  }
}, 300_000)
