import pg from 'pg'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { toDay } from '#shared/domain/day.ts'
import { requireReader } from '#server/context.ts'
import type { Database, WriteEach } from '#server/db/database.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { planAccounts } from '#server/reminders/plan-reminders.ts'
import { holdStatement } from '#support/held-rows.ts'
import { lostConnection, noMailServer } from '#support/mailbox.ts'
import { aNoticedAccount } from '#support/noticed-contract.ts'
import { notificationsOf } from '#support/notifications.ts'
import { asSubscriber, useWorld } from '#support/world.ts'
import { mailNoticeWarnings } from './mail-notice-warnings.ts'
import { listNotices } from './notices.service.ts'
import { postNotice } from './post-notice.service.ts'

const world = useWorld()
const LETTER = { means: ['letter'] }

const anAccountWithMore = (changes: object = {}) => aNoticedAccount(world, { rule: LETTER, ...changes })

test('an email that may have been sent is tried again within the hour when a window closes within two days', async () => {
  const { warnedOn, fail, tried } = await anAccountWithMore()
  await warnedOn('2026-03-18')
  const before = tried.length
  fail(lostConnection())
  expect(await warnedOn('2026-03-19', '20:00')).toEqual([])
  fail()
  expect(await warnedOn('2026-03-19', '20:59')).toEqual([])
  expect(await warnedOn('2026-03-19', '21:00')).toHaveLength(1)
  expect(await warnedOn('2026-03-20')).toEqual([])
  const [messageId, again, ...others] = tried.slice(before).filter((one) => one.includes('notice-warnings'))
  expect(again).toBe(messageId)
  expect(others).toEqual([])
})

test('an email that may have been sent is sent again as it was, and what comes meanwhile is in another, a day later', async () => {
  const { warnedOn, fail, add, tried, sent } = await anAccountWithMore()
  await warnedOn('2026-03-13')
  const before = tried.length
  fail(lostConnection())
  expect(await warnedOn('2026-03-14')).toEqual([])
  fail()
  await add('Mill', '2026-04-04')
  expect(await warnedOn('2026-03-14', '13:00')).toEqual([])
  expect(await warnedOn('2026-03-14', '18:00')).toMatchObject([
    { subject: expect.stringMatching(/^Harbor has not been told yet/) },
  ])
  expect(await warnedOn('2026-03-14', '18:01')).toEqual([])
  expect(await warnedOn('2026-03-15')).toMatchObject([
    { subject: expect.stringMatching(/^Mill has not been told yet/) },
  ])
  const [first, again, other, ...none] = tried.slice(before).filter((one) => one.includes('notice-warnings'))
  expect(none).toEqual([])
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  expect(sent().filter(({ text }) => text.includes('Harbor'))).toHaveLength(1)
  expect(sent().filter(({ text }) => text.includes('Mill'))).toHaveLength(1)
})

test('what was certainly not sent is in one email with what comes meanwhile', async () => {
  const { warnedOn, fail, add } = await anAccountWithMore()
  await warnedOn('2026-03-13')
  fail(noMailServer())
  expect(await warnedOn('2026-03-14')).toEqual([])
  fail()
  await add('Mill', '2026-04-04')
  expect(await warnedOn('2026-03-14', '13:00')).toMatchObject([
    { subject: expect.stringMatching(/^2 customers/), text: expect.stringMatching(/Mill.*\nHarbor/) },
  ])
})

test('an email that may have been sent counts for its day also where notice was given before it could be sent again', async () => {
  const { warnedOn, fail, add, request, id } = await anAccountWithMore()
  await warnedOn('2026-03-13')
  fail(lostConnection())
  expect(await warnedOn('2026-03-14')).toEqual([])
  fail()
  await asSubscriber(request, (ctx) =>
    postNotice(ctx, { id, on: toDay('2026-03-14'), mailNumber: null, delivery: null }),
  )
  await add('Mill', '2026-04-04')
  expect(await warnedOn('2026-03-14', '18:00')).toEqual([])
  expect(await warnedOn('2026-03-14', '18:01')).toEqual([])
  expect(await warnedOn('2026-03-15')).toMatchObject([
    { subject: expect.stringMatching(/^Mill has not been told yet/) },
  ])
})

test('an email counts for its day also where its windows are gone afterward, as none is due of the contract any more', async () => {
  const { warnedOn, add, request, id, sent } = await anAccountWithMore()
  await warnedOn('2026-03-13')
  expect(await warnedOn('2026-03-14')).toMatchObject([
    { subject: expect.stringMatching(/^Harbor has not been told yet/) },
  ])
  await asSubscriber(request, (ctx) => updateContract(ctx, { id, renews: 'by_agreement' }))
  await add('Mill', '2026-04-04')
  expect(await warnedOn('2026-03-14', '18:00')).toEqual([])
  expect(await warnedOn('2026-03-15')).toMatchObject([
    { subject: expect.stringMatching(/^Mill has not been told yet/) },
  ])
  expect(sent()).toHaveLength(2)
})

test('an email of a version that kept its day with the windows alone counts for it', async () => {
  const { warnedOn, add } = await anAccountWithMore()
  await warnedOn('2026-03-13')
  expect(await warnedOn('2026-03-14')).toHaveLength(1)
  await world.db.system.query('update reminder_schedules set owner_emailed_on = null')
  await add('Mill', '2026-04-04')
  expect(await warnedOn('2026-03-14', '18:00')).toEqual([])
})

test('an email counts for its day also where one was sent while the clock was ahead', async () => {
  const { warnedOn, add, request } = await anAccountWithMore()
  await warnedOn('2026-03-13')
  expect(await warnedOn('2026-03-14')).toHaveLength(1)
  await asSubscriber(request, ({ write }) => write(sql`update notices set owner_emailed_on = '2026-06-01'`))
  await add('Mill', '2026-04-04')
  expect(await warnedOn('2026-03-14', '18:00')).toEqual([])
  expect(await warnedOn('2026-03-15')).toMatchObject([
    { subject: expect.stringMatching(/^Mill has not been told yet/) },
  ])
})

test('an email that waits for planning has locked none of the windows that planning may want', async () => {
  const { warnedOn, fail, ctx, sent } = await anAccountWithMore()
  await warnedOn('2026-03-13')
  fail(noMailServer())
  expect(await warnedOn('2026-03-14')).toEqual([])
  fail()
  await using planning = await holdStatement(world, 'select from reminder_schedules for update')
  const now = () => new Date('2026-03-14T18:00:00Z')
  const mailing = mailNoticeWarnings({ ...ctx, services: { ...ctx.services, now } })
  await planning.waitedFor(1)
  await planning.holder.query('select from notices for update nowait')
  await planning.release()
  await mailing
  expect(sent()).toHaveLength(1)
})

// The window of a rule of so many days closes on March 21.
test.each([
  { days: 7, warned: ['15', '19'] },
  { days: 5, warned: ['17', '19'] },
  { days: 4, warned: ['18', '19'] },
  { days: 3, warned: ['19'] },
  { days: 2, warned: ['20'] },
  { days: 1, warned: ['21'] },
])('a window of $days days is warned of on March $warned', async ({ days, warned }) => {
  const { warnedOn } = await anAccountWithMore({ rule: { ...LETTER, from: 15 + days - 1 } })
  const found: string[] = []
  for (let day = 13; day <= 22; day += 1) if ((await warnedOn(`2026-03-${day}`)).length > 0) found.push(String(day))
  expect(found).toEqual(warned)
})

const MOST_AT_ONCE = 1000

/** As PostgreSQL does by itself soon after many rows were added. */
async function analyze() {
  const owner = new pg.Client(world.connection)
  await owner.connect()
  await owner.query('analyze')
  await owner.end()
}

/** Remembers the most rows that a statement of the database has returned. */
function watched(db: Database) {
  const most = { rows: 0 }
  const seen = <Rows extends readonly unknown[]>(rows: Rows): Rows => {
    most.rows = Math.max(most.rows, rows.length)
    return rows
  }
  const watching = new Proxy(db, {
    get(target, name, receiver) {
      if (name === 'writeTogether')
        return (work: (write: WriteEach) => Promise<unknown>) =>
          target.writeTogether((write) =>
            work(async (asked: Parameters<WriteEach>[0], row?: z.ZodType) => {
              const found = row ? await write(asked, row) : await write(asked)
              found.forEach(seen)
              return found
            }),
          )
      if (name === 'readAs')
        return (accountId: number) => {
          const read = target.readAs(accountId)
          return async (...asked: Parameters<typeof read>) => seen(await read(...asked))
        }
      return Reflect.get(target, name, receiver)
    },
  })
  return { db: watching, most }
}

test('of very many windows at once the owner is told once, and they are read in pieces', async () => {
  const { request, customerId, id, ctx, sent, warnedOn } = await anAccountWithMore({
    rule: { means: ['email', 'letter'] },
  })
  await warnedOn('2026-03-13')
  const accountId = request.caller?.id ?? 0
  await world.db.writeAs(accountId, (em) =>
    em.execute(
      `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status, renews)
      select account_id, ${customerId}, amount_cents, start_date, renewal_cycle, renewal_date, status, renews
      from contracts, generate_series(1, 1200) where id = ?`,
      [id],
    ),
  )
  await world.db.writeAs(accountId, (em) =>
    em.execute('update customers set email = null where account_id = ?', [accountId]),
  )
  ctx.services.now = () => new Date('2026-03-14T12:00:00Z')
  const { db, most } = watched(ctx.db)
  await analyze()
  await planAccounts({ ...ctx, db }, [accountId])
  await analyze()
  await mailNoticeWarnings({ ...ctx, db })
  expect(sent()).toMatchObject([
    {
      subject: expect.stringMatching(/^1,201 customers have not been told yet/),
      text: expect.stringMatching(/And 1,151 more\./),
    },
  ])
  expect((await notificationsOf(request)).filter(({ title }) => title.includes('told yet'))).toMatchObject([
    { title: '1,201 customers have not been told yet' },
  ])
  const reader = requireReader(request)
  const page = await listNotices({ ...reader, read: db.readAs(accountId) }, { show: 'due', limit: 100, skip: 300 })
  expect(page).toMatchObject({ total: 1201, rows: { length: 100 } })
  expect(most.rows).toBeLessThanOrEqual(MOST_AT_ONCE)
  await mailNoticeWarnings(ctx)
  expect(sent()).toHaveLength(1)
})
