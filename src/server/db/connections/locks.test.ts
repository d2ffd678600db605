import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { startJobs } from '#server/jobs.ts'
import { fakeServices } from '#support/services.ts'
import { useWorld } from '#support/world.ts'

const world = useWorld()
/** As many as a process has connections for locks. */
const ALL = 8
const TOO_MANY = { key: 'TOO_MANY_AT_ONCE', wait: { seconds: 5 } }

/** Holds locks until it is called. */
async function hold(names: string[]) {
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  const begun = names.map(() => Promise.withResolvers<void>())
  const held = names.map((name, index) =>
    world.db.oneAtATime(name, async () => {
      begun[index]?.resolve()
      await free
    }),
  )
  await Promise.all(begun.map(({ promise }) => promise))
  return async () => {
    release()
    await Promise.all(held)
  }
}

test('a job runs, and takes locks of its own, while every connection for the locks of calls is taken', async () => {
  const release = await hold(Array.from({ length: ALL }, (_, index) => `subscription:${index}`))
  const done = Promise.withResolvers<string>()
  const run = ({ db }: Pick<typeof world, 'db'>) => db.oneAtATime('deletion:1', async () => done.resolve('done'))
  const jobs = startJobs({ db: world.db, services: fakeServices(), log: Fastify().log }, [
    { name: 'x', everyMs: 86_400_000, run },
  ])
  expect(await done.promise).toBe('done')
  await jobs.stop()
  await release()
})

test('of calls that wait for a lock of one name, ten wait and more are refused', async () => {
  const release = await hold(['subscription:1'])
  const waiting = Array.from({ length: 10 }, () => world.db.oneAtATime('subscription:1', async () => 'done'))
  await expect(world.db.oneAtATime('subscription:1', async () => 'done')).rejects.toMatchObject(TOO_MANY)
  expect(await world.db.oneAtATime('subscription:2', async () => 'other')).toBe('other')
  const unrefused = (['stripe', 'job:x'] as const).map((actor) =>
    world.db.as(actor).oneAtATime('subscription:1', async () => 'done'),
  )
  await release()
  expect(await Promise.all([...waiting, ...unrefused])).toEqual(Array.from({ length: 12 }, () => 'done'))
  expect(await world.db.oneAtATime('subscription:1', async () => 'next')).toBe('next')
})

test('calls of one name run in the order in which they came, also after one that failed', async () => {
  const order: number[] = []
  const calls = [1, 2, 3].map((number) =>
    world.db.oneAtATime('order', async () => {
      order.push(number)
      if (number === 1) throw new Error('no')
    }),
  )
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(order).toEqual([1, 2, 3])
})

test('what runs already is skipped by a job', async () => {
  const runs: string[] = []
  const ran = await world.db.unlessRunning('job:x', async () => {
    runs.push('first')
    expect(await world.db.unlessRunning('job:x', async () => void runs.push('second'))).toBe(false)
    expect(await world.db.unlessRunning('job:y', async () => void runs.push('other'))).toBe(true)
  })
  expect(ran).toBe(true)
  expect(runs).toEqual(['first', 'other'])
})
