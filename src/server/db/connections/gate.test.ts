import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { anAccount, requireReader, useWorld } from '#support/world.ts'
import type { Actor } from '#server/db/actor.ts'
import { openGate } from './gate.ts'
import { openPool } from './pool.ts'

const world = useWorld()
/** More than there are connections. */
const MANY = 12

async function anAccountId(): Promise<number> {
  return requireReader(await anAccount(world)).accountId
}

/** Lets nobody read customers until it is called. */
async function lockCustomers(): Promise<() => Promise<void>> {
  const owner = new pg.Client(world.connection)
  await owner.connect()
  await owner.query('begin; lock table customers')
  return () => owner.end()
}

function times<T>(count: number, work: () => T): T[] {
  return Array.from({ length: count }, work)
}

test('writes of one account that take long leave connections for others, and all end', async () => {
  const [mine, theirs] = [await anAccountId(), await anAccountId()]
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  let begun = 0
  const held = times(MANY, () =>
    world.db.writeAs(mine, async (_em, run) => {
      await run(sql`select 1`)
      begun += 1
      await free
      return 'done'
    }),
  )
  await expect.poll(() => begun).toBe(3)
  expect(await world.db.writeAs(theirs, (_em, run) => run(sql`select 2 as two`))).toEqual([{ two: 2 }])
  expect(begun).toBe(3)
  release()
  expect(await Promise.all(held)).toEqual(times(MANY, () => 'done'))
})

test('a link that was checked counts for its account, and one that was not for no account', async () => {
  const gate = openGate({ atOnce: 1, crowdedAt: 8, mostWaiting: 5, mostAhead: 50 })
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  const order: string[] = []
  const work = (actor: Actor, accountId: number) =>
    gate({ actor, accountId }, async () => {
      order.push(`${actor} ${accountId}`)
      if (accountId === 1) await free
    })
  const held = [work('checked-link', 1), work('link', 1)]
  const waiting = [work('checked-link', 1), work('link', 2)]
  await work('checked-link', 2)
  expect(order).toEqual(['checked-link 1', 'link 1', 'checked-link 2'])
  release()
  await Promise.all([...held, ...waiting])
  expect(order).toHaveLength(5)
})

test('reads of one account that take long leave connections for others, and all end', async () => {
  const [mine, theirs] = [await anAccountId(), await anAccountId()]
  const unlock = await lockCustomers()
  const held = times(MANY, () => world.db.readAs(mine)(sql`select count(*)::int as customers from customers`))
  expect(await world.db.readAs(theirs)(sql`select 2 as two`)).toEqual([{ two: 2 }])
  await unlock()
  expect(await Promise.all(held)).toEqual(times(MANY, () => [{ customers: 0 }]))
})

describe('five accounts that ask for much leave connections for a sixth', () => {
  test('to write', async () => {
    const five = await Promise.all(times(5, anAccountId))
    const light = await anAccountId()
    const { promise: free, resolve: release } = Promise.withResolvers<void>()
    const begun: number[] = []
    const held = five.flatMap((accountId) =>
      times(MANY, () =>
        world.db.writeAs(accountId, async (_em, run) => {
          await run(sql`select 1`)
          begun.push(accountId)
          await free
        }),
      ),
    )
    await expect.poll(() => begun).toHaveLength(7)
    expect(new Set(begun)).toEqual(new Set(five))
    expect(await world.db.writeAs(light, (_em, run) => run(sql`select 2 as two`))).toEqual([{ two: 2 }])
    expect(begun).toHaveLength(7)
    release()
    await Promise.all(held)
    expect(begun).toHaveLength(5 * MANY)
  })

  test('to read', async () => {
    const five = await Promise.all(times(5, anAccountId))
    const light = await anAccountId()
    const unlock = await lockCustomers()
    const count = sql`select count(*)::int as customers from customers`
    const held = five.flatMap((accountId) => times(MANY, () => world.db.readAs(accountId)(count)))
    expect(await world.db.readAs(light)(sql`select 2 as two`)).toEqual([{ two: 2 }])
    await unlock()
    expect(await Promise.all(held)).toEqual(times(5 * MANY, () => [{ customers: 0 }]))
  })
})

test('writes that each read beside their transaction wait for no place that they hold themselves', async () => {
  const accountId = await anAccountId()
  const both = times(MANY, () =>
    world.db.writeAs(accountId, async (_em, run) => {
      await run(sql`select 1`)
      return world.db.readAs(accountId)(sql`select 2 as two`)
    }),
  )
  expect(await Promise.all(both)).toEqual(times(MANY, () => [{ two: 2 }]))
})

describe('the line of an account', () => {
  const mine = { accountId: 1, actor: 'person:1' } as const

  test('is only so long, but for jobs and imports', async () => {
    const gate = openGate({ atOnce: 1, crowdedAt: 4, mostWaiting: 2, mostAhead: 1000 })
    const { promise: free, resolve: release } = Promise.withResolvers<void>()
    const order: string[] = []
    const ask = (who: string, acting: Parameters<typeof gate>[0] = mine) =>
      gate(acting, async () => {
        await free
        order.push(who)
      })
    const asked = [ask('first'), ask('second'), ask('third')]
    await expect(ask('too many')).rejects.toMatchObject({ key: 'TOO_MANY_AT_ONCE', wait: { seconds: 5 } })
    asked.push(ask('job', { ...mine, actor: 'job:send' }), ask('import', { ...mine, actor: 'import:1' }))
    await expect(ask('still too many')).rejects.toMatchObject({ key: 'TOO_MANY_AT_ONCE' })
    release()
    await Promise.all(asked)
    expect(order).toEqual(['first', 'second', 'third', 'job', 'import'])
    await ask('later')
  })

  test('goes on after work that fails', async () => {
    const gate = openGate({ atOnce: 1, crowdedAt: 4, mostWaiting: 2, mostAhead: 1000 })
    const failing = gate(mine, () => Promise.reject(new Error('failed')))
    const next = gate(mine, async () => 'done')
    await expect(failing).rejects.toThrow('failed')
    expect(await next).toBe('done')
  })
})

test('a line that is long for all accounts together refuses what would come last in it', async () => {
  const gate = openGate({ atOnce: 1, crowdedAt: 4, mostWaiting: 10, mostAhead: 6 })
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  const ask = (accountId: number, actor: Actor = `person:${accountId}`) => gate({ accountId, actor }, () => free)
  const asked = [1, 2, 3].map((accountId) => ask(accountId))
  asked.push(ask(1))
  const busy = { key: 'SERVER_BUSY', wait: { seconds: 5 } }
  await expect(ask(1)).rejects.toMatchObject(busy)
  asked.push(ask(1, 'job:send'), ...[4, 5, 6].map((accountId) => ask(accountId)))
  await expect(ask(7)).rejects.toMatchObject(busy)
  asked.push(ask(7, 'import:1'))
  release()
  await Promise.all(asked)
  await ask(7)
})

describe('a crowded pool', () => {
  /** Work of accounts by their number; it ends when the test says so. */
  function working(gate: ReturnType<typeof openGate>) {
    const begun: number[] = []
    const ends: (() => void)[] = []
    const ask = (accountId: number) =>
      gate({ accountId, actor: `person:${accountId}` }, () => {
        begun.push(accountId)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
    /** Ends the piece of work that began as the nth of all. */
    const end = async (nth: number) => {
      ends[nth]?.()
      await setImmediate()
    }
    return { begun, ask, end }
  }

  test('gives each account one connection, and accounts take turns for what is free beyond that', async () => {
    const { begun, ask, end } = working(openGate({ atOnce: 3, crowdedAt: 4, mostWaiting: 10, mostAhead: 1000 }))
    const asked = [1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3].map(ask)
    expect(begun).toEqual([1, 1, 1, 2, 3])
    await end(0)
    expect(begun).toEqual([1, 1, 1, 2, 3])
    await end(1)
    expect(begun).toEqual([1, 1, 1, 2, 3, 1])
    // An account that has just had a turn comes last.
    await end(2)
    expect(begun).toEqual([1, 1, 1, 2, 3, 1, 2])
    await end(3)
    expect(begun).toEqual([1, 1, 1, 2, 3, 1, 2, 3])
    for (let nth = 4; nth < asked.length; nth += 1) await end(nth)
    await Promise.all(asked)
    expect(begun.toSorted((one, other) => one - other)).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3])
  })

  test('gives an account that has none its first at once', async () => {
    const { begun, ask, end } = working(openGate({ atOnce: 3, crowdedAt: 2, mostWaiting: 10, mostAhead: 1000 }))
    const asked = [1, 1, 1, 2, 3].map(ask)
    expect(begun).toEqual([1, 1, 2, 3])
    for (let nth = 0; nth < asked.length; nth += 1) await end(nth)
    await Promise.all(asked)
  })
})

test('a pool whose connections are all taken says that the server is busy', async () => {
  const pool = openPool({ ...world.connection, max: 1, connectionTimeoutMillis: 1000 })
  const client = await pool.connect()
  await expect(pool.connect()).rejects.toMatchObject({
    key: 'SERVER_BUSY',
    code: 'SERVICE_UNAVAILABLE',
    wait: { seconds: 10 },
  })
  client.release()
  await pool.end()
})
