import { describe, expect, test } from 'vitest'
import { bearer, call, useApp } from '#support/app.ts'
import { anAccount, useWorld } from '#support/world.ts'
import { isCostlyJson } from '#shared/costly-json.ts'

const world = useWorld()
const server = useApp(world)

const DEEP = `{"name":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
const OBJECTS = `{"name":[${Array.from({ length: 300_000 }, () => '{}').join()}]}`
const FIELDS = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1])))
const COSTLY = [
  ['very deep', DEEP],
  ['of very many objects', OBJECTS],
  ['of very many fields', FIELDS],
] as const

describe.each(COSTLY)('a body that is %s', (_what, payload) => {
  test('is refused before it is parsed', async () => {
    const headers = { ...bearer(await anAccount(world)), 'content-type': 'application/json' }
    for (const url of ['/customers', '/trpc/customers.create', '/mail/webhook']) {
      expect(await call(server, { method: 'POST', url, headers, payload })).toMatchObject({
        status: 413,
        body: { error: 'The request is larger than the server accepts', refusal: 'BODY_TOO_LARGE' },
      })
    }
  })
})

test('a refusal does not repeat all that was sent', async () => {
  const headers = bearer(await anAccount(world))
  const search = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown${index}`, 1]))
  const { status, body } = await call(server, {
    method: 'POST',
    url: '/views',
    headers,
    payload: { name: 'x', search },
  })
  expect(status).toBe(400)
  expect(JSON.stringify(body).length).toBeLessThan(2000)
})

test('a mail event without a body is refused as one that nobody signed', async () => {
  expect(await call(server, { method: 'POST', url: '/mail/webhook' })).toMatchObject({
    status: 400,
    body: { refusal: 'WEBHOOK_UNSIGNED' },
  })
})

test('a report of the mail provider has at most 100 kB', async () => {
  const payload = { signature: 'x'.repeat(100_000) }
  expect(await call(server, { method: 'POST', url: '/mail/webhook', payload })).toMatchObject({ status: 413 })
})

test.each([
  ['fields of text with brackets', JSON.stringify({ name: '[{"'.repeat(50_000), note: '\\"[' })],
  ['a hundred thousand ids', JSON.stringify({ ids: Array.from({ length: 100_000 }, (_, id) => id) })],
  ['what is not JSON', ']]]]'],
])('%s cost little', (_what, json) => {
  expect(isCostlyJson(json)).toBe(false)
})
