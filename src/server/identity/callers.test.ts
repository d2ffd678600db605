import { createClerkClient } from '@clerk/fastify'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { anAccount, useWorld } from '#support/world.ts'
import { fakeServices } from '#support/services.ts'
import { openCallers } from './callers.ts'

const world = useWorld()

test('an account is remembered until it is forgotten', async () => {
  const { caller } = await anAccount(world)
  const callers = openCallers(world.db, fakeServices())
  const emailNow = async () => (await callers.find(`session:${caller?.clerkUserId}`))?.email
  const before = await emailNow()
  await world.db.system.query(`update accounts set email = 'new@example.com'`)
  expect(await emailNow()).toBe(before)
  callers.forget(caller?.clerkUserId ?? '')
  expect(await emailNow()).toBe('new@example.com')
})

test('who asks while the account is being forgotten is answered', async () => {
  const { caller } = await anAccount(world)
  const callers = openCallers(world.db, fakeServices())
  const asking = callers.find(`session:${caller?.clerkUserId}`)
  await new Promise((done) => setImmediate(done))
  callers.forget(caller?.clerkUserId ?? '')
  await expect(asking).resolves.toMatchObject({ id: caller?.id })
})

test('a token that is refused once is not remembered as refused', async () => {
  const { caller } = await anAccount(world)
  let refuses = true
  const callers = openCallers(world.db, {
    ...fakeServices(),
    verifyToken: async () => {
      if (refuses) throw new Error('no keys yet')
      return { userId: caller?.clerkUserId ?? '', expiresAt: new Date(Date.now() + 60_000) }
    },
  })
  expect(await callers.find('token')).toBeNull()
  refuses = false
  expect(await callers.find('token')).toMatchObject({ id: caller?.id })
})

/** Clerk's Backend API, as far as one person goes, whose address may change. */
async function aClerk(answer: () => { email: string; names?: object; status?: string } | undefined) {
  const app = Fastify()
  let asked = 0
  app.get('/v1/users/:id', async (_request, reply) => {
    asked += 1
    const now = answer()
    if (!now) return reply.code(503).send()
    const verification = { status: now.status ?? 'verified', strategy: 'email_code', attempts: null, expire_at: null }
    const email_addresses = [{ id: 'idn_1', email_address: now.email, linked_to: [], verification }]
    const user = { object: 'user', id: 'user_1', primary_email_address_id: 'idn_1', email_addresses, ...now.names }
    // Clerk's SDK reads JSON under exactly this name alone.
    return reply.type('application/json').serializer(JSON.stringify).send(user)
  })
  app.addHook('onSend', async (_request, reply) => void reply.header('content-type', 'application/json'))
  const apiUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  const clerk = createClerkClient({ secretKey: 'sk_test_here', apiUrl, telemetry: { disabled: true } })
  return { clerk, asked: () => asked, [Symbol.asyncDispose]: () => app.close() }
}

test('an address that was changed with the identity provider is soon that of the account', async () => {
  const { caller } = await anAccount(world)
  await using provider = await aClerk(() => ({ email: 'new@example.com' }))
  const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
  const find = () => callers.find(`session:${caller?.clerkUserId}`)
  expect((await find())?.email).toBe(caller?.email)
  await expect.poll(async () => (await find())?.email).toBe('new@example.com')
  callers.forget(caller?.clerkUserId ?? '')
  await find()
  expect(provider.asked()).toBe(1)
})

test('a name that was changed with the identity provider is soon that of the account, and spends no trial', async () => {
  const { caller } = await anAccount(world)
  await world.db.system.query(`update accounts set trial_used_at = '2026-01-01'`)
  const names = { first_name: 'Ada', last_name: 'Lovelace' }
  await using provider = await aClerk(() => ({ email: caller?.email ?? '', names }))
  const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
  const find = () => callers.find(`session:${caller?.clerkUserId}`)
  await expect.poll(async () => (await find())?.name).toBe('Ada Lovelace')
  expect(await find()).toMatchObject({ email: caller?.email })
  expect((await world.db.system.query('select from spent_trials')).rowCount).toBe(0)
})

test.each(['unverified', 'failed', 'expired'])('an address whose proof is %s gets no mail', async (status) => {
  const { caller } = await anAccount(world)
  await using provider = await aClerk(() => ({ email: 'victim@example.com', names: { first_name: 'Eve' }, status }))
  const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
  expect(await callers.find('session:user_new')).toMatchObject({ name: 'Eve', email: '' })
  const find = () => callers.find(`session:${caller?.clerkUserId}`)
  await expect.poll(find).toMatchObject({ name: 'Eve', email: caller?.email })
})

test('so is that of somebody who has no address there any more, whose last is kept', async () => {
  const { caller } = await anAccount(world)
  await using provider = await aClerk(() => ({ email: '', names: { first_name: 'Ada', last_name: 'Lovelace' } }))
  const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
  const find = () => callers.find(`session:${caller?.clerkUserId}`)
  await expect.poll(find).toMatchObject({ name: 'Ada Lovelace', email: caller?.email })
})

test('who has had a trial cannot get another by changing the address', async () => {
  const { caller } = await anAccount(world)
  await world.db.system.query(`update accounts set trial_used_at = '2026-01-01'`)
  await using provider = await aClerk(() => ({ email: 'new@example.com' }))
  const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
  await callers.find(`session:${caller?.clerkUserId}`)
  const spent = async () =>
    (await world.db.system.query('select from spent_trials where email_hash = trial_hash($1)', [caller?.email]))
      .rowCount
  await expect.poll(spent).toBe(1)
})

test('who takes over an address gets no second trial, though nobody has asked yet who gave it up', async () => {
  const { caller } = await anAccount(world)
  await world.db.system.query(`update accounts set trial_used_at = '2026-01-01'`)
  await using provider = await aClerk(() => ({ email: caller?.email.toUpperCase() ?? '' }))
  await openCallers(world.db, { ...fakeServices(), clerk: provider.clerk }).find('session:user_new')
  const { rows } = await world.db.system.query(
    `select trial_used_at is not null as "trialUsed" from accounts where clerk_user_id = 'user_new'`,
  )
  expect(rows).toEqual([{ trialUsed: true }])
})

test('an identity provider that fails keeps nobody out, and is asked again', async () => {
  const { caller } = await anAccount(world)
  let isUp = false
  await using provider = await aClerk(() => (isUp ? { email: 'new@example.com' } : undefined))
  const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
  const find = async () => {
    callers.forget(caller?.clerkUserId ?? '')
    return callers.find(`session:${caller?.clerkUserId}`)
  }
  expect(await find()).toMatchObject({ email: caller?.email })
  await expect.poll(provider.asked).toBeGreaterThan(0)
  isUp = true
  await expect.poll(async () => (await find())?.email).toBe('new@example.com')
})
