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
