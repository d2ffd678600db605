import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import Fastify from 'fastify'
import manifest from '#package' with { type: 'json' }
import { startJobs } from '#server/jobs.ts'
import { MOST_FAILURES, openCircuit, type Circuit } from '#server/outside/circuit.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { useApp } from '#support/app.ts'
import { aMailbox, noMailServer } from '#support/mailbox.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const TICK_MS = 20
const world = useWorld()
const local = useApp(world)
const guarded = useApp(world, {}, { metrics: { token: 'a-token-of-length-16' } })
const CIRCUIT = { limitMs: 10_000, isAway: () => true }
const opened: Circuit[] = []
const circuits = useApp(world, { circuits: opened })
const closed = useApp(world, {}, { metrics: 'nobody' })

async function metricsOf({ app }: typeof local): Promise<Map<string, number>> {
  const { statusCode, headers, body } = await app.inject('/metrics')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const samples = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  for (const line of samples) expect(line).toMatch(/^traxx_[a-z_]+(\{[a-z]+="[^"]+"\})? [\d.e+-]+$/)
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

describe('/metrics', () => {
  test('says when each job last began and ended', async () => {
    const job = { name: 'count', everyMs: 86_400_000, run: async () => {} }
    const jobs = startJobs({ db: world.db, services: fakeServices(), log: Fastify().log }, [job])
    await expect.poll(async () => (await metricsOf(local)).get('traxx_job_last_end_seconds{job="count"}')).toBeDefined()
    const begun = (await metricsOf(local)).get('traxx_job_last_begin_seconds{job="count"}') ?? 0
    expect(Math.abs(begun - Date.now() / 1000)).toBeLessThan(60)
    await jobs.stop()
  })

  test('counts the messages of the last day by state, and what is due and not sent, of all accounts', async () => {
    const now = () => new Date(Date.now() - 600_000)
    for (const isAway of [false, true]) {
      const mailbox = aMailbox()
      if (isAway) mailbox.fail(noMailServer())
      const request = await anAccount(world, { services: { mailer: mailbox.mailer, now } })
      const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
      await sendReminder(request, await aContract(request, { customerId, renewalDate: '2099-01-01' })).catch(() => {})
      await world.db.writeAs(request.caller?.id ?? 0, (em) =>
        em.execute(`update reminders set state = 'planned', reason = null, next_attempt_at = now() - interval '5 minutes'
          where state = 'failed'`),
      )
    }
    const metrics = await metricsOf(local)
    expect(metrics.get('traxx_reminders_last_day{state="sent"}')).toBe(1)
    expect(metrics.get('traxx_reminders_last_day{state="planned"}')).toBe(1)
    expect(metrics.get('traxx_reminders_due')).toBe(1)
    expect(metrics.get('traxx_reminders_oldest_due_seconds')).toBeGreaterThan(299)
  })

  test('says which version runs', async () => {
    expect((await metricsOf(local)).get(`traxx_build_info{version="${manifest.version}"}`)).toBe(1)
  })

  test('counts requests, and how long they took', async () => {
    const before = await metricsOf(local)
    await local.app.inject('/healthz')
    const after = await metricsOf(local)
    // The request for the metrics themselves is one as well.
    for (const name of ['traxx_http_requests_total{status="2xx"}', 'traxx_http_request_duration_seconds_count']) {
      expect((after.get(name) ?? 0) - (before.get(name) ?? 0)).toBe(2)
    }
    expect(after.get('traxx_http_request_duration_seconds_bucket{le="+Inf"}')).toBe(
      after.get('traxx_http_request_duration_seconds_count'),
    )
  })

  test('tells the memory of the process, and how long its work waits', async () => {
    const metrics = await metricsOf(local)
    const [resident = 0, heap = 0, limit = 0] = ['resident_bytes', 'heap_bytes', 'heap_limit_bytes'].map((name) =>
      metrics.get(`traxx_${name}`),
    )
    expect(heap).toBeLessThan(resident)
    expect(heap).toBeLessThan(limit)
    await metricsOf(local)
    // The delay is measured between two ticks of a timer, so one has to come before the work and one after it.
    await pause(2 * TICK_MS)
    for (const end = performance.now() + 500; performance.now() < end;);
    await pause(2 * TICK_MS)
    expect((await metricsOf(local)).get('traxx_event_loop_delay_seconds')).toBeGreaterThan(0.3)
  })

  test('says which services outside are not asked for now', async () => {
    const [bucket, clerk] = [
      openCircuit({ ...CIRCUIT, service: 'bucket' }),
      openCircuit({ ...CIRCUIT, service: 'clerk' }),
    ]
    opened.push(bucket, clerk)
    const fail = () => Promise.reject(new Error('away'))
    for (let time = 0; time < MOST_FAILURES; time += 1) await clerk.run(fail).catch(() => {})
    const metrics = await metricsOf(circuits)
    expect(metrics.get('traxx_circuit_open{service="bucket"}')).toBe(0)
    expect(metrics.get('traxx_circuit_open{service="clerk"}')).toBe(1)
  })

  test('has every figure that the alerts and the dashboard ask for', async () => {
    await world.db.system.query(`insert into job_runs (name, began_at, ended_at) values ('backup', now(), now())`)
    const { body } = await local.app.inject('/metrics')
    const served = [...body.matchAll(/^# TYPE (traxx_\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    )
    for (const file of ['prometheus/alerts.yml', 'grafana/traxx.json']) {
      const text = readFileSync(join(import.meta.dirname, '../../deploy', file), 'utf8')
      const asked = [...new Set(text.match(/\btraxx_\w+/g))]
      expect(asked.length).toBeGreaterThan(5)
      expect(asked.filter((name) => !served.includes(name))).toEqual([])
    }
  })

  test('is for this machine alone, for who says the token, or for nobody', async () => {
    const status = async ({ app }: typeof local, headers = {}, remoteAddress = '127.0.0.1') =>
      (await app.inject({ url: '/metrics', headers, remoteAddress })).statusCode
    expect(await status(local)).toBe(200)
    expect(await status(local, {}, '203.0.113.9')).toBe(404)
    expect(await status(local, { 'x-forwarded-for': '203.0.113.9' })).toBe(404)
    expect(await status(guarded)).toBe(404)
    expect(await status(guarded, { authorization: 'Bearer a-token-of-length-17' })).toBe(404)
    expect(await status(guarded, { authorization: 'Bearer a-token-of-length-16' }, '203.0.113.9')).toBe(200)
    expect(await status(closed, { authorization: 'Bearer undefined' })).toBe(404)
  })
})
