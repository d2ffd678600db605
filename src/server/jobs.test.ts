import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { fakeServices } from '#support/services.ts'
import { useWorld } from '#support/world.ts'
import { JOBS_AT_ONCE, startJobs, type Job } from './jobs.ts'

const world = useWorld()
const DAY_MS = 86_400_000

const aServer = () => ({ db: world.db, services: fakeServices(), log: Fastify().log })
const start = (...jobs: Job[]) => startJobs(aServer(), jobs)

test('a job runs at the start, and then again and again', async () => {
  let runs = 0
  const jobs = start({ name: 'count', everyMs: 5, run: async () => void (runs += 1) })
  await expect.poll(() => runs).toBeGreaterThan(2)
  await jobs.stop()
})

test('a job that has something to do before its next run runs then', async () => {
  let runs = 0
  const soonerMs = async () => (runs < 2 ? 1 : undefined)
  const jobs = start({ name: 'count', everyMs: DAY_MS, run: async () => void (runs += 1), soonerMs })
  await expect.poll(() => runs).toBe(2)
  await jobs.stop()
})

test('a job begins when the one before it has ended', async () => {
  const order: string[] = []
  const job = (name: string): Job => ({ name, everyMs: DAY_MS, run: async () => void order.push(name) })
  const jobs = start(job('send'), { ...job('plan'), next: 'send' })
  await expect.poll(() => order.filter((name) => name === 'send')).toHaveLength(2)
  expect(order.at(-1)).toBe('send')
  expect(order).toContain('plan')
  await jobs.stop()
})

test('when each job last began and ended is written down, also where it fails', async () => {
  const jobs = start(
    { name: 'fine', everyMs: DAY_MS, run: async () => {} },
    { name: 'fail', everyMs: DAY_MS, run: async () => Promise.reject(new Error('no')) },
  )
  const runs = async () => {
    const text = 'select name, ended_at is not null as ended from job_runs order by name'
    return (await world.db.system.query(text)).rows
  }
  const written = [
    { name: 'fail', ended: false },
    { name: 'fine', ended: true },
  ]
  await expect.poll(runs).toEqual(written)
  await jobs.stop()
})

test('a job that fails leaves the others, and its own next run, alone', async () => {
  let runs = 0
  const failing = { name: 'fail', everyMs: 5, run: async () => Promise.reject(new Error(`run ${(runs += 1)}`)) }
  let others = 0
  const jobs = start(failing, { name: 'count', everyMs: DAY_MS, run: async () => void (others += 1) })
  await expect.poll(() => runs).toBeGreaterThan(1)
  await expect.poll(() => others).toBe(1)
  await jobs.stop()
})

test('a job that failed runs again soon, also where its next run would be a day later', async () => {
  let runs = 0
  const run = async () => {
    runs += 1
    if (runs < 3) throw new Error('The database could not be reached')
  }
  const jobs = startJobs(aServer(), [{ name: 'count', everyMs: DAY_MS, run }], 1)
  await expect.poll(() => runs).toBe(3)
  await jobs.stop()
})

test('so many jobs run at once that those in progress always get the locks that they take on the way', async () => {
  const names = Array.from({ length: 18 }, (_, n) => `job ${n}`)
  const ended: string[] = []
  let running = 0
  let most = 0
  const { promise: isFull, resolve: fill } = Promise.withResolvers<void>()
  const jobs = start(
    ...names.map((name): Job => ({
      name,
      everyMs: DAY_MS,
      run: async ({ db }) => {
        running += 1
        most = Math.max(most, running)
        if (running === JOBS_AT_ONCE) fill()
        await isFull
        await db.oneAtATime(`of ${name}`, async () => {})
        running -= 1
        ended.push(name)
      },
    })),
  )
  await expect.poll(() => ended.toSorted()).toEqual(names.toSorted())
  expect(most).toBe(JOBS_AT_ONCE)
  await jobs.stop()
})

test('of two servers one runs a job, and the other skips it', async () => {
  let running = 0
  let done = 0
  const run = async () => {
    running += 1
    await new Promise(setImmediate)
    expect(running).toBe(1)
    running -= 1
    done += 1
  }
  const servers = [start({ name: 'alone', everyMs: 5, run }), start({ name: 'alone', everyMs: 5, run })]
  await expect.poll(() => done).toBeGreaterThan(4)
  await Promise.all(servers.map((server) => server.stop()))
})

test('a server that stops tells its jobs, and waits for them', async () => {
  let ended = false
  let begun = false
  const jobs = start({
    name: 'long',
    everyMs: DAY_MS,
    run: async ({ signal }) => {
      begun = true
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await new Promise(setImmediate)
      ended = true
    },
  })
  await expect.poll(() => begun).toBe(true)
  await jobs.stop()
  expect(ended).toBe(true)
})
