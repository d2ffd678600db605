import { expect, test } from 'vitest'
import { AWAY_MS, MOST_FAILURES, openCircuit, ServiceAway } from './circuit.ts'

/** A service that is up, away, or refuses calls, and whose clock is moved by hand. */
function aService() {
  let state: 'up' | 'away' | 'refusing' = 'up'
  let at = 0
  let asked = 0
  const circuit = openCircuit({
    service: 'The bucket',
    limitMs: 20,
    isAway: (error) => error instanceof Error && error.message === 'away',
    now: () => at,
  })
  const answer = async () => {
    asked += 1
    if (state !== 'up') throw new Error(state)
    return 'here'
  }
  return {
    circuit,
    become: (next: typeof state) => {
      state = next
    },
    pass: (ms: number) => {
      at += ms
    },
    asked: () => asked,
    ask: () => circuit.run(answer),
    fail: async (times: number) => {
      for (let time = 0; time < times; time += 1) await circuit.run(answer).catch(() => {})
    },
  }
}

test('a service that fails several times in a row is not asked until a while has passed, and then once', async () => {
  const service = aService()
  service.become('away')
  await service.fail(MOST_FAILURES)
  expect(service.circuit.isOpen()).toBe(true)
  await expect(service.ask()).rejects.toThrow(ServiceAway)
  expect(service.asked()).toBe(MOST_FAILURES)
  service.pass(AWAY_MS)
  expect(service.circuit.isOpen()).toBe(false)
  const [first, second] = await Promise.allSettled([service.ask(), service.ask()])
  expect([first, second]).toMatchObject([{ reason: { message: 'away' } }, { reason: { name: 'ServiceAway' } }])
  expect(service.asked()).toBe(MOST_FAILURES + 1)
  await expect(service.ask()).rejects.toThrow(ServiceAway)
})

test('a service that is back is asked again', async () => {
  const service = aService()
  service.become('away')
  await service.fail(MOST_FAILURES)
  service.become('up')
  service.pass(AWAY_MS)
  expect(await service.ask()).toBe('here')
  expect(service.circuit.isOpen()).toBe(false)
  expect(await service.ask()).toBe('here')
})

test('refusals, and failures between which calls succeed, change nothing', async () => {
  const service = aService()
  service.become('refusing')
  await service.fail(2 * MOST_FAILURES)
  service.become('away')
  await service.fail(MOST_FAILURES - 1)
  service.become('up')
  await service.ask()
  service.become('away')
  await service.fail(MOST_FAILURES - 1)
  expect(service.circuit.isOpen()).toBe(false)
})

test('a call without an answer ends at its limit and counts, and so do answers that say that the service is away', async () => {
  const { circuit } = aService()
  await expect(circuit.run(() => new Promise(() => {}))).rejects.toThrow('has not answered within 20 ms')
  await expect(circuit.run(() => new Promise(() => {}), { moreMs: 5 })).rejects.toThrow('within 25 ms')
  for (let time = 2; time < MOST_FAILURES; time += 1) {
    expect(circuit.isOpen()).toBe(false)
    expect(await circuit.run(async () => 503, { isFailed: (status) => status >= 500 })).toBe(503)
  }
  expect(circuit.isOpen()).toBe(true)
})
