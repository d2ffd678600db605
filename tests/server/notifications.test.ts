import { expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

/** Unread ones, each a minute after the one before. */
async function notify({ caller }: RequestContext, count: number) {
  await world.db.writeAs(caller?.id ?? 0, (em) =>
    em.execute(
      `insert into notifications (account_id, type, title, message, action_url, created_at)
        select ?, 'overdue', 'Title ' || n, 'Message', '/contracts', timestamptz '2026-03-10' + n * interval '1 minute'
        from generate_series(1, ?) n`,
      [caller?.id, count],
    ),
  )
}

test('the calls of the bell and the page answer, change and clear as they say', async () => {
  const request = await anAccount(world)
  await notify(request, 12)
  const headers = bearer(request)
  const get = async (query: string) => (await call(server, { url: `/notifications${query}`, headers })).body
  const send = (method: 'PUT' | 'DELETE' | 'POST', path: string) =>
    call(server, { method, url: `/notifications/${path}`, headers })

  expect(await get('/unread-count')).toEqual({ count: 12 })
  const latest = await get('?limit=10')
  expect(latest).toHaveLength(10)
  const { id } = latest[0]
  expect(latest[0]).toEqual({
    id: expect.any(Number),
    type: 'overdue',
    title: 'Title 12',
    message: 'Message',
    isRead: false,
    createdAt: '2026-03-10T00:12:00.000Z',
    actionUrl: '/contracts',
  })
  expect(await send('PUT', `${id}/read`)).toMatchObject({ status: 204 })
  expect(await get('')).toMatchObject([{ id, isRead: true }, ...latest.slice(1), {}, {}])
  expect(await get('?unread=true')).toHaveLength(11)
  const cleared = await send('DELETE', `${id}`)
  expect(cleared).toMatchObject({ status: 200, body: { clearedAt: expect.any(String) } })
  expect(await send('DELETE', `${id}`)).toMatchObject({ status: 404, body: { error: 'Notification not found' } })
  expect(await get('')).toHaveLength(11)
  expect(await send('PUT', 'read')).toMatchObject({ status: 204 })
  expect(await get('?unread=true')).toEqual([])
  expect(await send('POST', 'clear')).toMatchObject({ status: 200, body: { clearedAt: expect.any(String) } })
  expect(await get('')).toEqual([])
  const restore = (payload: object) => call(server, { method: 'POST', url: '/notifications/restore', headers, payload })
  expect(await restore({ since: cleared.body.clearedAt })).toMatchObject({ status: 200, body: { restored: 12 } })
  expect(await get('')).toHaveLength(12)
  expect(await restore({ since: 'yesterday' })).toMatchObject({
    status: 400,
    body: { fields: { since: 'Must be a date and time such as 2026-03-10T09:00:00Z' } },
  })
})

test('the list follows limit and cursor, and says where the next page is and how many there are', async () => {
  const request = await anAccount(world)
  await notify(request, 120)
  const headers = bearer(request)
  const whole = await call(server, { url: '/notifications', headers })
  expect(whole.body).toHaveLength(120)
  expect(whole.headers['x-total-count']).toBe('120')
  const first = await call(server, { url: '/notifications?limit=100&unread=true', headers })
  expect(first.body).toHaveLength(100)
  expect(first.headers['x-total-count']).toBe('120')
  const [, next = ''] = /^<(.+)>; rel="next"$/.exec(String(first.headers['link'])) ?? []
  const second = await call(server, { url: next, headers })
  expect([...first.body, ...second.body]).toEqual(whole.body)
  expect(second.headers['link']).toBeUndefined()
  expect(await call(server, { url: '/notifications?cursor=wrong&limit=5', headers })).toMatchObject({ status: 400 })
})
