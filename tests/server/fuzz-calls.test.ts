import { randomInt } from 'node:crypto'
import { env } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GENERAL_LIMITS, SHARED_LIMITS } from '#server/limits/allowances.ts'
import { bearer, useApp } from '#support/app.ts'
import { routesOf, senderTo } from '#support/fuzz/call-server.ts'
import { fuzzCalls, type Callers } from '#support/fuzz/fuzz-calls.ts'
import { fuzzSchemas } from '#support/fuzz/fuzz-schemas.ts'
import { addRecords, spreadIds } from '#support/fuzz/fuzz-records.ts'
import { loggedFaults } from '#support/fuzz/logged-faults.ts'
import { aMailbox } from '#support/mailbox.ts'
import { fakeServices } from '#support/services.ts'
import { anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const log: string[] = []
const OPERATOR = 'token-of-the-operator'
const limits = Object.fromEntries(Object.keys({ ...GENERAL_LIMITS, ...SHARED_LIMITS }).map((name) => [name, 1e9]))
const services = fakeServices({ mailer: aMailbox().mailer })
const server = useApp(world, services, {
  limits,
  operatorToken: OPERATOR,
  logTo: { write: (line) => void log.push(line) },
})
const seed = Number(env['FUZZ_SEED'] ?? randomInt(1_000_000_000))
/** Of what is not garbage, and of the log. */
const MOST_GROWTH_MB = 60
let owner: pg.Client
let port = 0

beforeAll(async () => {
  owner = new pg.Client(world.connection)
  await owner.connect()
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => owner.end())

test('no call, however wrong, is answered with a fault', async () => {
  console.info(`Fuzzing calls with seed ${seed}, which FUZZ_SEED=${seed} repeats; npm run fuzz -- calls tries more`)
  const routes = await routesOf(world.connection)
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const memory = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 1024 ** 2
  }
  const first = await anAccount(world)
  // Of the first ids, which calls that may be wrong in any part draw.
  for (let round = 0; round < 15; round += 1) await addRecords(owner, first.caller?.id ?? 0, services.now())
  await spreadIds(owner)
  const webhooks = { stripe: services.stripeWebhookSecret, mail: services.mailWebhookKey ?? '', now: services.now }
  const target = { routes, enter, webhooks, send: senderTo(port), memory }
  const report = await fuzzCalls(target, { seed, runs: 300, sample: 5 })
  expect(report.faults).toEqual([])
  expect(loggedFaults(log.join(''))).toEqual([])
  expect(report.fewest).toBeGreaterThan(4)
  expect(report.unreached).toEqual([])
  expect(report.memory.after - report.memory.before).toBeLessThan(MOST_GROWTH_MB)
}, 1_200_000)

async function enter(): Promise<Callers> {
  const [one, other, leaving] = [await anAccount(world), await anAccount(world), await anAccount(world)]
  const tokenOf = (request: typeof one) => bearer(request).authorization.slice('Bearer '.length)
  const people = { session: tokenOf(one), other: tokenOf(other), leaving: tokenOf(leaving) }
  const tokens = { ...people, key: await anApiKey(one), operator: OPERATOR }
  return { tokens, records: () => addRecords(owner, one.caller?.id ?? 0, services.now()) }
}

test('no schema of a call stumbles over any of 300 hostile inputs', async () => {
  const routes = await routesOf(world.connection)
  const records = await addRecords(owner, (await anAccount(world)).caller?.id ?? 0, services.now())
  const report = fuzzSchemas(routes, { seed, runs: 300, records })
  expect(report.faults).toEqual([])
  expect(report.schemas).toBeGreaterThan(60)
})
