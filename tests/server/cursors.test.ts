import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ListContracts, ListCustomers } from '#shared/schemas/filters.ts'
import type { RequestContext } from '#server/context.ts'
import { appRouter } from '#server/routers/index.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

const CONTRACT_SORTS: NonNullable<ListContracts['sort']>[] = [
  'added',
  'amount',
  'startDate',
  'renewalDate',
  'openFirst',
]
const CUSTOMER_SORTS: ListCustomers['sort'][] = ['name', 'phone', 'customerNumber', 'createdAt']
const DIRECTIONS = ['asc', 'desc'] as const

/** Every list that has pages, in every order that it can be asked for in. */
const ORDERS = [
  ...CONTRACT_SORTS.flatMap((sort) => DIRECTIONS.map((direction) => `/contracts?sort=${sort}&direction=${direction}`)),
  ...CUSTOMER_SORTS.flatMap((sort) => DIRECTIONS.map((direction) => `/customers?sort=${sort}&direction=${direction}`)),
  '/notifications?',
  '/reminders?',
  '/reminders/coming?',
  '/imports?',
]

/** An account that has two rows of each list. */
async function aFullAccount(): Promise<RequestContext> {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request, { email: 'office@acme.test' })
  await aCustomer(request, { name: 'Other' })
  for (let count = 0; count < 2; count += 1) await aContract(request, { customerId, renewalDate: '2026-04-24' })
  const account = request.caller?.id
  await world.db.writeAs(account ?? 0, async (em) => {
    await em.execute(`insert into notifications (account_id, type, title, message)
      select ${account}, 'other', '', '' from generate_series(1, 2)`)
    await em.execute(`insert into imports (account_id, kind, file_name, sha256, headings, rows, finished_at)
      select ${account}, 'customers', 'a.csv', '', '[]', 1, now() from generate_series(1, 2)`)
    await em.execute(`insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, kind,
        offset_days, due_on, recipient, channel, state, planned_at, sent_at, sent_on)
      select account_id, id, customer_id, '', renewal_date, 'reminder', 45, '2026-03-10', 'owner', 'in_app', 'sent',
        now(), now(), '2026-03-10' from contracts`)
  })
  return request
}

const Next = z.object({ next: z.string() })

async function cursorOf(order: string, headers: Record<string, string>): Promise<string> {
  const answer = await call(server, { url: `${order}&limit=1`, headers })
  if (order.startsWith('/reminders/coming')) return Next.parse(answer.body).next
  const [, cursor] = /[?&]cursor=([^&>]+)/.exec(String(answer.headers['link'])) ?? []
  return z.string().parse(cursor)
}

describe('a cursor that another order has made', () => {
  test('is refused by every list over REST, and its own is taken', async () => {
    const headers = bearer(await aFullAccount())
    const cursors = new Map<string, string>()
    for (const order of ORDERS) cursors.set(order, await cursorOf(order, headers))
    expect(new Set(cursors.values()).size).toBe(ORDERS.length)
    for (const order of ORDERS) {
      for (const [maker, cursor] of cursors) {
        const { status, body } = await call(server, { url: `${order}&limit=1&cursor=${cursor}`, headers })
        const refusal = maker === order ? undefined : 'CURSOR_INVALID'
        expect({ order, maker, status, refusal: body.refusal }).toEqual({
          order,
          maker,
          status: refusal ? 400 : 200,
          refusal,
        })
      }
    }
  })

  test('is refused over tRPC, after it and before it', async () => {
    const lists = appRouter.createCaller(await aFullAccount())
    const { last } = await lists.contracts.list({ sort: 'openFirst', direction: 'asc', limit: 1 })
    const after = z.string().parse(last)
    const refused = { cause: { key: 'CURSOR_INVALID' } }
    for (const place of [{ after }, { before: after }]) {
      await expect(lists.contracts.list({ sort: 'openFirst', direction: 'asc', ...place })).resolves.toBeDefined()
      await expect(lists.contracts.list({ sort: 'amount', direction: 'asc', ...place })).rejects.toMatchObject(refused)
      await expect(lists.contracts.list({ sort: 'openFirst', direction: 'desc', ...place })).rejects.toMatchObject(
        refused,
      )
      await expect(lists.customers.list(place)).rejects.toMatchObject(refused)
      await expect(lists.notifications.list(place)).rejects.toMatchObject(refused)
      await expect(lists.reminders.list(place)).rejects.toMatchObject(refused)
      await expect(lists.imports.list(place)).rejects.toMatchObject(refused)
    }
    await expect(lists.reminders.coming({ cursor: after })).rejects.toMatchObject(refused)
  })
})

describe('a made-up cursor of a time', () => {
  const cursorAt = (time: string) =>
    Buffer.from(JSON.stringify(['customers.createdAt asc', time, 1])).toString('base64url')

  test.each([
    '0000-01-01 00:00:00+00',
    '2026-02-30 00:00:00+00',
    '2026-01-01 00:00+99',
    '2026-01-01 00:00:00+16:00',
    '2026-01-01 00:00:00:00+00',
    '2026-01-01 24:00:01+00',
    '',
  ])('is refused where there is no such time: %s', async (time) => {
    const url = `/customers?sort=createdAt&direction=asc&cursor=${cursorAt(time)}`
    const answer = await call(server, { url, headers: bearer(await anAccount(world)) })
    expect(answer).toMatchObject({ status: 400, body: { refusal: 'CURSOR_INVALID' } })
  })

  test.each([
    '0001-01-01 00:00:00+00',
    '2024-02-29 23:59:59.999999+14',
    '1890-01-01 00:00:00.5+00:53:28',
    '9999-12-31 00:00:00-12',
  ])('is taken where there is one: %s', async (time) => {
    const url = `/customers?sort=createdAt&direction=asc&cursor=${cursorAt(time)}`
    expect(await call(server, { url, headers: bearer(await anAccount(world)) })).toMatchObject({ status: 200 })
  })
})
