import { expect, test } from 'vitest'
import { workerConnection } from '#support/database.ts'
import { urlOf } from '#support/full-server.ts'
import { killWorkers } from '#support/kill-worker.ts'

// A hundred kills are `npm run bench -- kill-worker`.
test('a worker that is killed at random moments loses no message, and repeats only those recorded as possibly sent twice', async () => {
  const connection = await workerConnection()
  const report = await killWorkers({ connection, url: urlOf(connection), kills: 2, seed: 5 })
  expect(report.faults).toEqual([])
  expect(report.messages).toBe(80 * report.kills)
  expect(report.killsWhileSending).toBeGreaterThan(0)
}, 900_000)
