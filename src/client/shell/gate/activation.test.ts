import { expect, test } from 'vitest'
import type { Screens } from '#shared/domain/access.ts'
import { awaitActivation } from './activation.ts'

/** A server that answers in this order, and the pauses that were made between the questions. */
function aServer(...answers: (Screens | Error)[]) {
  const pauses: number[] = []
  let asked = 0
  const ask = async () => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? 'checkout'
    asked += 1
    if (answer instanceof Error) throw answer
    return answer
  }
  const pause = async (ms: number) => void pauses.push(ms)
  return { ask, pause, pauses, asked: () => asked }
}

const signal = new AbortController().signal

test('a payment that has arrived is not waited for', async () => {
  const server = aServer('app')
  await awaitActivation({ ...server, signal })
  expect(server.asked()).toBe(1)
  expect(server.pauses).toEqual([])
})

test('the subscription is asked for every 2 seconds until it opens the app', async () => {
  const server = aServer('checkout', 'checkout', 'app')
  await awaitActivation({ ...server, signal })
  expect(server.pauses).toEqual([2000, 2000])
})

test('it is asked for at most 15 times', async () => {
  const server = aServer('checkout')
  await awaitActivation({ ...server, signal })
  expect(server.asked()).toBe(15)
  expect(server.pauses).toHaveLength(14)
})

test('an answer that does not come counts as one of them', async () => {
  const server = aServer(new Error('no answer'), 'app')
  await awaitActivation({ ...server, signal })
  expect(server.asked()).toBe(2)
})

test('nobody asks any more once the visitor has gone elsewhere', async () => {
  const server = aServer('checkout')
  const leaving = new AbortController()
  await awaitActivation({ ...server, signal: leaving.signal, pause: async () => leaving.abort() })
  expect(server.asked()).toBe(1)
})
