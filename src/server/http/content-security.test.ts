import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { contentSecurity } from './content-security.ts'

const identity = { publishableKey: `pk_test_${Buffer.from('clerk.traxx.example$').toString('base64')}` }

test.each([
  ['https://traxx.example', false, 'max-age=31536000'],
  ['https://traxx.example', true, 'max-age=31536000; includeSubDomains'],
  ['http://localhost:3000', true, undefined],
])('at %s, with its subdomains (%s), browsers are told %s', async (origin, hstsSubdomains, told) => {
  const app = Fastify()
  contentSecurity(app, { identity, origin, hstsSubdomains, sockets: false })
  app.get('/', async () => 'ok')
  expect((await app.inject('/')).headers['strict-transport-security']).toBe(told)
})
