import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { logFormat, requestIds } from './log-format.ts'

function logged(write: (log: ReturnType<typeof Fastify>['log']) => void): Record<string, unknown> {
  const lines: string[] = []
  write(Fastify({ logger: logFormat({ level: 'info', to: { write: (line) => void lines.push(line) } }) }).log)
  expect(lines).toHaveLength(1)
  return JSON.parse(lines[0] ?? '')
}

test('an error has its code and place, and no value that a database or a mail server quotes', () => {
  const value = Object.assign(new Error('invalid input syntax for type date: "Ada"'), { code: '22007', detail: 'Ada' })
  const refused = new Error('550 <ada@example.com> does not exist', { cause: value })
  const line = logged((log) =>
    log.warn({ err: refused, answer: 'no mailbox ada@example.com' }, 'a reminder was not sent'),
  )
  expect(line).toMatchObject({
    err: {
      type: 'Error',
      message: '550 <<email>> does not exist',
      stack: expect.stringContaining('log-format.test.ts'),
      cause: { code: '22007', message: 'a value that the database cannot store' },
    },
    answer: 'no mailbox <email>',
  })
  expect(JSON.stringify(line)).not.toMatch(/ada/i)
})

test('what is thrown and is no error is logged as well', () => {
  expect(logged((log) => log.warn({ err: 'ada@example.com' }, 'odd'))).toMatchObject({ err: { message: '<email>' } })
})

test('a request is its method and route, without address, search or token', async () => {
  const lines: string[] = []
  const app = Fastify({ logger: logFormat({ level: 'info', to: { write: (line) => void lines.push(line) } }) })
  app.get('/unsubscribe/:token', () => 'done')
  await app.inject({ url: '/unsubscribe/secret?search=lovelace', remoteAddress: '203.0.113.9' })
  const requests = lines.map((line): unknown => Reflect.get(JSON.parse(line), 'req'))
  expect(requests).toContainEqual({ method: 'GET', route: '/unsubscribe/:token' })
  expect(lines.join('')).not.toMatch(/secret|lovelace|203\.0/)
})

test.each([
  ['from-proxy_1', true, 'from-proxy_1'],
  ['from-proxy_1', false, expect.stringMatching(/^[\da-f-]{36}$/)],
  ['forged "line"', true, expect.stringMatching(/^[\da-f-]{36}$/)],
])('the ID %j, where proxies are trusted: %j, becomes %j', async (given, isTrusted, expected) => {
  const app = Fastify({ genReqId: requestIds(isTrusted) })
  app.get('/', ({ id }) => ({ id }))
  const answer = await app.inject({ url: '/', headers: { 'x-request-id': given } })
  expect(answer.json()).toEqual({ id: expected })
})
