import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CreateContract, UpdateContract } from '#shared/schemas/contracts.ts'
import { ListContracts, ListCustomers } from '#shared/schemas/filters.ts'
import { listActivity } from '#server/activity/activity.service.ts'
import { requireReader, type RequestContext } from '#server/context.ts'
import {
  contractFigures,
  createContract,
  getContract,
  listContracts,
  removeContract,
  updateContract,
} from '#server/contracts/contracts.service.ts'
import { customerFigures, getCustomer, listCustomers, removeCustomer } from '#server/customers/customers.service.ts'
import { storedRows } from '#server/customers/row-quota.ts'
import { holdRows, holdStatement } from '#support/held-rows.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { listTrash, removeContractForGood, removeCustomerForGood, restoreFromTrash } from './trash.service.ts'

const world = useWorld()
const NOW = new Date('2026-03-10T12:00:00Z')
const services = { now: () => NOW, billingNow: () => NOW }

async function anOwner() {
  const request = await anAccount(world, { services })
  return { request, ...trashOf(request) }
}

function trashOf(request: RequestContext) {
  const reader = () => requireReader(request)
  return {
    reader,
    trash: async () => (await listTrash(reader(), { limit: 100, skip: 0 })).rows,
    deleteContract: (id: number) => asSubscriber(request, (ctx) => removeContract(ctx, { id })),
    deleteCustomer: (id: number) => asSubscriber(request, (ctx) => removeCustomer(ctx, { id })),
    restore: (which: { customers?: number[]; contracts?: number[] }) =>
      asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [], contracts: [], ...which })),
    contract: (id: number) => getContract(reader(), { id }),
    figures: async () => ({ ...(await contractFigures(reader())), customers: await customerFigures(reader()) }),
  }
}

describe('a deleted contract', () => {
  test('is neither listed nor counted, and comes back as it was', async () => {
    const { request, contract, deleteContract, restore, figures, trash, reader } = await anOwner()
    const { id } = await aContract(request, { title: 'Cleaning', amount: 120, renewalDate: '2026-03-20' })
    const [before, counted] = [await contract(id), await figures()]
    await deleteContract(id)
    await expect(contract(id)).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
    await expect(deleteContract(id)).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
    expect(await figures()).toMatchObject({ total: 0, active: 0, revenue: 0, customers: { withContracts: 0 } })
    expect(await listContracts(reader(), ListContracts.parse({ search: 'Acme' }))).toMatchObject({ total: 0, rows: [] })
    expect(await trash()).toEqual([
      {
        kind: 'contract',
        id,
        name: 'Acme Ltd',
        title: 'Cleaning',
        amount: 120,
        deletedAt: NOW,
        deletedBy: { kind: 'person', name: expect.stringContaining('@') },
        goneAt: new Date('2026-04-09T12:00:00Z'),
      },
    ])
    expect(await restore({ contracts: [id] })).toEqual({
      customers: [],
      contracts: [id],
      droppedNumbers: [],
      notRestored: [],
    })
    expect(await contract(id)).toEqual({ ...before, version: before.version + 2 })
    expect(await figures()).toEqual(counted)
    expect(await trash()).toEqual([])
  })

  test('cannot be changed, and says in its activity that it was deleted and restored', async () => {
    const { request, deleteContract, restore, reader } = await anOwner()
    const { id } = await aContract(request)
    await deleteContract(id)
    const edit = asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, amount: 5 })))
    await expect(edit).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
    await restore({ contracts: [id] })
    const { rows } = await listActivity(reader(), { about: 'contract', id, limit: 10, skip: 0 })
    expect(rows.map(({ action, changes }) => [action, changes])).toEqual([
      ['restored', []],
      ['deleted', []],
      ['created', []],
    ])
  })

  test('brings its customer along', async () => {
    const { request, deleteContract, deleteCustomer, restore, contract } = await anOwner()
    const { id, customerId } = await aContract(request)
    await deleteContract(id)
    await deleteCustomer(customerId)
    expect(await restore({ contracts: [id] })).toMatchObject({ customers: [customerId], contracts: [id] })
    expect(await contract(id)).toMatchObject({ customerName: 'Acme Ltd' })
  })

  test('takes along what is planned for it, and brings back exactly that', async () => {
    const { request, deleteContract, restore, reader } = await anOwner()
    const { id, customerId } = await aContract(request)
    const { accountId } = reader()
    await world.db.writeAs(accountId, (em) =>
      em.execute(`insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, kind,
          offset_days, due_on, recipient, channel, state, planned_at, next_attempt_at, ended_at, reason)
        select ${accountId}, ${id}, ${customerId}, 'Acme Ltd', '2026-04-01', 'reminder', days, '2026-03-10', 'customer',
          'email', case days when 30 then 'skipped' else 'planned' end, now(), case days when 14 then now() end,
          case days when 30 then now() end, case days when 30 then 'no_address' end
        from unnest(array[14, 30]) days`),
    )
    const states = async () => {
      const statement = sql`select offset_days as days, state, reason from reminders order by offset_days`
      return reader().read(statement, z.object({ days: z.int(), state: z.string(), reason: z.string().nullable() }))
    }
    // A clock that was ahead has written this one, about another term.
    await world.db.writeAs(accountId, (em) =>
      em.execute(`
        insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, term_number, kind,
          offset_days, due_on, recipient, channel, state, planned_at, ended_at, reason)
        select account_id, contract_id, customer_id, customer_name, renewal_date, 2, kind, 60, due_on, recipient, channel,
          'skipped', planned_at, '2026-03-20', 'renewed' from reminders where offset_days = 30`),
    )
    const before = await states()
    await deleteContract(id)
    expect(await states()).toEqual([{ ...before[0], state: 'skipped', reason: 'contract_deleted' }, ...before.slice(1)])
    await restore({ contracts: [id] })
    expect(await states()).toEqual(before)
  })

  test('counts as stored', async () => {
    const { request, deleteContract, reader } = await anOwner()
    const { id } = await aContract(request)
    await deleteContract(id)
    const { read, accountId } = reader()
    const [stored] = await read(sql`select (${storedRows(accountId)}) as count`, z.object({ count: z.int() }))
    expect(stored).toEqual({ count: 2 })
  })
})

describe('a customer', () => {
  test('with contracts outside the trash is not deleted', async () => {
    const { request, deleteContract, deleteCustomer } = await anOwner()
    const { id, customerId } = await aContract(request)
    await aContract(request, { customerId })
    await deleteContract(id)
    await expect(deleteCustomer(customerId)).rejects.toMatchObject({ key: 'CUSTOMER_HAS_CONTRACTS' })
  })

  test('in the trash gets no contract', async () => {
    const { request, deleteCustomer } = await anOwner()
    const { id: customerId } = await aCustomer(request)
    const other = await aContract(request)
    await deleteCustomer(customerId)
    const refused = { key: 'CUSTOMER_NOT_FOUND' }
    const terms = { amount: 1, startDate: '2026-01-01', renewalCycle: 'monthly', renewalDate: '2026-04-01' }
    const input = CreateContract.parse({ customerId, status: 'active', ...terms })
    await expect(asSubscriber(request, (ctx) => createContract(ctx, input))).rejects.toMatchObject(refused)
    const edit = UpdateContract.parse({ id: other.id, customerId })
    await expect(asSubscriber(request, (ctx) => updateContract(ctx, edit))).rejects.toMatchObject(refused)
  })

  test('that is deleted while a contract is added to it keeps one of the two', async () => {
    const { request, deleteCustomer, reader } = await anOwner()
    for (let round = 0; round < 10; round += 1) {
      const { id: customerId } = await aCustomer(request)
      const results = await Promise.allSettled([deleteCustomer(customerId), aContract(request, { customerId })])
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
    const { rows } = await listContracts(reader(), ListContracts.parse({ limit: 100 }))
    for (const { customerId } of rows) await getCustomer(reader(), { id: customerId })
  })

  test('that is deleted while its contract is restored is kept', async () => {
    const { request, deleteContract, deleteCustomer, restore, contract } = await anOwner()
    const { id, customerId } = await aContract(request)
    await deleteContract(id)
    await using lock = await holdRows(world, 'contract_totals')
    const restoring = restore({ contracts: [id] })
    await lock.waitedFor(1)
    const deleting = deleteCustomer(customerId).catch((error: unknown) => error)
    await lock.waitedFor(2)
    await lock.release()
    expect(await deleting).toMatchObject({ key: 'CUSTOMER_HAS_CONTRACTS' })
    expect(await restoring).toMatchObject({ contracts: [id] })
    expect(await contract(id)).toMatchObject({ customerName: 'Acme Ltd' })
  })

  test('that is restored while a contract is added to it is not found, and has the next one', async () => {
    const { request, deleteCustomer, restore } = await anOwner()
    await aContract(request)
    const { id: customerId } = await aCustomer(request)
    await deleteCustomer(customerId)
    await using lock = await holdRows(world, 'contract_totals')
    const adding = aContract(request, { customerId }).catch((error: unknown) => error)
    await lock.waitedFor(1)
    await restore({ customers: [customerId] })
    await lock.release()
    expect(await adding).toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
    expect(await aContract(request, { customerId })).toMatchObject({ customerId })
  })

  test('comes back without a number that another customer has by now', async () => {
    const { request, deleteCustomer, restore, reader } = await anOwner()
    const numbers = ['C-1', 'C-2', 'c-2']
    const ids: number[] = []
    for (const customerNumber of numbers) {
      const { id } = await aCustomer(request, { name: `Had ${customerNumber}`, customerNumber })
      await deleteCustomer(id)
      ids.push(id)
    }
    await aCustomer(request, { customerNumber: 'c-1' })
    const [first, second, third] = ids
    expect(await restore({ customers: ids })).toMatchObject({
      customers: ids,
      droppedNumbers: [
        { customerId: first, name: 'Had C-1', customerNumber: 'C-1' },
        { customerId: third, name: 'Had c-2', customerNumber: 'c-2' },
      ],
    })
    expect(await getCustomer(reader(), { id: second ?? 0 })).toMatchObject({ customerNumber: 'C-2' })
  })

  test('whose number another customer is given just now stays in the trash', async () => {
    const { request, deleteCustomer, restore, trash } = await anOwner()
    const { id } = await aCustomer(request, { customerNumber: 'C-1' })
    await deleteCustomer(id)
    await using other = await holdStatement(
      world,
      `insert into customers (account_id, name, customer_number) values ($1, 'Other', 'c-1')`,
      [request.caller?.id],
    )
    const restoring = restore({ customers: [id] }).catch((error: unknown) => error)
    await other.waitedFor(1)
    await other.release()
    expect(await restoring).toMatchObject({ key: 'ACCOUNT_BUSY' })
    expect(await trash()).toMatchObject([{ kind: 'customer', id }])
    expect(await restore({ customers: [id] })).toMatchObject({ droppedNumbers: [{ customerId: id }] })
  })

  test('is not found by a search', async () => {
    const { request, deleteCustomer, reader } = await anOwner()
    const { id } = await aCustomer(request, { name: 'Harbor Cafe' })
    await deleteCustomer(id)
    expect(await listCustomers(reader(), ListCustomers.parse({ search: 'harbor' }))).toMatchObject({
      total: 0,
      rows: [],
    })
  })
})

test('the trash is listed a page at a time, also of what was deleted at the same time', async () => {
  const { request, deleteContract, deleteCustomer, reader } = await anOwner()
  for (let each = 0; each < 3; each += 1) {
    const { id, customerId } = await aContract(request)
    await deleteContract(id)
    await deleteCustomer(customerId)
  }
  const found: string[] = []
  for (let after: string | undefined, more = true; more;) {
    const page = await listTrash(reader(), { limit: 2, skip: 0, after })
    expect(page.total).toBe(6)
    found.push(...page.rows.map(({ kind, id }) => `${kind} ${id}`))
    after = page.last ?? undefined
    more = page.more
  }
  expect(found).toEqual(['contract 3', 'customer 3', 'contract 2', 'customer 2', 'contract 1', 'customer 1'])
})

describe('deleting for good', () => {
  test('takes a contract with its PDF, and says so in its activity', async () => {
    const { request, deleteContract, trash, reader } = await anOwner()
    const { id } = await aContract(request)
    const purge = () => asSubscriber(request, (ctx) => removeContractForGood(ctx, { id }))
    await expect(purge()).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
    await deleteContract(id)
    await purge()
    expect(await trash()).toEqual([])
    const { rows } = await listActivity(reader(), { about: 'contract', id, limit: 10, skip: 0 })
    expect(rows.map(({ action }) => action)).toEqual(['removed', 'deleted'])
  })

  test('takes a customer with the contracts that are in the trash', async () => {
    const { request, deleteContract, deleteCustomer, trash } = await anOwner()
    const { id, customerId } = await aContract(request)
    const purge = () => asSubscriber(request, (ctx) => removeCustomerForGood(ctx, { id: customerId }))
    await deleteContract(id)
    await expect(purge()).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
    expect(await trash()).toHaveLength(1)
    await deleteCustomer(customerId)
    await purge()
    expect(await trash()).toEqual([])
  })
})

test("another account's rows are not found", async () => {
  const theirs = await anOwner()
  const { id, customerId } = await aContract(theirs.request)
  await theirs.deleteContract(id)
  await theirs.deleteCustomer(customerId)
  const { request, trash, restore } = await anOwner()
  expect(await trash()).toEqual([])
  expect(await restore({ customers: [customerId], contracts: [id] })).toEqual({
    customers: [],
    contracts: [],
    droppedNumbers: [],
    notRestored: [
      { kind: 'customer', id: customerId, reason: 'It is not in the trash' },
      { kind: 'contract', id, reason: 'It is not in the trash' },
    ],
  })
  await expect(asSubscriber(request, (ctx) => removeContractForGood(ctx, { id }))).rejects.toMatchObject({
    key: 'CONTRACT_NOT_FOUND',
  })
  await expect(asSubscriber(request, (ctx) => removeCustomerForGood(ctx, { id: customerId }))).rejects.toMatchObject({
    key: 'CUSTOMER_NOT_FOUND',
  })
  expect(await theirs.trash()).toHaveLength(2)
})
