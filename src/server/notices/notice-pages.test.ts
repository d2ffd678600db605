import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { NOTICE_LISTS, type NoticeList } from '#shared/schemas/notice-lists.ts'
import { ListNotices, PostNotice } from '#shared/schemas/notices.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { aContract, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { listNotices } from './notices.service.ts'
import { postNotice } from './post-notice.service.ts'

const world = useWorld()
const server = useApp(world)
const SIZES = [1, 2, 3, 7]

/** An account in which each list has some notices, several of which close on the same day. */
async function anAccountWithLists() {
  const noticed = await aNoticedContract(world, { rule: { means: ['email', 'letter'] } })
  const { request, customerId } = noticed
  const terms = { customerId, renews: 'automatic', amount: 10 } as const
  const dates = [
    '2026-04-05',
    '2026-04-06',
    '2026-04-05',
    '2026-04-05',
    '2026-04-20',
    '2026-05-30',
    '2026-05-30',
    '2026-05-30',
  ]
  // Contracts that close on one day, by turns of another cycle.
  for (const [index, renewalDate] of dates.entries())
    await aContract(request, { ...terms, renewalDate, renewalCycle: index % 2 === 0 ? 'yearly' : 'quarterly' })
  const accountId = request.caller?.id ?? 0
  await world.db.writeAs(accountId, (_em, write) =>
    write(sql`
      insert into notices (account_id, customer_id, customer_name, term_number, renewal_date, amount_cents, rule_name, means,
        first_day, last_day, derivation, posted_on, posted_at)
      select ${accountId}, ${customerId}::int, 'Harbor', i, '2026-02-20'::date, 1000, 'Ours', '{email}', '2026-01-20'::date,
        '2026-02-01'::date + i / 3, 'As recorded', case when i % 2 = 0 then '2026-01-21'::date end,
        case when i % 2 = 0 then now() end
      from generate_series(1, 11) i`),
  )
  const ctx = { ...requireReader(request), today: toDay('2026-03-10') }
  const page = (input: object) => listNotices(ctx, ListNotices.parse(input))
  return { request, page }
}

type Page = Awaited<ReturnType<typeof listNotices>>
const named = ({ rows }: Page) =>
  rows.map(({ contractId, through, renewalDate }) => `${contractId} ${through} ${renewalDate}`)

test.each(NOTICE_LISTS)('the list of those that are %s is read page by page, on and back', async (show: NoticeList) => {
  const { page } = await anAccountWithLists()
  const whole = await page({ show, limit: 100 })
  expect(whole.rows.length).toBeGreaterThan(4)
  expect(whole).toMatchObject({ more: false, total: whole.rows.length })
  for (const limit of SIZES) {
    const pages = [await page({ show, limit })]
    for (let last = pages.at(-1); last?.more; last = pages.at(-1))
      pages.push(await page({ show, limit, after: last.last }))
    expect(pages.flatMap(named)).toEqual(named(whole))
    expect(pages.map(({ total, amount }) => [total, amount])).toEqual(pages.map(() => [whole.total, whole.amount]))
    for (const [index, one] of pages.slice(1).entries()) {
      const back = await page({ show, limit, before: one.first })
      expect(named(back)).toEqual(named(pages[index] ?? whole))
      expect(back.more).toBe(index > 0)
    }
    const skipped = await page({ show, limit, skip: limit })
    expect(named(skipped)).toEqual(named(whole).slice(limit, 2 * limit))
  }
})

test('by REST a page leads to the next, and a cursor of another list is refused', async () => {
  const { request } = await anAccountWithLists()
  const headers = bearer(request)
  const first = await call(server, { url: '/notices?show=given&limit=3', headers })
  expect(first).toMatchObject({ status: 200, body: { total: 5, amount: 50 } })
  expect(first.body.rows).toHaveLength(3)
  expect(first.headers['x-total-count']).toBe('5')
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? []
  const second = await call(server, { url: next, headers })
  expect(second.body.rows).toHaveLength(2)
  expect(second.headers.link).toBeUndefined()
  const cursor = new URLSearchParams(next.split('?')[1]).get('cursor')
  for (const show of ['missed', 'due'])
    expect(await call(server, { url: `/notices?show=${show}&cursor=${cursor}`, headers })).toMatchObject({
      status: 400,
      body: { refusal: 'CURSOR_INVALID' },
    })
})

test('only those are listed of which a letter can be marked as mailed, or no longer', async () => {
  const { request, id, customerId } = await aNoticedContract(world, { rule: { means: ['letter'] } })
  const other = await aNoticedContract(world, { rule: { means: ['email'] } })
  const terms = { customerId, renews: 'automatic', renewalCycle: 'yearly', amount: 10 } as const
  const due = await aContract(request, { ...terms, renewalDate: '2026-04-06' })
  const headers = bearer(request)
  const by = (today: string) => ({ ...requireReader(request), today: toDay(today) })
  const idsOf = async (show: NoticeList, today: string, ctx = by(today)) => {
    const { rows, total } = await listNotices(ctx, ListNotices.parse({ show, letters: true }))
    expect(total).toBe(rows.length)
    return rows.map(({ contractId }) => contractId)
  }
  await asSubscriber(request, (ctx) =>
    postNotice({ ...ctx, today: toDay('2026-03-10') }, PostNotice.parse({ id, on: '2026-03-09' })),
  )
  expect(await idsOf('due', '2026-03-10')).toEqual([due.id])
  expect(await idsOf('given', '2026-03-10')).toEqual([id])
  expect(await idsOf('given', '2026-04-04')).toEqual([id])
  expect(await idsOf('given', '2026-04-05')).toEqual([])
  expect(await idsOf('due', '2026-03-10', { ...requireReader(other.request), today: toDay('2026-03-10') })).toEqual([])
  const all = await call(server, { url: '/notices?show=due', headers: bearer(other.request) })
  expect(all.body.total).toBe(1)
  const letters = await call(server, { url: '/notices?show=due&letters=true', headers: bearer(other.request) })
  expect(letters.body.total).toBe(0)
  expect(await call(server, { url: '/notices?show=given&letters=1', headers })).toMatchObject({ body: { total: 1 } })
})
