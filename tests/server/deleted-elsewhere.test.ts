import { describe, expect, test, vi } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { openCallers } from '#server/identity/callers.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { fakeServices } from '#support/services.ts'
import { upload } from '#support/upload.ts'
import { anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const TERMS = { amount: 1, renewalCycle: 'monthly', startDate: '2026-01-01', renewalDate: '2026-02-01' }
const OWN = { enableNotifications: true, reminderDays: null, followUpDays: null, email: null, inApp: null }

/** Somebody whom this process remembers, and whose account another process has removed. */
async function removedElsewhere() {
  const request = await anAccount(world)
  expect((await call(server, { url: '/customers', headers: bearer(request) })).status).toBe(200)
  await world.db.system.query('delete from accounts where id = $1', [request.caller?.id])
  return request
}

describe('an account that another process has deleted is nobody for a write', () => {
  test.each([
    ['POST', '/customers', { name: 'Acme' }, 401],
    ['POST', '/contracts', { customerId: 1, status: 'active', ...TERMS }, 404],
    ['POST', '/imports/sample', undefined, 401],
    ['POST', '/api-keys', { name: 'Script' }, 401],
    ['PUT', '/account/time-zone', { timeZone: 'Asia/Tokyo' }, 204],
    ['PUT', '/notifications/settings', { ...DEFAULT_SETTINGS, hour: 17 }, 401],
    ['PUT', '/notifications/texts/reminder', { subject: 'Hello', body: 'Hello' }, 401],
    ['PUT', '/contracts/1/reminders', OWN, 404],
    ['PUT', '/customers/1', { name: 'Acme' }, 404],
    ['PUT', '/contracts/1', TERMS, 404],
  ] as const)('%s %s', async (method, url, payload, expected) => {
    const headers = bearer(await removedElsewhere())
    const { status } = await call(server, { method, url, headers, ...(payload && { payload }) })
    expect(status).toBe(expected)
  })

  test('an import is refused before anything is written', async () => {
    const request = await removedElsewhere()
    const answer = await upload(server, request, { url: '/customers/bulk-upload', content: 'Name\nAcme\n' })
    expect(answer).toMatchObject({ status: 401, body: { error: 'You are not logged in' } })
  })
})

test('within five seconds neither a session nor a key of such an account opens anything', async () => {
  const request = await anAccount(world)
  const { userId, find } = await rememberedElsewhere(request)
  expect(await find()).toMatchObject([{ id: request.caller?.id }, { id: request.caller?.id }])
  await world.db.system.query('delete from accounts')
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 5001)
  // With a new account of the same person: somebody signed in, who has nothing of what there was.
  await world.db.system.query(`insert into accounts (clerk_user_id, email) values ($1, 'new@example.com')`, [userId])
  const subscription = null
  await expect.poll(find).toMatchObject([null, { email: 'new@example.com', subscription }])
  clock.mockRestore()
})

/** What another process would know of a key and a session of this account. */
async function rememberedElsewhere(request: RequestContext) {
  const userId = request.caller?.clerkUserId ?? ''
  const key = await anApiKey(request)
  const callers = openCallers(world.db, fakeServices())
  return { userId, find: () => Promise.all([key, `session:${userId}`].map((token) => callers.find(token))) }
}
