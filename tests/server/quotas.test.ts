import { once } from 'node:events'
import { request as open } from 'node:http'
import sql from 'sql-template-tag'
import { dirname } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { STORAGE } from '#server/limits/quotas.ts'
import { readRows } from '#server/db/rows.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { memoryFiles } from '#support/services.ts'
import { upload } from '#support/upload.ts'
import { aPdf, FORM, keysIn } from '#support/pdf.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const storage = { ...STORAGE, quotas: { ...STORAGE.quotas, failedRows: 3000, pdfs: 3, pdfBytes: 3 * 1024 ** 2 } }
const files = memoryFiles()
const server = useApp(world, { storage, files })

/** A file with this number of failing rows, and one valid row. */
const failing = (count: number, name: string) => `Name,Email\n${'X,wrong\n'.repeat(count)}${name},\n`

test('an import keeps its first failed rows and says so; those of the oldest imports make room', async () => {
  const request = await anAccount(world)
  const send = (count: number, name: string) =>
    upload(server, request, { url: '/customers/bulk-upload', content: failing(count, name) })
  const importOf = async (id: number) => (await call(server, { url: `/imports/${id}`, headers: bearer(request) })).body
  const errorsOf = async (id: number) =>
    (await server.app.inject({ url: `/imports/${id}/errors.csv`, headers: bearer(request) })).body.trim().split('\r\n')

  expect(await send(1000, 'First')).toMatchObject({ status: 200, body: { created: 1, failed: 1000 } })
  expect(await send(1500, 'Second')).toMatchObject({ status: 200, body: { created: 1, failed: 1500 } })
  expect(await importOf(1)).toMatchObject({ failed: 1000, failedKept: 1000 })
  expect(await errorsOf(1)).toHaveLength(1001)

  const large = await send(5000, 'Third')
  expect(large).toMatchObject({ status: 200, body: { created: 1, failed: 5000 } })
  expect(large.body.note).toMatch(/; \/imports\/3\/errors\.csv has the first 3000 failed rows$/)
  expect(await importOf(3)).toMatchObject({ failed: 5000, failedKept: 3000 })
  const lines = await errorsOf(3)
  expect(lines).toHaveLength(3002)
  expect(lines.at(-1)).toBe(',Only 3000 of the 5000 failed rows were kept')
  for (const id of [1, 2]) expect(await importOf(id)).toMatchObject({ failedKept: 0 })
  expect(await errorsOf(1)).toEqual([expect.stringContaining('Line'), ',Only 0 of the 1000 failed rows were kept'])
})

test('an account has room for so many PDFs and bytes of them, also where several come at once', async () => {
  const request = await anAccount(world)
  const contracts: number[] = []
  for (let made = 0; made < 4; made += 1) contracts.push((await aContract(request)).id)
  const attach = (id: number | undefined, bytes: number) =>
    upload(server, request, { url: `/contracts/${id}/pdf`, content: aPdf(bytes), name: 'a.pdf', field: 'pdf' })
  const full = { status: 409, body: { error: 'You can store up to 3 PDFs, 3 MB in total. Delete some first' } }

  const together = await Promise.all(contracts.map((id) => attach(id, 1000)))
  expect(together.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 201, 201, 409])
  expect(together.find(({ status }) => status === 409)).toMatchObject(full)

  const [first, second] = contracts.filter((_id, at) => together[at]?.status === 201)
  expect(await attach(first, 2 * 1024 ** 2)).toMatchObject({ status: 201 })
  expect(await attach(second, 1024 ** 2)).toMatchObject(full)
  const remove = await call(server, { method: 'DELETE', url: `/contracts/${first}/pdf`, headers: bearer(request) })
  expect(remove.status).toBe(204)
  expect(await attach(second, 1024 ** 2)).toMatchObject({ status: 201 })
  const statement = sql`
    select pdf_path as key from contracts where pdf_path is not null union select path from kept_pdfs`
  const rows = await readRows(world.db.system, statement, z.object({ key: z.string() }))
  expect((await keysIn(files, dirname(rows[0]?.key ?? ''))).toSorted()).toEqual(rows.map(({ key }) => key).toSorted())
})

describe('where an account has room for twelve customers and contracts', () => {
  const small = useApp(world, { storage: { ...STORAGE, quotas: { ...STORAGE.quotas, customersAndContracts: 12 } } })
  const FULL =
    'You can have up to 12 customers and contracts in total, including the trash. Delete some permanently first'
  const refused = { status: 409, body: { refusal: 'ACCOUNT_FULL', error: FULL } }
  const named = (count: number) => `Name\n${Array.from({ length: count }, (_none, at) => `Customer ${at}\n`).join('')}`
  const termsOf = (customerId: number) => ({
    customerId,
    amount: 10,
    startDate: '2026-01-01',
    renewalDate: '2030-01-01',
    renewalCycle: 'yearly',
    status: 'active',
  })

  /** An account of eleven customers, and what it asks. */
  async function almostFull() {
    const request = await anAccount(world)
    const asks = (method: 'POST' | 'PUT' | 'DELETE', url: string, body: object = {}) =>
      call(small, { method, url, body, headers: bearer(request) })
    const sends = (url: string, content: string) => upload(small, request, { url, content })
    const { body } = await sends('/customers/bulk-upload', named(11))
    expect(body).toMatchObject({ created: 11 })
    const { id } = await aCustomer(request)
    expect(await asks('DELETE', `/customers/${id}`)).toMatchObject({ status: 204 })
    expect(await asks('DELETE', `/trash/customers/${id}`)).toMatchObject({ status: 204 })
    return { asks, sends, first: id - 1, importId: Number(body.importId) }
  }

  test('one more is refused by whatever way it comes, and what is there is changed and deleted', async () => {
    const { asks, sends, first, importId } = await almostFull()
    expect(await asks('POST', '/contracts', termsOf(first))).toMatchObject({ status: 201 })
    expect(await asks('POST', '/contracts', termsOf(first))).toMatchObject(refused)
    expect(await asks('POST', '/customers', { name: 'One more' })).toMatchObject(refused)
    expect(await sends('/customers/bulk-upload', named(1))).toMatchObject(refused)
    const viaTrpc = await asks('POST', '/trpc/customers.create', { json: { name: 'One more' } })
    expect(viaTrpc).toMatchObject({ status: 409, body: { error: { json: { message: FULL } } } })

    expect(await asks('PUT', `/customers/${first}`, { name: 'Another name' })).toMatchObject({ status: 200 })
    expect(await asks('DELETE', `/customers/${first - 1}`)).toMatchObject({ status: 204 })
    expect(await asks('POST', '/customers', { name: 'One more' })).toMatchObject(refused)
    expect(await asks('DELETE', `/trash/customers/${first - 1}`)).toMatchObject({ status: 204 })
    expect(await asks('POST', '/customers', { name: 'One more' })).toMatchObject({ status: 201 })
    expect(await asks('DELETE', `/imports/${importId}`)).toMatchObject({ status: 200 })
  })

  test('contracts that are there are updated by a file of more rows than there is room for', async () => {
    const { asks, sends, first } = await almostFull()
    expect(await asks('POST', '/contracts', { ...termsOf(first), reference: 'A-1' })).toMatchObject({ status: 201 })
    const update = '/contracts/bulk-upload?existing=update'
    expect(await sends(update, 'Reference,Amount\nA-1,20\n')).toMatchObject({ status: 200, body: { updated: 1 } })
    expect(await sends(update, 'Reference,Amount\nA-1,30\nB-1,20\n')).toMatchObject(refused)
    const row = (reference: string) => `Customer 0,10,2026-01-01,2030-01-01,yearly,${reference}\n`
    const skipping = `Customer Name,Amount,Start Date,Renewal Date,Renewal Cycle,Reference\n${row('A-1')}`
    expect(await sends('/contracts/bulk-upload?existing=skip', skipping)).toMatchObject({ body: { unchanged: 1 } })
  })

  test('sample data is refused', async () => {
    const { asks } = await almostFull()
    expect(await asks('POST', '/imports/sample')).toMatchObject(refused)
  })

  test('contracts whose customers have no room with them are not imported', async () => {
    const request = await anAccount(world)
    const rows = Array.from({ length: 7 }, (_none, at) => `New ${at},10,2026-01-01,2030-01-01,yearly,active\n`).join('')
    const answer = await upload(small, request, {
      url: '/contracts/bulk-upload?createCustomers=true',
      content: `Customer Name,Amount,Start Date,Renewal Date,Renewal Cycle,Status\n${rows}`,
    })
    expect(answer).toMatchObject({
      status: 409,
      body: {
        refusal: 'IMPORT_STOPPED_FULL',
        error: expect.stringMatching(/up to 12 .* up to line 0 .*: 0 created/),
      },
    })
    expect((await call(small, { url: '/customers', headers: bearer(request) })).body).toEqual([])
  })
})

test('a PDF that the account has no room for is refused before it comes, and one that takes the place of its own is not', async () => {
  const request = await anAccount(world)
  const [first, second] = [(await aContract(request)).id, (await aContract(request)).id]
  const url = `/contracts/${first}/pdf`
  expect(
    await upload(server, request, { url, content: aPdf(2.5 * 1024 ** 2), name: 'a.pdf', field: 'pdf' }),
  ).toMatchObject({ status: 201 })
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const begin = (id: number) => {
    const headers = { ...bearer(request), 'content-type': FORM.type, 'content-length': 1024 ** 2 }
    const sent = open(`${origin}/contracts/${id}/pdf`, { method: 'POST', headers, agent: false })
    sent.on('error', () => {})
    sent.write(FORM.head)
    return sent
  }
  const [answer] = await once(begin(second), 'response')
  expect(answer).toMatchObject({ statusCode: 409 })
  const replacing = begin(first)
  replacing.end(Buffer.concat([aPdf(1024 ** 2 - FORM.head.length - FORM.tail.length), Buffer.from(FORM.tail)]))
  expect((await once(replacing, 'response'))[0]).toMatchObject({ statusCode: 201 })
})
