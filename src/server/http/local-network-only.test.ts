import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { useFullServer } from '#support/full-server.ts'
import { refuseOtherNetworks } from './local-network-only.ts'

const full = useFullServer()
const REFUSED = { error: expect.stringContaining('NODE_ENV=production'), refusal: 'OUTSIDE_NETWORK_REFUSED' }

function ask(remoteAddress: string, headers: Record<string, string> = {}, trustProxy: string | false = false) {
  const app = Fastify({ trustProxy })
  refuseOtherNetworks(app)
  app.get('/', async () => 'here')
  return app.inject({ url: '/', remoteAddress, headers })
}

test.each([
  '127.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '192.168.1.7',
  '::ffff:172.17.0.1',
  '10.1.2.3',
  'fe80::1',
  'fd00::7',
])('a request from %s, which is this machine or its network, is answered', async (address) => {
  expect((await ask(address)).body).toBe('here')
})

test.each(['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', '172.32.0.1', '192.169.0.1'])(
  'a request from %s, which is anywhere, is refused',
  async (address) => {
    const answer = await ask(address)
    expect({ status: answer.statusCode, body: answer.json() }).toEqual({ status: 403, body: REFUSED })
  },
)

test.each([
  'x-forwarded-for',
  'x-forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'via',
  'cdn-loop',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
])('a proxy that is not trusted, and says %s, may speak for a stranger', async (name) => {
  expect((await ask('127.0.0.1', { [name]: '192.168.1.7' })).statusCode).toBe(403)
  expect((await ask('127.0.0.1', { [name]: '192.168.1.7' }, '10.0.0.1')).statusCode).toBe(403)
})

test('a trusted proxy says who asks', async () => {
  const from = (visitor: string) => ask('127.0.0.1', { 'x-forwarded-for': visitor }, '127.0.0.1')
  expect((await from('192.168.1.7')).body).toBe('here')
  expect((await from('203.0.113.9')).statusCode).toBe(403)
})

test('a server with stand-ins shows strangers neither its mailbox, nor its sign-in, nor anything else', async () => {
  for (const url of [
    '/dev/mailbox',
    '/__clerk/v1/environment',
    '/debug',
    '/',
    '/customers',
    '/assets/x.js',
    '/nowhere',
  ]) {
    const answer = await full.server.app.inject({ url, remoteAddress: '203.0.113.9' })
    expect({ url, status: answer.statusCode }).toEqual({ url, status: 403 })
    const near = await full.server.app.inject({ url, remoteAddress: '192.168.1.7' })
    expect({ url, isRefused: near.statusCode === 403 }).toEqual({ url, isRefused: false })
  }
  expect((await full.server.app.inject({ url: '/dev/mailbox', remoteAddress: '192.168.1.7' })).statusCode).toBe(200)
  const foreign = { url: '/__clerk/v1/environment', headers: { host: 'evil.example' } }
  expect((await full.server.app.inject(foreign)).statusCode).toBe(400)
})
