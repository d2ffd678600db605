import type { FastifyPluginAsync } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { bearer, useApp } from '#support/app.ts'
import { anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const lines: string[] = []
const logTo = { write: (line: string) => void lines.push(line) }
const broken: FastifyPluginAsync = async (app) => {
  app.get('/broken', async () => {
    throw new Error('duplicate key (email)=(ann@harbor.test)')
  })
}
const server = useApp(world, {}, { logTo, plugins: [broken] })

beforeAll(() => void (server.app.log.level = 'info'))

async function loggedOf(url: string, method: 'GET' | 'POST' = 'GET'): Promise<unknown> {
  const headers = bearer(await anAccount(world))
  lines.length = 0
  await server.app.inject({ method, url, headers, remoteAddress: '203.0.113.7' })
  return lines.map((line) => JSON.parse(line)).find(({ req }) => req)?.req
}

test.each([
  ['/contracts?search=Harbor', '/contracts'],
  ['/trpc/customers.list?input=%7B%22search%22%3A%22Harbor%22%7D', '/trpc/customers.list'],
  ['/customers/7', '/customers/7'],
  ['/unsubscribe/1.m2.secret', '/unsubscribe/[token]'],
  ['/unsubscribe/1.m2.secret/undo?utm=1', '/unsubscribe/[token]/undo'],
  ['/report/1.m2.secret', '/report/[token]'],
])('of %s the log has %s', async (url, logged) => {
  expect(await loggedOf(url)).toEqual({
    method: 'GET',
    url: logged,
    host: expect.stringContaining('localhost'),
    remoteAddress: '203.0.113.7',
  })
  expect(lines.join('')).not.toMatch(/Harbor|secret|Bearer/)
})

test('a fault is logged whole, and nothing of it is answered', async () => {
  lines.length = 0
  const answer = await server.app.inject('/broken')
  expect({ status: answer.statusCode, body: answer.json() }).toEqual({
    status: 500,
    body: { error: 'Something went wrong', refusal: 'FAULT' },
  })
  const [fault] = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'fault')
  expect(fault).toMatchObject({
    level: 50,
    reqId: expect.any(String),
    err: { message: expect.stringContaining('ann@') },
  })
})
