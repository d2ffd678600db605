import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { requireAccount } from '#server/context.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { doneOrWaiting, holdStatement } from '#support/held-rows.ts'
import { fakeServices } from '#support/services.ts'
import { anAccount, requestOf, useWorld } from '#support/world.ts'
import { adoptTimeZone, getAccount, setTimeZone } from './accounts.service.ts'

const world = useWorld()
const server = useApp(world)

test('today follows the time zone from the next request on', async () => {
  const services = fakeServices({ now: () => new Date('2026-03-10T23:30:00Z') })
  const request = await anAccount(world, { timeZone: 'America/New_York', services })
  const account = requireAccount(request)
  expect(account.today).toBe('2026-03-10')
  await setTimeZone(account, { timeZone: 'Asia/Tokyo' })
  const token = `session:${account.caller.clerkUserId}`
  const caller = await request.callers.find(token)
  expect(requireAccount({ ...request, caller }).today).toBe('2026-03-11')
})

test('a time zone that the database does not know is refused, or let go where nobody chose it', async () => {
  const account = requireAccount(await anAccount(world, { timeZone: 'UTC' }))
  await expect(setTimeZone(account, { timeZone: 'Mars/Olympus' })).rejects.toMatchObject({ key: 'TIME_ZONE_UNKNOWN' })
  await world.db.system.query('update accounts set time_zone = null')
  await adoptTimeZone(account, { timeZone: 'IST' })
  expect(await getAccount(account)).toMatchObject({ timeZone: null })
})

test('a change of time zone plans the reminders anew', async () => {
  const request = await anAccount(world, { timeZone: 'UTC' })
  const { accountId } = requireAccount(request)
  await world.db.system.query(
    `insert into reminder_schedules (account_id, planned_through, next_plan_at) values ($1, '2026-03-10', '2030-01-01')`,
    [accountId],
  )
  await setTimeZone(requireAccount(request), { timeZone: 'Asia/Tokyo' })
  const { rows } = await world.db.system.query(
    "select next_plan_at < now() + interval '1 minute' as due from reminder_schedules",
  )
  expect(rows).toEqual([{ due: true }])
})

test('the account is read and its time zone set through REST, whatever the subscription says', async () => {
  const request = await anAccount(world, { status: null, timeZone: 'UTC' })
  const headers = bearer(request)
  const put = (timeZone: unknown) =>
    call(server, { method: 'PUT', url: '/account/time-zone', headers, payload: { timeZone } })
  expect(await put('Europe/Berlin')).toMatchObject({ status: 204 })
  expect(await call(server, { url: '/account', headers })).toMatchObject({
    status: 200,
    body: { email: request.caller?.email, timeZone: 'Europe/Berlin' },
  })
  for (const wrong of ['Mars/Olympus', '+01:00', '', undefined]) {
    expect(await put(wrong)).toMatchObject({ status: 400, body: { error: 'Choose a time zone' } })
  }
})

test('an account that no browser has opened has no time zone', async () => {
  await world.db.system.query(`insert into accounts (clerk_user_id, email) values ('user_new', 'new@example.com')`)
  const request = await requestOf(world, 'user_new')
  expect(await getAccount(requireAccount(request))).toEqual({ email: 'new@example.com', timeZone: null })
})

test('a time zone waits for nobody who adds a row to the account', async () => {
  const account = requireAccount(await anAccount(world, { timeZone: 'UTC' }))
  await world.db.writeAs(account.accountId, async (_em, write) => {
    await write(sql`insert into tags (account_id, name, key) values (${account.accountId}, 'Gold', 'gold')`)
    const work = setTimeZone(account, { timeZone: 'Asia/Tokyo' })
    expect(await doneOrWaiting(world, { write, work })).toBe('done')
    await work
  })
})

test('time zones that wait for a change of their account hold up no other account', async () => {
  const account = requireAccount(await anAccount(world, { timeZone: 'UTC' }))
  const { accountId } = account
  await world.db.system.query(
    `insert into reminder_schedules (account_id, planned_through, next_plan_at) values ($1, '2026-03-10', '2030-01-01')`,
    [accountId],
  )
  const text = 'select from reminder_schedules where account_id = $1 for update'
  await using held = await holdStatement(world, text, [accountId])
  const zones = ['Asia/Tokyo', 'Europe/Berlin', 'Asia/Kolkata', 'Africa/Cairo', 'America/Bogota']
  const waiting = Promise.allSettled(zones.map((timeZone) => setTimeZone(account, { timeZone })))
  await held.waitedFor(1)
  const others = Promise.all(zones.map(() => world.db.system.query('select 1 as one')))
  await expect(others).resolves.toMatchObject(zones.map(() => ({ rows: [{ one: 1 }] })))
  await held.release()
  // Those that waited for too long were refused.
  await waiting
})

test('as many accounts as there are connections for such waiting do not hold up one more', async () => {
  const busy = [requireAccount(await anAccount(world)), requireAccount(await anAccount(world))]
  const ids = busy.map(({ accountId }) => accountId)
  await world.db.system.query(
    `insert into reminder_schedules (account_id, planned_through, next_plan_at)
      select id, '2026-03-10', '2030-01-01' from unnest($1::int[]) id`,
    [ids],
  )
  const third = requireAccount(await anAccount(world))
  const text = 'select from reminder_schedules where account_id = any($1::int[]) for update'
  await using held = await holdStatement(world, text, [ids])
  const waiting = busy.map((account) => setTimeZone(account, { timeZone: 'Asia/Tokyo' }))
  await held.waitedFor(2)
  // Nothing else can end before the others are released, or give up.
  const given = Promise.race([Promise.all(waiting), setTimeZone(third, { timeZone: 'Asia/Tokyo' }).then(() => 'done')])
  expect(await given).toBe('done')
  await held.release()
  await Promise.allSettled(waiting)
})
