import { describe, expect, test, vi } from 'vitest'
import { openPool } from '#server/db/connections/pool.ts'
import { useHeavyWork } from '#support/heavy-work.ts'
import { useWorld } from '#support/world.ts'
import { openLimits, waitText, type Met } from './limits.ts'

const world = useWorld()

async function outcomes(asked: Promise<unknown>[]) {
  const settled = await Promise.allSettled(asked)
  return {
    passed: settled.filter(({ status }) => status === 'fulfilled').length,
    refused: settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
  }
}

describe('the general limits', () => {
  test('let so many requests of each through, and say what is left and when it begins anew', async () => {
    const limits = openLimits(world.db.as('traxx').system, { settings: { account: 3 } })
    expect(await limits.count('account', 1)).toMatchObject({ limit: 3, remaining: 2, resetSeconds: 60 })
    expect(await limits.count('account', 1, 2)).toMatchObject({ remaining: 0 })
    await expect(limits.count('account', 1)).rejects.toMatchObject({
      key: 'TOO_MANY_REQUESTS',
      message: expect.stringMatching(/^Too many requests\. Please try again in (1 minute|\d\d seconds)$/),
      wait: { limit: 3, seconds: expect.any(Number) },
    })
    expect(await limits.count('account', 2)).toMatchObject({ remaining: 2 })
  })
})

describe('the shared limits', () => {
  test('hold exactly over three processes, and are told of once', async () => {
    const met: Met[] = []
    const onMet = (one: Met) => void met.push(one)
    const three = [1, 2, 3].map(() => openLimits(world.db.as('traxx').system, { settings: { exports: 50 }, onMet }))
    const asked = Array.from({ length: 80 }, () => three.map((limits) => limits.take('exports', 7))).flat()
    const { passed, refused } = await outcomes(asked)
    expect(passed).toBe(50)
    expect(refused).toHaveLength(190)
    for (const refusal of refused) expect(refusal).toMatchObject({ key: 'TOO_MANY_REQUESTS', wait: { limit: 50 } })
    expect(met).toEqual([{ limit: 'exports', who: 7 }])
    expect((await outcomes(three.map((limits) => limits.take('exports', 8)))).passed).toBe(3)
  })

  test('ask the database no more for whoever is refused until their time is over', async () => {
    const limits = openLimits(world.db.as('traxx').system, { settings: { wrongCredentials: 1 } })
    await limits.take('wrongCredentials', '192.0.2.1')
    expect(limits.isMet('wrongCredentials', '192.0.2.1')).toBe(false)
    await outcomes([limits.take('wrongCredentials', '192.0.2.1')])
    expect(limits.isMet('wrongCredentials', '192.0.2.1')).toBe(true)
    const count = async () => (await world.db.system.query('select points from rate_limits')).rows
    const before = await count()
    await outcomes(Array.from({ length: 20 }, () => limits.take('wrongCredentials', '192.0.2.1')))
    expect(await count()).toEqual(before)
  })

  test('are counted by each process alone while the database does not answer', async () => {
    const nobody = openPool({ host: '127.0.0.1', port: 9, max: 1 })
    const limits = openLimits(nobody, { settings: { imports: 5 } })
    const { passed, refused } = await outcomes(Array.from({ length: 8 }, () => limits.take('imports', 1)))
    expect(passed).toBe(5)
    for (const refusal of refused) expect(refusal).toMatchObject({ key: 'TOO_MANY_REQUESTS' })
    await nobody.end()
  })
})

describe('heavy work at once', () => {
  const full = { key: 'TOO_MANY_AT_ONCE', code: 'TOO_MANY_REQUESTS', wait: { seconds: 5 } }
  const begin = useHeavyWork()
  const held = async () => (await world.db.system.query(`select from rate_limits where key ~ 'AtOnce'`)).rowCount

  test('is so much of an account, and another has its own', async () => {
    const limits = openLimits(world.db.as('traxx').system)
    const end = await begin(limits, 'exports', 1)
    await begin(limits, 'exports', 1)
    await expect(begin(limits, 'exports', 1)).rejects.toMatchObject(full)
    await begin(limits, 'exports', 2)
    await begin(limits, 'previews', 1)
    end()
    await begin(limits, 'exports', 1)
    await expect(begin(limits, 'exports', 1)).rejects.toMatchObject(full)
  })

  test('that is refused is reported once a minute for each kind and account', async () => {
    const met: Met[] = []
    const limits = openLimits(world.db.as('traxx').system, { onMet: (one) => void met.push(one) })
    for (const accountId of [1, 1, 2, 2]) await begin(limits, 'exports', accountId)
    await begin(limits, 'archives', 1)
    expect(met).toEqual([])
    for (const accountId of [1, 2, 1]) await expect(begin(limits, 'exports', accountId)).rejects.toMatchObject(full)
    await expect(begin(limits, 'archives', 1)).rejects.toMatchObject(full)
    expect(met).toEqual([
      { limit: 'exportsAtOnce', who: 1 },
      { limit: 'exportsAtOnce', who: 2 },
      { limit: 'archivesAtOnce', who: 1 },
    ])
    const later = performance.now() + 60_001
    vi.spyOn(performance, 'now').mockImplementation(() => later)
    await expect(begin(limits, 'exports', 1)).rejects.toMatchObject(full)
    expect(met.slice(3)).toEqual([{ limit: 'exportsAtOnce', who: 1 }])
  })

  test('is counted over all processes, exactly also where they ask together', async () => {
    const three = [1, 2, 3].map(() => openLimits(world.db.as('traxx').system))
    const asked = three.flatMap((limits) => [begin(limits, 'previews', 1), begin(limits, 'previews', 1)])
    const { passed, refused } = await outcomes(asked)
    expect(passed).toBe(4)
    for (const refusal of refused) expect(refusal).toMatchObject(full)
    const ends = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (const end of ends) end()
    await expect.poll(held).toBe(0)
  })

  test('of a process that died leaves its slots to others when its lease is over', async () => {
    const [died, alive] = [openLimits(world.db.as('traxx').system), openLimits(world.db.as('traxx').system)]
    const end = await begin(died, 'exports', 1)
    await begin(died, 'exports', 1)
    await expect(begin(alive, 'exports', 1)).rejects.toMatchObject(full)
    await world.db.system.query('update rate_limits set expire = 0')
    await begin(alive, 'exports', 1)
    await begin(alive, 'exports', 1)
    // What only seemed dead does not release the slots of others.
    end()
    await expect(begin(openLimits(world.db.as('traxx').system), 'exports', 1)).rejects.toMatchObject(full)
  })

  test('is counted by each process alone while the database does not answer', async () => {
    const nobody = openPool({ host: '127.0.0.1', port: 9, max: 1 })
    const limits = openLimits(nobody)
    const end = await begin(limits, 'exports', 1)
    await begin(limits, 'exports', 1)
    await expect(begin(limits, 'exports', 1)).rejects.toMatchObject(full)
    end()
    await begin(limits, 'exports', 1)
    await nobody.end()
  })

  test('that is refused for this hour leaves its slot to the next', async () => {
    const limits = openLimits(world.db.as('traxx').system, { settings: { previews: 1 } })
    const end = await begin(limits, 'previews', 1)
    end()
    for (let asked = 0; asked < 6; asked += 1) {
      await expect(begin(limits, 'previews', 1)).rejects.toMatchObject({ key: 'TOO_MANY_REQUESTS' })
    }
    await expect.poll(held).toBe(0)
  })
})

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [3599, '60 minutes'],
  [3600, '1 hour'],
  [3601, '2 hours'],
  [172_800, '48 hours'],
  [172_801, '3 days'],
  [2_592_000, '30 days'],
])('%i seconds are said as %s', (seconds, text) => {
  expect(waitText(seconds)).toBe(text)
})
