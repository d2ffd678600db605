import { expect, test } from 'vitest'
import { hourlyLimit } from './hourly-limit.ts'

const at = (minutes: number) => new Date(minutes * 60_000)

test('each sender passes so often in an hour, whatever the others do', () => {
  const mayPass = hourlyLimit({ each: 2, all: 10 })
  expect([0, 1, 2].map((minute) => mayPass('10.0.0.1', at(minute)))).toEqual([true, true, false])
  expect(mayPass('10.0.0.2', at(3))).toBe(true)
})

test('what is an hour ago no longer counts, and what did not pass never did', () => {
  const mayPass = hourlyLimit({ each: 1, all: 10 })
  expect([0, 30, 59, 60].map((minute) => mayPass('10.0.0.1', at(minute)))).toEqual([true, false, false, true])
})

test('all senders together pass so often', () => {
  const mayPass = hourlyLimit({ each: 5, all: 3 })
  const senders = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4']
  expect(senders.map((sender) => mayPass(sender, at(0)))).toEqual([true, true, true, false])
  expect(mayPass('10.0.0.4', at(60))).toBe(true)
})
