import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyPluginAsync } from 'fastify'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useApp } from '#support/app.ts'
import { useWorld } from '#support/world.ts'

const ASKED = 'GET /test/held HTTP/1.1\r\nHost: a\r\n\r\n'
const LAST = ASKED.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
const MOST = 20

const held = { begun: 0, underWay: 0, mostUnderWay: 0, ready: Promise.withResolvers<void>() }
const context = new AsyncLocalStorage<number>()
const plugin: FastifyPluginAsync = async (app) => {
  app.get('/test/context', async () => `of request ${context.getStore()}`)
  app.get('/test/held', async () => {
    held.begun += 1
    held.underWay += 1
    held.mostUnderWay = Math.max(held.underWay, held.mostUnderWay)
    await held.ready.promise
    held.underWay -= 1
    return 'held'
  })
}
const server = useApp(useWorld(), {}, { plugins: [plugin] })
let port = 0

beforeAll(async () => {
  port = Number(new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
beforeEach(() => {
  Object.assign(held, { begun: 0, underWay: 0, mostUnderWay: 0 })
  held.ready = Promise.withResolvers()
})

test('a connection that asks for very much before it has its answers is closed', async () => {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(ASKED.repeat(1000) + LAST)
  const closed = new Promise((resolve) => socket.resume().once('close', resolve))
  held.ready.resolve()
  await closed
  expect(held.begun).toBeGreaterThan(0)
  expect(held.begun).toBeLessThan(2 * MOST)
})

test('a connection that asks for a few things at once gets all of them, one after the other', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(ASKED.repeat(MOST - 1) + LAST)
  held.ready.resolve()
  expect((await text(socket)).match(/held/g)).toHaveLength(MOST)
  expect(held.mostUnderWay).toBe(1)
})

test('a request that waited for another is carried out in its own context', async () => {
  let count = 0
  server.app.server.prependListener('request', () => context.enterWith((count += 1)))
  const socket = connect(port, '127.0.0.1')
  socket.write(`${ASKED}${LAST}`.replaceAll('held', 'context'))
  expect((await text(socket)).match(/of request \d/g)).toEqual(['of request 1', 'of request 2'])
})

test('a connection may ask for any number of things one after the other', async () => {
  held.ready.resolve()
  const socket = connect(port, '127.0.0.1')
  for (let count = 0; count < 3 * MOST; count += 1) {
    socket.write(ASKED)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/held$/)
  }
  socket.destroy()
})
