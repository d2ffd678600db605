import { expect, test } from 'vitest'
import { bearer, call, useApp } from '#support/app.ts'
import { aContract, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

test('the calendar is read by REST, its contracts too, and browsers get the screen', async () => {
  const request = await anAccount(world)
  const { id } = await aContract(request, { renewalDate: '2026-03-20', amount: 12.5 })
  const headers = bearer(request)
  const days = 'from=2026-03-16&through=2026-03-20'
  expect(await call(server, { url: `/calendar?${days}`, headers })).toMatchObject({
    status: 200,
    body: { from: '2026-03-16', days: [{ day: '2026-03-20', renewals: 1, renewalAmount: 12.5, notices: 0 }] },
  })
  expect(await call(server, { url: `/calendar/contracts?${days}`, headers })).toMatchObject({
    status: 200,
    body: { renewalTotal: 1, renewals: [{ id, renewalDate: '2026-03-20' }], noticeTotal: 0, notices: [] },
  })
  for (const path of ['/calendar', '/calendar/contracts']) {
    const tooMany = await call(server, { url: `${path}?from=2026-01-01&through=2027-12-31`, headers })
    expect(tooMany).toMatchObject({ status: 400, body: { refusal: 'CALENDAR_DAYS' } })
    expect(await call(server, { url: `${path}?from=March`, headers })).toMatchObject({ status: 400 })
  }
  const screen = await server.app.inject({ url: '/calendar?month=2026-04', headers: { accept: 'text/html' } })
  expect(screen.headers['content-type']).toContain('text/html')
})
