import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { refuseOtherHosts } from './host-check.ts'

function answering(host: string) {
  const app = Fastify()
  refuseOtherHosts(app, ['https://tunnel.example', 'http://localhost:3000'])
  app.get('/', async () => 'here')
  return app.inject({ url: '/', headers: { host } })
}

test.each(['localhost:3000', 'LOCALHOST', 'tunnel.example', '127.0.0.1:3000', '192.168.1.7', '[::1]:3000'])(
  'a request for %s is answered',
  async (host) => {
    expect((await answering(host)).body).toBe('here')
  },
)

test.each(['evil.example', 'localhost.evil.example:3000', '127.0.0.1.evil.example', 'tunnel.example.', '%%', 'a b'])(
  'a request for %s, which may only lead here, is refused',
  async (host) => {
    const answer = await answering(host)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ error: expect.stringContaining('PUBLIC_URL'), refusal: 'HOST_UNKNOWN' })
  },
)
