import { describe, expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { lockImports } from '#server/imports/imports.service.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { CONTRACT_HEAD, contractsOf, customersOf, useImports } from '#support/imports.ts'
import { upload } from '#support/upload.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const { importCustomers, importContracts } = useImports(server)

describe('the record of imports', () => {
  test('lists the latest first, with what became of them', async () => {
    const request = await anAccount(world)
    await importCustomers(request, 'Name\nA\n\nB\n')
    await upload(server, request, { url: '/customers/bulk-upload', content: 'Name,Phone\n,\n,5\n', name: 'übel.csv' })
    const { body } = await call(server, { url: '/imports', headers: bearer(request) })
    expect(body).toMatchObject([
      { kind: 'customers', fileName: 'übel.csv', rows: 1, created: 0, failed: 1, throughLine: 3, status: 'finished' },
      { kind: 'customers', fileName: 'file.csv', rows: 2, created: 2, failed: 0, throughLine: 4, status: 'finished' },
    ])
    const one = await call(server, { url: `/imports/${body[0].id}`, headers: bearer(request) })
    expect(one).toMatchObject({ status: 200, body: body[0] })
  })

  test('gives the failed rows back with the reasons, ready to be mended and imported', async () => {
    const request = await anAccount(world)
    const { body } = await importCustomers(request, 'Name,Phone,Email\nGood,1,\n=Bad,"+1, 2",nope\n,3,\n')
    const file = await server.app.inject({ url: `/imports/${body.importId}/errors.csv`, headers: bearer(request) })
    expect(file.headers['content-disposition']).toBe(`attachment; filename="import-${body.importId}-errors.csv"`)
    expect(file.body).toBe(
      '\uFEFFLine,Reason,Name,Phone,Email\r\n3,Email: Email must be a valid address,\'=Bad,"\'+1, 2",nope\r\n4,Name: Must not be blank,,3,\r\n',
    )
    const mended = file.body.replace('nope', 'yes@example.com').replace('blank,,3', 'blank,Third,3')
    expect((await importCustomers(request, mended)).body).toMatchObject({ created: 2, failed: 0 })
    expect((await customersOf(request)).map((row) => [row.name, row.phone])).toEqual([
      ['Good', '1'],
      ['=Bad', '+1, 2'],
      ['Third', '3'],
    ])
  })

  test('is nobody else’s', async () => {
    const { body } = await importCustomers(await anAccount(world), 'Name,Phone\n,1\n')
    const headers = bearer(await anAccount(world))
    expect((await call(server, { url: '/imports', headers })).body).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/errors.csv'],
      ['DELETE', ''],
    ] as const) {
      const answer = await call(server, { method, url: `/imports/${body.importId}${path}`, headers })
      expect(answer).toMatchObject({ status: 404, body: { error: 'Import not found' } })
    }
  })
})

describe('undoing', () => {
  const undo = (request: RequestContext, id: number) =>
    call(server, { method: 'DELETE', url: `/imports/${id}`, headers: bearer(request) })
  const row = 'C-1,5.00,2026-01-01,monthly,2026-02-01,active'

  test('removes what the import created, and the file may come again', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Mine', customerNumber: 'C-1' })
    const customers = await importCustomers(request, 'Name\nA\nB\n')
    const contracts = await importContracts(request, `${CONTRACT_HEAD}\n${row}\n`)
    expect(await undo(request, contracts.body.importId)).toMatchObject({
      status: 200,
      body: { removedContracts: 1, removedCustomers: 0, keptCount: 0, kept: [] },
    })
    expect(await undo(request, customers.body.importId)).toMatchObject({ body: { removedCustomers: 2 } })
    expect((await customersOf(request)).map((one) => one.name)).toEqual(['Mine'])
    expect((await call(server, { url: '/imports', headers: bearer(request) })).body).toEqual([])
    expect(await undo(request, customers.body.importId)).toMatchObject({ status: 404 })
    expect(await importCustomers(request, 'Name\nA\nB\n')).toMatchObject({ status: 200 })
  })

  test('keeps and names rows edited since, and customers who got other contracts', async () => {
    const request = await anAccount(world)
    const headers = bearer(request)
    const { body } = await importCustomers(request, 'Name,Customer Number\nEdited,C-1\nUsed,C-2\nFree,C-3\n')
    const [edited, used] = await customersOf(request)
    await call(server, { method: 'PUT', url: `/customers/${edited?.id}`, headers, payload: { phone: '5' } })
    const contract = await aContract(request, { customerId: Number(used?.id) })
    const undone = await undo(request, body.importId)
    expect(undone.body).toEqual({
      removedContracts: 0,
      removedCustomers: 1,
      restoredContracts: 0,
      keptCount: 2,
      kept: [
        { kind: 'customer', id: edited?.id, name: 'Edited', reason: 'edited' },
        { kind: 'customer', id: used?.id, name: 'Used', reason: 'hasContracts' },
      ],
    })
    const [record] = (await call(server, { url: '/imports', headers })).body
    expect(record).toMatchObject({ id: body.importId, undoneAt: expect.any(String) })
    await call(server, { method: 'DELETE', url: `/contracts/${contract.id}`, headers })
    expect((await undo(request, body.importId)).body).toMatchObject({ removedCustomers: 1, keptCount: 1 })
  })

  test('takes customers back that contracts brought along, but for those of contracts that stay', async () => {
    const request = await anAccount(world)
    const file = `Customer,Amount,Start,Cycle,Renewal\nA,5.00,2026-01-01,monthly,2026-02-01\nB,5.00,2026-01-01,monthly,2026-02-01\n`
    const { body } = await importContracts(request, file, '?createCustomers=true')
    const [first] = await contractsOf(request)
    const url = `/contracts/${first?.id}`
    await call(server, { method: 'PUT', url, headers: bearer(request), payload: { amount: 6 } })
    expect((await undo(request, body.importId)).body).toMatchObject({
      removedContracts: 1,
      removedCustomers: 1,
      keptCount: 2,
      kept: [
        { kind: 'contract', id: first?.id, name: 'A', reason: 'edited' },
        { kind: 'customer', name: 'A', reason: 'hasContracts' },
      ],
    })
  })

  test('keeps and names contracts that were given reminder settings of their own', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1', name: 'Acme' })
    const { body } = await importContracts(request, `${CONTRACT_HEAD}\n${row}\n${row}\n${row}\n`)
    const [own, asBefore] = await contractsOf(request)
    const none = { enableNotifications: null, reminderDays: null, followUpDays: null, email: null, inApp: null }
    const save = (id: number, settings: object) =>
      call(server, { method: 'PUT', url: `/contracts/${id}/reminders`, headers: bearer(request), payload: settings })
    expect(await save(Number(own?.id), { ...none, reminderDays: [] })).toMatchObject({ status: 200 })
    expect(await save(Number(asBefore?.id), none)).toMatchObject({ status: 200 })
    expect((await undo(request, body.importId)).body).toMatchObject({
      removedContracts: 2,
      kept: [{ kind: 'contract', id: own?.id, name: 'Acme', reason: 'edited' }],
    })
  })

  test('keeps contracts whose emails were turned off since, but not those that the import itself turned off', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1', name: 'Acme' })
    const { body } = await importContracts(request, `${CONTRACT_HEAD}\n${row}\n${row}\n`)
    const muted = await importContracts(request, `${CONTRACT_HEAD}\n${row}\n`, '?reminders=off')
    const [first] = await contractsOf(request)
    const url = `/contracts/${first?.id}`
    await call(server, { method: 'PUT', url, headers: bearer(request), payload: { reminders: 'off' } })
    expect((await undo(request, body.importId)).body).toMatchObject({
      removedContracts: 1,
      kept: [{ kind: 'contract', id: first?.id, name: 'Acme', reason: 'edited' }],
    })
    expect((await undo(request, muted.body.importId)).body).toMatchObject({ removedContracts: 1, keptCount: 0 })
  })

  test('waits for a batch that is being written, and a batch for it, so that neither waits for the other', async () => {
    const request = await anAccount(world)
    const { body } = await importCustomers(request, 'Name\nA\n')
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const turn = asSubscriber(request, async (ctx) => {
      await lockImports(ctx)
      begun.resolve()
      await done.promise
    })
    await begun.promise
    const both = [undo(request, body.importId), importCustomers(request, 'Name\nB\n')]
    const text = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await world.db.system.query(text)).rowCount).toBe(2)
    done.resolve()
    await turn
    expect(await Promise.all(both)).toMatchObject([{ status: 200 }, { status: 200, body: { created: 1 } }])
  })

  test('a change that changes nothing is no edit', async () => {
    const request = await anAccount(world)
    const { body } = await importCustomers(request, 'Name\nA\n')
    const [one] = await customersOf(request)
    await call(server, {
      method: 'PUT',
      url: `/customers/${one?.id}`,
      headers: bearer(request),
      payload: { name: 'A' },
    })
    expect((await undo(request, body.importId)).body).toMatchObject({ removedCustomers: 1, keptCount: 0 })
  })
})
