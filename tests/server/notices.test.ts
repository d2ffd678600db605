import { expect, test } from 'vitest'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { anAccount, asSubscriber, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const LETTER = { means: ['letter'] }

async function aLetterDue(rule: object = LETTER, address: string | null = '12 Quay Street\nBuffalo, NY 14202') {
  const noticed = await aNoticedContract(world, { rule })
  const { request, customerId } = noticed
  await asSubscriber(request, (ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, address })))
  const url = `/contracts/${noticed.id}/notice-letter`
  const download = (by = request) => server.app.inject({ url, headers: { ...bearer(by) } })
  return { ...noticed, download }
}

test('the letter is a PDF, the same each time', async () => {
  const { id, download } = await aLetterDue()
  const first = await download()
  expect(first.statusCode).toBe(200)
  expect(first.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="traxx-notice-${id}.pdf"`,
  })
  expect(first.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect((await download()).rawPayload).toEqual(first.rawPayload)
})

test.each([
  ['an address is missing', LETTER, null, 'NOTICE_NO_POSTAL_ADDRESS'],
  ['the address is too long', LETTER, 'Quay Street '.repeat(40), 'NOTICE_ADDRESS_TOO_LONG'],
  ['letters do not count', { means: ['email'] }, '12 Quay Street', 'NOTICE_LETTER_DOES_NOT_COUNT'],
  ['the window has closed', { from: 60, until: 27 }, '12 Quay Street', 'NOTICE_NOT_DUE'],
])('there is no letter where %s', async (_, rule, address, refusal) => {
  const { download } = await aLetterDue({ ...LETTER, ...rule }, address)
  const { statusCode, json } = await download()
  expect(statusCode).toBe(409)
  expect(json()).toMatchObject({ refusal })
})

test("another account's letter and notice are not found, and one's own notice is shown", async () => {
  const { id, request, download } = await aLetterDue()
  const other = await anAccount(world)
  expect((await download(other)).statusCode).toBe(404)
  const url = `/contracts/${id}/notice`
  expect(await call(server, { url, headers: bearer(other) })).toMatchObject({ status: 404 })
  expect(await call(server, { url, headers: bearer(request) })).toMatchObject({
    status: 200,
    body: { isGiven: false, notice: { from: '2026-03-06', through: '2026-03-21', means: ['letter'], warning: null } },
  })
})
