import { describe, expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { listActivity } from '#server/activity/activity.service.ts'
import { getContract, removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { renewContract } from '#server/contracts/renewals.service.ts'
import { undoImport } from '#server/imports/imports.service.ts'
import { removeTag } from '#server/tags/tags.service.ts'
import { removeContractForGood } from '#server/trash/trash.service.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { toDay } from '#shared/domain/day.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { watchQueue } from '#support/held-rows.ts'
import { CONTRACT_HEAD, contractsOf, useImports } from '#support/imports.ts'
import { aContract, aCustomer, anAccount, anApiKey, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const { importContracts, importCustomers } = useImports(server)

const UPDATE = '?existing=update'
const contractOf = (request: RequestContext, id: number) => getContract(requireReader(request), { id })
const undo = (request: RequestContext, id: number) =>
  call(server, { method: 'DELETE', url: `/imports/${id}`, headers: bearer(request) })
const editedAs = (request: RequestContext, id: number, changes: Omit<Parameters<typeof updateContract>[1], 'id'>) =>
  asSubscriber(request, (ctx) => updateContract(ctx, { id, ...changes }))

/** A customer with two contracts that have references. */
async function aBook() {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request, { name: 'Acme', customerNumber: 'C-1' })
  const first = await aContract(request, { customerId, reference: 'A-1', title: 'Cleaning', tags: ['VIP'] })
  const second = await aContract(request, { customerId, reference: 'A-2', amount: 50 })
  return { request, customerId, first, second }
}

describe('rows with the reference of a contract', () => {
  test('are added as new contracts, as before, unless something else is asked for', async () => {
    const { request } = await aBook()
    const file = `${CONTRACT_HEAD},Reference\nC-1,10,2026-01-01,monthly,2026-05-01,active,A-1\n`
    const answer = await importContracts(request, file)
    expect(answer).toMatchObject({ status: 200, body: { created: 1, updated: 0, unchanged: 0, failed: 0 } })
    expect(await contractsOf(request)).toHaveLength(3)
  })

  test('are asked about with what would change, before anything is written', async () => {
    const { request, first } = await aBook()
    const file = 'Reference,Amount,Renewal Date\na-1,120.50,2026-05-01\nA-2,50,\nA-2b,1,\n'
    const asked = await importContracts(request, file, '?existing=ask')
    expect(asked).toMatchObject({ status: 409 })
    expect(asked.body).toEqual({
      error: 'Some rows have the reference of a contract you already have. Update these contracts?',
      refusal: 'IMPORT_ROWS_EXIST',
      question: {
        parameter: 'existing',
        choices: [{ value: 'update', label: 'Update these contracts' }],
        existing: {
          rows: 2,
          changed: 1,
          failing: 0,
          amountBefore: 100,
          amount: 120.5,
          fields: [
            { field: 'amount', contracts: 1 },
            { field: 'renewalDate', contracts: 1 },
          ],
          first: [
            {
              line: 2,
              reference: 'A-1',
              customerName: 'Acme',
              changes: [
                { field: 'amount', before: 100, after: 120.5 },
                { field: 'renewalDate', before: '2026-04-01', after: '2026-05-01' },
              ],
            },
          ],
        },
      },
    })
    expect(await contractOf(request, first.id)).toEqual(first)
    expect((await call(server, { url: '/imports', headers: bearer(request) })).body).toEqual([])
  })

  test('offer to be added or left out as well if they say enough for a new contract', async () => {
    const { request } = await aBook()
    const file = `${CONTRACT_HEAD},Reference\nC-1,10,2026-01-01,monthly,2026-05-01,active,A-1\n`
    const asked = await importContracts(request, file, '?existing=ask')
    const values = asked.body.question.choices.map(({ value }: { value: string }) => value)
    expect(values).toEqual(['update', 'add', 'skip'])
  })

  test('are not asked about where no contract has them', async () => {
    const { request } = await aBook()
    const file = `${CONTRACT_HEAD},Reference\nC-1,10,2026-01-01,monthly,2026-05-01,active,B-1\n`
    expect(await importContracts(request, file, '?existing=ask')).toMatchObject({ status: 200, body: { created: 1 } })
  })

  test('without the columns of a new contract are refused where no contract has them', async () => {
    const { request } = await aBook()
    const answer = await importContracts(request, 'Reference,Amount\nB-1,10\n', '?existing=ask&mapping=ask')
    expect(answer).toMatchObject({
      status: 422,
      body: {
        missing: ['Customer (or Customer Number)', 'Start Date', 'Renewal Cycle', 'Renewal Date'],
      },
    })
    expect(await importContracts(request, 'Reference,Amount\nB-1,10\n')).toMatchObject({ status: 422 })
  })

  test('are left out when that is asked for', async () => {
    const { request, first } = await aBook()
    const row = (reference: string) => `C-1,10,2026-01-01,monthly,2026-05-01,active,${reference}\n`
    const file = `${CONTRACT_HEAD},Reference\n${row('A-1')}${row('B-1')}${row('')}`
    const answer = await importContracts(request, file, '?existing=skip')
    expect(answer).toMatchObject({ status: 200, body: { created: 2, updated: 0, unchanged: 1, failed: 0 } })
    expect(await contractOf(request, first.id)).toEqual(first)
    expect(await contractsOf(request)).toHaveLength(4)
  })

  test('are refused for customers, who have no references', async () => {
    const answer = await importCustomers(await anAccount(world), 'Name\nA\n', UPDATE)
    expect(answer).toMatchObject({ status: 400, body: { fields: { existing: 'Only for imports of contracts' } } })
  })
})

describe('an update', () => {
  test('changes what the row says, in any case of the reference, and adds the others', async () => {
    const { request, first, second } = await aBook()
    const head = `${CONTRACT_HEAD},Reference,Title,Renews,Notice Period,Tags`
    const rows = [
      'C-1,120.5,2026-02-01,yearly,2027-02-01,pending,a-1,,automatic,1 month,vip; North',
      'C-1,50,2026-01-01,monthly,2026-04-01,active,A-2,,,,',
      'C-1,10,2026-01-01,monthly,2026-05-01,active,B-1,New,,,',
    ]
    const answer = await importContracts(request, [head, ...rows].join('\n'), UPDATE)
    expect(answer).toMatchObject({ status: 200, body: { created: 1, updated: 1, unchanged: 1, failed: 0 } })
    expect(await contractOf(request, first.id)).toMatchObject({
      amount: 120.5,
      startDate: '2026-02-01',
      renewalCycle: 'yearly',
      renewalDate: '2027-02-01',
      status: 'pending',
      reference: 'A-1',
      title: 'Cleaning',
      renews: 'automatic',
      noticePeriod: '1 month',
      tags: ['VIP', 'North'],
      version: first.version + 1,
      term: 1,
    })
    expect(await contractOf(request, second.id)).toEqual(second)
    expect((await contractsOf(request)).at(-1)).toMatchObject({ reference: 'B-1', title: 'New' })
    const [record] = (await call(server, { url: '/imports', headers: bearer(request) })).body
    expect(record).toMatchObject({ rows: 3, created: 1, updated: 1, unchanged: 1, updatedKept: 1, failed: 0 })
  })

  test('is recorded as done by the import', async () => {
    const { request, first } = await aBook()
    await importContracts(request, 'Reference,Amount\nA-1,120\n', UPDATE)
    const activity = { about: 'contract', id: first.id, limit: 10, skip: 0 } as const
    expect(await listActivity(requireReader(request), activity)).toMatchObject({
      rows: [
        {
          action: 'changed',
          by: { kind: 'import', name: 'file.csv' },
          changes: [{ field: 'amount', before: 100, after: 120 }],
        },
        { action: 'created' },
      ],
    })
  })

  test("never reaches another account's contract, or one in the trash", async () => {
    const { request: other, first: theirs } = await aBook()
    const { request, first, second } = await aBook()
    await asSubscriber(request, (ctx) => removeContract(ctx, { id: second.id }))
    const answer = await importContracts(request, 'Reference,Amount\nA-1,120\nA-2,7\n', UPDATE)
    expect(answer.body).toMatchObject({
      updated: 1,
      failed: 1,
      errors: [{ line: 3, column: 'Reference', value: 'A-2', reason: expect.stringMatching(/^No contract has this/) }],
    })
    expect(await contractOf(request, first.id)).toMatchObject({ amount: 120 })
    expect(await contractOf(other, theirs.id)).toEqual(theirs)
  })

  test('fails by the row where it cannot be made, with line and column', async () => {
    const { request, customerId } = await aBook()
    await aCustomer(request, { name: 'Mill', customerNumber: 'C-2' })
    for (const amount of [1, 2]) await aContract(request, { customerId, reference: 'TWICE', amount })
    const { id } = await aContract(request, { customerId, reference: 'LATER' })
    await asSubscriber(request, (ctx) => renewContract(ctx, { id }))
    const rows = [
      ['twice', '', '5', '', '', '', ''],
      ['B-1', '', '5', '', '', '', ''],
      ['b-1', '', '5', '', '', '', ''],
      ['A-1', 'C-2', '5', '', '', '', ''],
      ['A-2', '', '', '', '', 'cancelled', ''],
      ['LATER', '', '', '', '2026-04-01', '', ''],
      ['NEW', 'C-1', '5', '', '', '', ''],
      ['', 'C-1', '5', '', '', '', ''],
    ]
    const head = 'Reference,Customer Number,Amount,Start Date,Renewal Date,Status,Term Number'
    const content = [head, ...rows.map((row) => row.join(','))].join('\n')
    const { body } = await importContracts(request, content, UPDATE)
    expect(body).toMatchObject({ created: 0, updated: 0, failed: 8 })
    const errors = body.errors.map(({ line, column, reason }: Record<string, unknown>) => [line, column, reason])
    expect(errors).toEqual([
      [2, 'Reference', 'More than one contract has this reference'],
      [3, 'Reference', expect.stringContaining('No contract has this reference, and a new one needs')],
      [4, 'Reference', expect.stringContaining('No contract has this reference, and a new one needs')],
      [5, 'Customer Number', 'The contract with this reference is for another customer, Acme'],
      [6, 'Status', 'An import cannot end or reopen a contract. Do that on its page'],
      [7, 'Renewal Date', 'Renewal date must be after the first day of the term, 2026-04-01'],
      [8, 'Reference', 'No contract has this reference, and a new one needs Start Date, Renewal Date, Renewal Cycle'],
      [9, 'Start Date', 'Must not be blank'],
      [9, 'Renewal Date', 'Must not be blank'],
      [9, 'Renewal Cycle', 'All fields are required'],
    ])
  })

  test('fails both of two rows with the same reference, also in different batches', async () => {
    const { request, first } = await aBook()
    const between = Array.from({ length: 2500 }, (_, n) => `X-${n},1`)
    const content = ['Reference,Amount', 'A-1,120', ...between, 'a-1,130'].join('\n')
    const { body } = await importContracts(request, content, UPDATE)
    expect(body).toMatchObject({ updated: 0, failed: 2502 })
    expect(body.errors[0]).toMatchObject({ line: 2, reason: 'More than one row has this reference' })
    expect(await contractOf(request, first.id)).toEqual(first)
  })

  test('is refused where the contract is in another term than the row', async () => {
    const { request, first } = await aBook()
    await asSubscriber(request, (ctx) => renewContract(ctx, { id: first.id }))
    const content = 'Reference,Amount,Term Number\nA-1,120,1\nA-2,60,1\n'
    const { body } = await importContracts(request, content, UPDATE)
    expect(body).toMatchObject({
      updated: 1,
      errors: [{ column: 'Term Number', reason: 'This contract is in term 2 now. Check the dates and the amount' }],
    })
    expect((await importContracts(request, 'Reference,Amount,Term Number\nA-1,120,2\n', UPDATE)).body).toMatchObject({
      updated: 1,
    })
  })

  test('of what is exported changes nothing, and of an edited export what was edited', async () => {
    const { request, first } = await aBook()
    await asSubscriber(request, (ctx) => renewContract(ctx, { id: first.id }))
    const { payload } = await server.app.inject({ url: '/contracts/export.csv', headers: bearer(request) })
    expect((await importContracts(request, payload, UPDATE)).body).toMatchObject({
      unchanged: 2,
      updated: 0,
      failed: 0,
    })
    const edited = payload.replace(',50.00,', ',55.00,')
    expect((await importContracts(request, edited, UPDATE)).body).toMatchObject({ unchanged: 1, updated: 1, failed: 0 })
  })
})

describe('undoing an update', () => {
  test('puts back what was changed, together with removing what was added', async () => {
    const { request, first } = await aBook()
    const file = [
      `${CONTRACT_HEAD},Reference,Title,Tags`,
      'C-1,120.5,2026-02-01,yearly,2027-02-01,pending,A-1,Other,North',
      'C-1,10,2026-01-01,monthly,2026-05-01,active,B-1,,',
    ].join('\n')
    const { body } = await importContracts(request, file, UPDATE)
    expect(body).toMatchObject({ created: 1, updated: 1 })
    expect(await undo(request, body.importId)).toMatchObject({
      status: 200,
      body: { removedContracts: 1, removedCustomers: 0, restoredContracts: 1, keptCount: 0, kept: [] },
    })
    expect(await contractOf(request, first.id)).toEqual({ ...first, version: first.version + 2 })
    expect(await contractsOf(request)).toHaveLength(2)
    expect((await call(server, { url: '/imports', headers: bearer(request) })).body).toEqual([])
  })

  test('keeps and names what was changed since, and can be repeated', async () => {
    const { request, first, second } = await aBook()
    const { body } = await importContracts(request, 'Reference,Amount\nA-1,120\nA-2,60\n', UPDATE)
    const { version } = await editedAs(request, first.id, { title: 'Mine' })
    const undone = await undo(request, body.importId)
    expect(undone.body).toEqual({
      removedContracts: 0,
      removedCustomers: 0,
      restoredContracts: 1,
      keptCount: 1,
      kept: [{ kind: 'contract', id: first.id, name: 'Acme', reason: 'edited' }],
    })
    expect(await contractOf(request, first.id)).toMatchObject({ amount: 120, title: 'Mine', version })
    expect(await contractOf(request, second.id)).toMatchObject({ amount: 50 })
    const [record] = (await call(server, { url: '/imports', headers: bearer(request) })).body
    expect(record).toMatchObject({ updated: 2, updatedKept: 1, undoneAt: expect.any(String) })
    expect((await undo(request, body.importId)).body).toMatchObject({ restoredContracts: 0, keptCount: 1 })
    await asSubscriber(request, (ctx) => removeContract(ctx, { id: first.id }))
    expect((await undo(request, body.importId)).body).toMatchObject({ restoredContracts: 0, keptCount: 0 })
  })

  /** Imports that set the amount of the first contract, one after another, and how it then is. */
  async function severalUpdates(amounts: readonly number[]) {
    const { request, first } = await aBook()
    const imports: number[] = []
    for (const amount of amounts) {
      const { body } = await importContracts(request, `Reference,Amount\nA-1,${amount}\n`, UPDATE)
      imports.push(body.importId)
    }
    const amountNow = async () => (await contractOf(request, first.id)).amount
    return { request, first, imports, amountNow }
  }

  test('of several imports, the latest first, puts back what each of them had found', async () => {
    const { request, first, imports, amountNow } = await severalUpdates([110, 120, 130])
    for (const [index, amount] of [120, 110, 100].entries()) {
      const id = imports.at(-1 - index) ?? 0
      expect((await undo(request, id)).body).toMatchObject({ restoredContracts: 1, keptCount: 0 })
      expect(await amountNow()).toBe(amount)
    }
    expect(await contractOf(request, first.id)).toEqual({ ...first, version: first.version + 6 })
    expect((await call(server, { url: '/imports', headers: bearer(request) })).body).toEqual([])
  })

  test('of an earlier import keeps what a later one has changed, and can be repeated once that is undone', async () => {
    const { request, first, imports, amountNow } = await severalUpdates([110, 120])
    const [earlier = 0, later = 0] = imports
    expect((await undo(request, earlier)).body).toMatchObject({
      restoredContracts: 0,
      keptCount: 1,
      kept: [{ kind: 'contract', id: first.id, reason: 'edited' }],
    })
    expect(await amountNow()).toBe(120)
    expect((await undo(request, later)).body).toMatchObject({ restoredContracts: 1, keptCount: 0 })
    expect(await amountNow()).toBe(110)
    const left = (await call(server, { url: '/imports', headers: bearer(request) })).body
    expect(left).toMatchObject([{ id: earlier, updatedKept: 1 }])
    expect((await undo(request, earlier)).body).toMatchObject({ restoredContracts: 1, keptCount: 0 })
    expect(await amountNow()).toBe(100)
  })

  test('of two imports keeps what was edited between them', async () => {
    const { request, first, imports, amountNow } = await severalUpdates([110])
    await editedAs(request, first.id, { title: 'Painting' })
    const { body } = await importContracts(request, 'Reference,Amount\nA-1,120\n', UPDATE)
    expect((await undo(request, body.importId)).body).toMatchObject({ restoredContracts: 1, keptCount: 0 })
    expect((await undo(request, imports[0] ?? 0)).body).toMatchObject({ restoredContracts: 0, keptCount: 1 })
    expect(await amountNow()).toBe(110)
    expect((await contractOf(request, first.id)).title).toBe('Painting')
  })

  test('of two imports after the one that created the contract leaves that to be undone as well', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1' })
    const file = `${CONTRACT_HEAD},Reference\nC-1,10,2026-01-01,monthly,2026-05-01,active,A-1\n`
    const imports = [(await importContracts(request, file)).body.importId]
    for (const amount of [110, 120])
      imports.push((await importContracts(request, `Reference,Amount\nA-1,${amount}\n`, UPDATE)).body.importId)
    for (const id of imports.toReversed()) expect((await undo(request, id)).body).toMatchObject({ keptCount: 0 })
    expect(await contractsOf(request)).toEqual([])
  })

  test('leaves a contract that another import had created to be undone with that one', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1' })
    const file = `${CONTRACT_HEAD},Reference\nC-1,10,2026-01-01,monthly,2026-05-01,active,A-1\n`
    const created = await importContracts(request, file)
    const updated = await importContracts(request, 'Reference,Amount\nA-1,11\n', UPDATE)
    await undo(request, updated.body.importId)
    expect((await undo(request, created.body.importId)).body).toMatchObject({ removedContracts: 1, keptCount: 0 })
  })

  test('counts the update as an edit of what another import had created', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1' })
    const file = `${CONTRACT_HEAD},Reference\nC-1,10,2026-01-01,monthly,2026-05-01,active,A-1\n`
    const created = await importContracts(request, file)
    await importContracts(request, 'Reference,Amount\nA-1,11\n', UPDATE)
    expect((await undo(request, created.body.importId)).body).toMatchObject({ removedContracts: 0, keptCount: 1 })
  })

  test('brings a tag back that was removed since', async () => {
    const { request, first } = await aBook()
    const { body } = await importContracts(request, 'Reference,Tags\nA-1,North\n', UPDATE)
    await asSubscriber(request, (ctx) => removeTag(ctx, { tag: 'VIP' }))
    await asSubscriber(request, (ctx) => undoImport(ctx, { id: body.importId }))
    expect(await contractOf(request, first.id)).toMatchObject({ tags: ['VIP'] })
  })

  test('has nothing to put back of a contract that was deleted permanently', async () => {
    const { request, first, second } = await aBook()
    const { body } = await importContracts(request, 'Reference,Amount\nA-1,120\nA-2,60\n', UPDATE)
    await asSubscriber(request, (ctx) => removeContract(ctx, { id: first.id }))
    await asSubscriber(request, (ctx) => removeContractForGood(ctx, { id: first.id }))
    const kept = await asSubscriber(request, (ctx) =>
      ctx.em.execute('select contract_id as "contractId" from import_updates'),
    )
    expect(kept).toEqual([{ contractId: second.id }])
    expect((await undo(request, body.importId)).body).toMatchObject({ restoredContracts: 1, keptCount: 0 })
  })

  test("is nobody else's", async () => {
    const { request } = await aBook()
    const { body } = await importContracts(request, 'Reference,Amount\nA-1,120\n', UPDATE)
    expect(await undo(await anAccount(world), body.importId)).toMatchObject({ status: 404 })
  })

  test('is possible for the newest ten imports, and the others say so', async () => {
    const { request, first } = await aBook()
    const ids: number[] = []
    for (let amount = 1; amount <= 11; amount += 1) {
      ids.push((await importContracts(request, `Reference,Amount\nA-1,${amount}\n`, UPDATE)).body.importId)
    }
    const records = (await call(server, { url: '/imports', headers: bearer(request) })).body
    expect(records.map(({ updatedKept }: { updatedKept: number }) => updatedKept)).toEqual([...Array(10).fill(1), 0])
    expect((await undo(request, Number(ids[0]))).body).toMatchObject({ restoredContracts: 0, keptCount: 0 })
    expect(await contractOf(request, first.id)).toMatchObject({ amount: 11 })
  })
})

describe('emails about updated contracts', () => {
  async function aMailedBook() {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request, { name: 'Acme', email: 'orders@acme.test' })
    const contract = await aContract(request, { customerId, reference: 'A-1', renewalDate: '2026-04-01' })
    return { request, contract }
  }

  test('are asked about where the renewal date changes, and only there', async () => {
    const { request } = await aMailedBook()
    const query = `${UPDATE}&reminders=ask`
    expect(await importContracts(request, 'Reference,Amount\nA-1,120\n', query)).toMatchObject({ status: 200 })
    const asked = await importContracts(request, 'Reference,Renewal Date\nA-1,2026-04-20\n', query)
    expect(asked).toMatchObject({
      status: 409,
      body: { question: { parameter: 'reminders', mail: { customers: 1, isAll: true } } },
    })
    expect(asked.body.question.mail.emails).toBeGreaterThan(0)
  })

  test('are turned off for the new renewal date alone', async () => {
    const { request, contract } = await aMailedBook()
    const muted = async () => {
      const [row] = await world.db.writeAs(requireReader(request).accountId, (em) =>
        em.execute<{ day: string | null }[]>('select muted_renewal_date::text as day from contracts where id = ?', [
          contract.id,
        ]),
      )
      return row?.day
    }
    await importContracts(request, 'Reference,Amount\nA-1,120\n', `${UPDATE}&reminders=off`)
    expect(await muted()).toBeNull()
    const { body } = await importContracts(
      request,
      'Reference,Renewal Date\nA-1,2026-04-20\n',
      `${UPDATE}&reminders=off`,
    )
    expect(await muted()).toBe('2026-04-20')
    await undo(request, body.importId)
    expect(await muted()).toBeNull()
  })
})

test('a key may update contracts by their reference as well, with the scope for imports', async () => {
  const { request, first } = await aBook()
  const key = await anApiKey(request)
  const form = new FormData()
  form.append('file', new Blob(['Reference,Amount\nA-1,120\n']), 'prices.csv')
  const sent = new Response(form)
  const answer = await server.app.inject({
    method: 'POST',
    url: `/contracts/bulk-upload${UPDATE}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': sent.headers.get('content-type') ?? '' },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
  expect(answer.json()).toMatchObject({ updated: 1 })
  expect(await contractOf(request, first.id)).toMatchObject({ amount: 120 })
})

test('an edit that is being saved meanwhile is kept beside the update', async () => {
  const { request, first } = await aBook()
  const saved = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const edit = asSubscriber(request, async (ctx) => {
    await updateContract(ctx, { id: first.id, title: 'Mine', amount: centsFromAmount(7) })
    begun.resolve()
    await saved.promise
  })
  await begun.promise
  await using queue = await watchQueue(world)
  const imported = importContracts(request, 'Reference,Amount\nA-1,120\n', UPDATE)
  await queue.waitedFor(1)
  saved.resolve()
  await edit
  const { body } = await imported
  expect(await contractOf(request, first.id)).toMatchObject({ title: 'Mine', amount: 120 })
  await undo(request, body.importId)
  expect(await contractOf(request, first.id)).toMatchObject({
    title: 'Mine',
    amount: 7,
    renewalDate: toDay('2026-04-01'),
  })
})
