import { expect, test } from 'vitest'
import {
  commitUnclear,
  isLost,
  isUnavailable,
  isUnwritten,
  ofDatabase,
  unavailable,
  unreachable,
  whileUnavailable,
} from './failover.ts'

const withCode = (code: string) => Object.assign(new Error('failed'), { code })

test.each([
  ['a server that is stopped', withCode('57P01')],
  ['a server that starts', withCode('57P03')],
  ['a server without a free connection', withCode('53300')],
  ['a port on which nobody listens', withCode('ECONNREFUSED')],
  ['a socket that is gone', Object.assign(withCode('ENOENT'), { syscall: 'connect' })],
  ['a connection that was reset', withCode('ECONNRESET')],
  ['a connection that was closed', new Error('Connection terminated unexpectedly')],
  ['a host that never answers', new Error('timeout expired')],
  ['what could not be reached', unreachable(withCode('EHOSTUNREACH'))],
])('%s is lost before a commit', (_what, error) => {
  const marked = ofDatabase(error)
  expect(isLost(marked)).toBe(true)
  expect(isUnavailable(marked)).toBe(true)
})

test.each(['ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND'])('%s of another service is something else', (code) => {
  expect([isUnavailable(withCode(code)), isUnwritten(withCode(code))]).toEqual([false, false])
})

test('a write on what has become a replica is safe to repeat', () => {
  expect([isUnavailable(withCode('25006')), isUnwritten(withCode('25006'))]).toEqual([true, true])
})

test.each(['53100', 'ENOSPC'])('%s of a full disk is refused, and not repeated', (code) => {
  const error = withCode(code)
  expect([isUnavailable(error), isUnwritten(error)]).toEqual([true, false])
  expect(unavailable(error)).toMatchObject({ key: 'SERVER_FULL', wait: { seconds: 60 } })
})

test('after a commit whose answer is lost, the database is unavailable, and repeating is not safe', () => {
  const error = commitUnclear(withCode('ECONNRESET'))
  expect([isUnavailable(error), isUnwritten(error)]).toEqual([true, false])
})

test.each([
  ['a row that exists', withCode('23505')],
  ['a file that is gone', Object.assign(withCode('ENOENT'), { syscall: 'open' })],
  ['a statement that was cancelled', withCode('57014')],
  ['a pool in which no connection is free', new Error('timeout exceeded when trying to connect')],
])('%s is something else', (_what, error) => {
  expect(isUnavailable(ofDatabase(error))).toBe(false)
})

test('work is repeated only after errors after which that is safe', async () => {
  let runs = 0
  const failing = (failures: Error[]) => async () => {
    runs += 1
    const failure = failures.shift()
    if (failure) throw failure
    return 'done'
  }
  await expect(
    whileUnavailable(failing([unreachable(withCode('57P01')), unreachable(withCode('57P03'))]), isLost),
  ).resolves.toBe('done')
  expect(runs).toBe(3)
  await expect(whileUnavailable(failing([withCode('23505')]), isLost)).rejects.toMatchObject({ code: '23505' })
  expect(runs).toBe(4)
})
