import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { aClerk } from '#support/person-at-clerk.ts'
import { aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'
import { fakeServices } from '#support/services.ts'
import { markForDeletion } from '#server/deletion/delete-account.service.ts'
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

test('an account that may not write is looked up again, as another process may have let it pay', async () => {
  const { caller } = await anAccount(world, { status: 'canceled' })
  const callers = openCallers(world.db, fakeServices())
  const statusNow = async () => (await callers.find(`session:${caller?.clerkUserId}`))?.subscription?.status
  expect(await statusNow()).toBe('canceled')
  await world.db.system.query(`update subscriptions set status = 'active'`)
  await expect.poll(statusNow).toBe('active')
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
  await expect.poll(find).toMatchObject({ name: 'Eve', email: '' })
})

test('nor does one that the account has had from before it was asked whether it is verified', async () => {
  const { caller } = await anAccount(world)
  await using provider = await aClerk(() => ({ email: caller?.email ?? '', status: 'unverified' }))
  const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
  const find = () => callers.find(`session:${caller?.clerkUserId}`)
  await expect.poll(find).toMatchObject({ email: '' })
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

describe('an address that is verified later, or changed, brings with it what its mailbox has left', () => {
  /** An account of this mailbox, which has had its trial, whose mail is paused, and with a reader who complained. */
  async function aPast() {
    const { accountId } = requireReader(await anAccount(world))
    await world.db.system.query(
      `update accounts set email = 'ann@mill.test', trial_used_at = '2026-01-01' where id = $1`,
      [accountId],
    )
    await world.db.writeAs(accountId, async (em) => {
      await em.execute(`insert into mail_stops (account_id, stopped_at, complaints, mails) values (?, now(), 3, 40)`, [
        accountId,
      ])
      await em.execute(`insert into closed_addresses values (?, 'reader@harbor.test', 'complained', now())`, [
        accountId,
      ])
    })
    return accountId
  }

  test.each([
    { email: '', past: 'is still there' },
    { email: 'bob@mill.test', past: 'is still there' },
    { email: '', past: 'was deleted' },
  ])('from "$email", where the other account $past', async ({ email, past }) => {
    const former = await aPast()
    if (past === 'was deleted') {
      await markForDeletion(world.db.system, sql`a.id = ${former}`)
      await world.db.system.query('delete from accounts where id = $1', [former])
    }
    const request = await anAccount(world)
    const { accountId } = requireReader(request)
    await aCustomer(request, { name: 'Reader', email: 'Reader+2@harbor.test' })
    await world.db.system.query('update accounts set email = $1 where id = $2', [email, accountId])
    await using provider = await aClerk(() => ({ email: 'Ann+2@mill.test' }))
    const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
    const find = () => callers.find(`session:${request.caller?.clerkUserId}`)
    await expect.poll(find).toMatchObject({ email: 'Ann+2@mill.test' })
    const brought = await world.db.writeAs(accountId, (em) =>
      em.execute(`
        select (select trial_used_at is not null from accounts) as "trialUsed",
          (select complaints from mail_stops where lifted_at is null) as complaints,
          (select mailbox from closed_addresses) as closed`),
    )
    expect(brought).toEqual([{ trialUsed: true, complaints: 3, closed: 'reader@harbor.test' }])
    expect((await world.db.system.query('select from kept_mail_stops')).rowCount).toBe(0)
  })
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

test('an answer that is not about the person opens no account', async () => {
  await using provider = await aClerk(() => ({ email: 'ann@example.com', names: { id: undefined } }))
  const callers = openCallers(world.db, { ...fakeServices(), clerk: provider.clerk })
  await expect(callers.find('session:user_unseen')).rejects.toMatchObject({ key: 'IDENTITY_UNAVAILABLE' })
  const { rowCount } = await world.db.system.query(`select from accounts where clerk_user_id = 'user_unseen'`)
  expect(rowCount).toBe(0)
})
