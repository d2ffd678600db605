import { randomInt } from 'node:crypto'
import { env } from 'node:process'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GENERAL_LIMITS, SHARED_LIMITS } from '#server/limits/allowances.ts'
import { bearer, useApp } from '#support/app.ts'
import { routesOf, senderTo } from '#support/fuzz/call-server.ts'
import { fuzzCalls } from '#support/fuzz/fuzz-calls.ts'
import { addRecords } from '#support/fuzz/fuzz-records.ts'
import { loggedFaults } from '#support/fuzz/logged-faults.ts'
import { aMailbox } from '#support/mailbox.ts'
import { anAccount, anApiKey, TODAY, useWorld } from '#support/world.ts'

const world = useWorld()
const log: string[] = []
const limits = Object.fromEntries(Object.keys({ ...GENERAL_LIMITS, ...SHARED_LIMITS }).map((name) => [name, 1e9]))
const server = useApp(world, { mailer: aMailbox().mailer }, { limits, logTo: { write: (line) => void log.push(line) } })
const seed = Number(env['FUZZ_SEED'] ?? randomInt(1_000_000_000))
let owner: pg.Client
let port = 0

beforeAll(async () => {
  owner = new pg.Client(world.connection)
  await owner.connect()
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => owner.end())

/** Of these even a sound call would not be answered if something had gone wrong in how calls are made. */
const MUST_BE_REACHED =
  /(GET|POST|PUT) \/(customers|contracts)(\/:id)?: |\/(settings|texts\/:kind|skip|snooze): |(customers|contracts)\.(list|create|update): |reminders\.save/

test('no call, however wrong, is answered with a fault', async () => {
  console.info(`Fuzzing calls with seed ${seed}, which FUZZ_SEED=${seed} repeats; npm run fuzz -- calls tries more`)
  const [one, other, leaving] = [await anAccount(world), await anAccount(world), await anAccount(world)]
  const tokenOf = (request: typeof one) => bearer(request).authorization.slice('Bearer '.length)
  const tokens = { session: tokenOf(one), other: tokenOf(other), leaving: tokenOf(leaving), key: await anApiKey(one) }
  const routes = await routesOf(world.connection)
  const records = () => addRecords(owner, one.caller?.id ?? 0, TODAY)
  const memory = () => process.memoryUsage.rss() / 1024 ** 2
  const report = await fuzzCalls({ routes, tokens, send: senderTo(port), records, memory }, { seed, runs: 300 })
  expect(report.faults).toEqual([])
  expect(loggedFaults(log.join(''))).toEqual([])
  expect(report.fewest).toBeGreaterThan(4)
  expect(report.unreached.filter((one) => MUST_BE_REACHED.test(one))).toEqual([])
}, 600_000)
