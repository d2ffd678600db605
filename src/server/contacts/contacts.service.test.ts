import { describe, expect, test } from 'vitest'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { listActivity } from '#server/activity/activity.service.ts'
import type { RequestContext, SubscriberContext } from '#server/context.ts'
import { holdRows } from '#support/held-rows.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import type { ContactView } from './contact.view.ts'
import { addContact, changeContact, listContacts, makeFirst, removeContact } from './contacts.service.ts'
import { clearContactBounce } from '#server/deliverability/bounces.service.ts'
import { getCustomer, removeCustomer, updateCustomer } from '#server/customers/customers.service.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'

const world = useWorld()

function add(request: RequestContext, id: number, fields: Partial<AddContact> = {}) {
  return asSubscriber(request, (ctx) => addContact(ctx, AddContact.parse({ id, name: 'Ada', ...fields })))
}

function contactsOf(request: RequestContext, id: number) {
  return listContacts(requireReader(request), { id })
}

async function contactChanges(request: RequestContext, id: number) {
  const { rows } = await listActivity(requireReader(request), { about: 'customer', id, limit: 100, skip: 0 })
  return rows.flatMap(({ changes }) => changes).filter(({ field }) => field === 'contact')
}

test('a customer’s own address is that of its first contact', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request, { email: 'orders@harbor.test', phone: '555' })
  await asSubscriber(request, (ctx) => updateCustomer(ctx, { id, contactName: 'Grace', contactRole: 'Owner' }))
  const ada = await add(request, id, { role: 'Buyer', email: 'ada@harbor.test' })
  expect(ada).toMatchObject({ name: 'Ada', role: 'Buyer', phone: null, reminders: true, isFirst: false })
  expect(await contactsOf(request, id)).toEqual([
    {
      id: 0,
      customerId: id,
      name: 'Grace',
      role: 'Owner',
      email: 'orders@harbor.test',
      phone: '555',
      reminders: true,
      mailClosed: null,
      bounce: null,
      version: 2,
      isFirst: true,
    },
    ada,
  ])
})

test('a contact is changed field by field, and deleted', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  const ada = await add(request, id, { email: 'ada@harbor.test' })
  const changed = await asSubscriber(request, (ctx) => changeContact(ctx, { id: ada.id, role: 'Buyer' }))
  expect(changed).toEqual({ ...ada, role: 'Buyer', version: 2 })
  await asSubscriber(request, (ctx) => removeContact(ctx, { id: ada.id }))
  expect(await contactsOf(request, id)).toHaveLength(1)
})

test('made the first, it changes places with the first, which keeps getting reminders', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request, { name: 'Harbor', email: 'orders@harbor.test', phone: '555' })
  const ada = await add(request, id, { email: 'ada@harbor.test', role: 'Buyer', reminders: false })
  const contacts = await asSubscriber(request, (ctx) => makeFirst(ctx, ada))
  expect(contacts).toMatchObject([
    { id: 0, name: 'Ada', role: 'Buyer', email: 'ada@harbor.test', phone: null },
    { id: ada.id, name: 'Harbor', role: null, email: 'orders@harbor.test', phone: '555', reminders: true },
  ])
  expect(await getCustomer(requireReader(request), { id })).toMatchObject({ email: 'ada@harbor.test' })
})

test('made the first twice, it stays the first', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request, { name: 'Harbor', email: 'orders@harbor.test' })
  const ada = await add(request, id, { email: 'ada@harbor.test' })
  const contacts = await asSubscriber(request, (ctx) => makeFirst(ctx, ada))
  const repeated = asSubscriber(request, (ctx) => makeFirst(ctx, ada))
  await expect(repeated).rejects.toMatchObject({ key: 'CONTACT_CHANGED' })
  expect(await contactsOf(request, id)).toEqual(contacts)
})

test('a change made from an older version is refused, with what differs', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  const ada = await add(request, id, { role: 'Buyer' })
  const seen = { ifVersion: [ada.version] }
  const change = (role: string) => asSubscriber(request, (ctx) => changeContact(ctx, { id: ada.id, role }, seen))
  const current = await change('Owner')
  expect(current).toMatchObject({ role: 'Owner', version: 2 })
  const refusal = { key: 'CONTACT_CHANGED', details: { current, differs: ['role'] } }
  await expect(change('Clerk')).rejects.toMatchObject(refusal)
  expect((await contactsOf(request, id))[1]).toEqual(current)
})

test('deleting one that has been made the first since is refused, as its ID is that of the former first one', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request, { name: 'Harbor' })
  const ada = await add(request, id)
  const contacts = await asSubscriber(request, (ctx) => makeFirst(ctx, ada))
  const seen = { ifVersion: [ada.version] }
  const removed = asSubscriber(request, (ctx) => removeContact(ctx, { id: ada.id }, seen))
  await expect(removed).rejects.toMatchObject({ key: 'CONTACT_CHANGED', details: { current: { name: 'Harbor' } } })
  expect(await contactsOf(request, id)).toEqual(contacts)
})

type Act = (ctx: SubscriberContext, contact: ContactView) => Promise<unknown>
const CHANGED: [string, Act] = ['changed', (ctx, { id }) => changeContact(ctx, { id, role: 'Buyer' })]
const MADE_FIRST: [string, Act] = ['made the first', (ctx, contact) => makeFirst(ctx, contact)]
const DELETED: [string, Act] = ['deleted', (ctx, { id }) => removeContact(ctx, { id })]

test.each<[string, Act]>([
  ['added', (ctx, { customerId }) => addContact(ctx, AddContact.parse({ id: customerId, name: 'Bob' }))],
  CHANGED,
  MADE_FIRST,
  DELETED,
])('a contact that is %s waits for its customer before it locks the schedule, as others do', async (_what, act) => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  await aContract(request, { customerId: id })
  const ada = await add(request, id)
  await using lock = await holdRows(world, 'customers')
  const acted = asSubscriber(request, (ctx) => act(ctx, ada))
  await lock.waitedFor(1)
  const locked = await lock.holder.query('select from reminder_schedules for update nowait')
  expect(locked.rowCount).toBeGreaterThan(0)
  await lock.release()
  await acted
})

test.each([CHANGED, MADE_FIRST])('a contact that is deleted while it is being %s is not found', async (_what, act) => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  const ada = await add(request, id)
  const acting = asSubscriber(request, (ctx) => {
    const read = new Proxy(ctx.read, {
      apply: async (target, self, statement) => {
        const rows: unknown = await Reflect.apply(target, self, statement)
        await asSubscriber(request, (other) => removeContact(other, { id: ada.id }))
        return rows
      },
    })
    return act({ ...ctx, read }, ada)
  })
  await expect(acting).rejects.toMatchObject({ key: 'CONTACT_NOT_FOUND' })
})

test.each([CHANGED, MADE_FIRST, DELETED])(
  'a contact is not %s once its customer is in the trash, and comes back with it',
  async (_what, act) => {
    const request = await anAccount(world)
    const { id } = await aCustomer(request)
    const ada = await add(request, id)
    await using lock = await holdRows(world, 'customers')
    const acted = asSubscriber(request, (ctx) => act(ctx, ada)).catch((error: unknown) => error)
    await lock.waitedFor(1)
    await lock.holder.query('update customers set deleted_at = now()')
    await lock.release()
    expect(await acted).toMatchObject({ key: 'CONTACT_NOT_FOUND' })
    await asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [id], contracts: [] }))
    expect(await contactsOf(request, id)).toMatchObject([{ isFirst: true }, ada])
  },
)

test('there are at most 20 besides the first', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  for (let n = 0; n < 20; n += 1) await add(request, id)
  await expect(add(request, id)).rejects.toMatchObject({ key: 'CONTACTS_FULL' })
})

test('there are at most 20 also of two that are added at once', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  for (let n = 0; n < 19; n += 1) await add(request, id)
  await using lock = await holdRows(world, 'customers')
  const added = add(request, id).catch((error: unknown) => error)
  await lock.waitedFor(1)
  await lock.holder.query(`
    insert into customer_contacts (account_id, customer_id, name, reminders, reminders_from, created_at)
    select account_id, customer_id, name, reminders, reminders_from, created_at from customer_contacts limit 1`)
  await lock.release()
  expect(await added).toMatchObject({ key: 'CONTACTS_FULL' })
})

describe('the activity of the customer', () => {
  test('has each change of its contacts', async () => {
    const request = await anAccount(world)
    const { id } = await aCustomer(request)
    const ada = await add(request, id, { email: 'ada@harbor.test' })
    await asSubscriber(request, (ctx) => changeContact(ctx, { id: ada.id, reminders: false }))
    await asSubscriber(request, (ctx) => changeContact(ctx, { id: ada.id, reminders: false }))
    await asSubscriber(request, (ctx) => removeContact(ctx, { id: ada.id }))
    const off = 'Ada, ada@harbor.test, no reminders'
    expect(await contactChanges(request, id)).toEqual([
      { field: 'contact', before: off, after: null },
      { field: 'contact', before: 'Ada, ada@harbor.test', after: off },
      { field: 'contact', before: null, after: 'Ada, ada@harbor.test' },
    ])
  })

  test('has nothing of contacts that are deleted with their customer', async () => {
    const request = await anAccount(world)
    const { id } = await aCustomer(request)
    await add(request, id)
    await asSubscriber(request, (ctx) => removeCustomer(ctx, { id }))
    expect(await contactChanges(request, id)).toHaveLength(1)
  })

  test('is impossible on nobody’s behalf', async () => {
    const request = await anAccount(world)
    const { id } = await aCustomer(request)
    await add(request, id)
    const change = request.db
      .as('')
      .writeAs(request.caller?.id ?? 0, (em) => em.execute(`delete from customer_contacts`))
    await expect(change).rejects.toThrow('app.actor is not set')
  })
})

test('an imported customer counts as edited once it has another contact', async () => {
  const request = await anAccount(world)
  const accountId = request.caller?.id ?? 0
  const { id } = await aCustomer(request)
  const run = (text: string) => world.db.writeAs(accountId, (em) => em.execute<{ edited: boolean }[]>(text))
  await run(`with i as (insert into imports (account_id, kind, file_name, sha256, headings, rows, finished_at)
    values (${accountId}, 'customers', 'a.csv', '', '[]', 1, now()) returning id)
    update customers set import_id = i.id, edited_at = null from i where customers.id = ${id}`)
  await add(request, id)
  expect(await run(`select edited_at is not null as edited from customers where id = ${id}`)).toEqual([
    { edited: true },
  ])
})

test('an address that bounced says so at its contact until it is marked as working, also twice', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request, { email: 'orders@harbor.test' })
  const ada = await add(request, id, { email: 'Ada@harbor.test' })
  const accountId = request.caller?.id ?? 0
  const bounces = async () => (await contactsOf(request, id)).map(({ bounce }) => bounce?.answer)
  await world.db.writeAs(accountId, (em) =>
    em.execute(
      `insert into bounced_addresses (account_id, address, bounced_at, answer)
        select ?, address, now(), '550 ' || address from unnest('{ada@harbor.test,other@harbor.test}'::text[]) address`,
      [accountId],
    ),
  )
  expect(await bounces()).toEqual([undefined, '550 ada@harbor.test'])
  const clear = (as: RequestContext) => asSubscriber(as, (ctx) => clearContactBounce(ctx, { id: ada.id }))
  await expect(clear(await anAccount(world))).rejects.toMatchObject({ key: 'CONTACT_NOT_FOUND' })
  expect(await bounces()).toEqual([undefined, '550 ada@harbor.test'])
  await clear(request)
  await clear(request)
  expect(await bounces()).toEqual([undefined, undefined])
})

test("another account gets 'not found'", async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  const ada = await add(request, id)
  const other = await anAccount(world)
  await expect(contactsOf(other, id)).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
  await expect(add(other, id)).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
  const notFound = { key: 'CONTACT_NOT_FOUND' }
  await expect(asSubscriber(other, (ctx) => changeContact(ctx, { id: ada.id }))).rejects.toMatchObject(notFound)
  await expect(asSubscriber(other, (ctx) => removeContact(ctx, { id: ada.id }))).rejects.toMatchObject(notFound)
  await expect(asSubscriber(other, (ctx) => makeFirst(ctx, ada))).rejects.toMatchObject(notFound)
})
test('of a customer in the trash, contacts are not found, and come back with the customer', async () => {
  const request = await anAccount(world)
  const { id } = await aCustomer(request)
  const ada = await add(request, id, { email: 'ada@harbor.test' })
  await asSubscriber(request, (ctx) => removeCustomer(ctx, { id }))
  await expect(contactsOf(request, id)).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
  await expect(add(request, id)).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
  const refused = { key: 'CONTACT_NOT_FOUND' }
  const change = asSubscriber(request, (ctx) => changeContact(ctx, { id: ada.id, role: 'Buyer' }))
  await expect(change).rejects.toMatchObject(refused)
  await expect(asSubscriber(request, (ctx) => makeFirst(ctx, ada))).rejects.toMatchObject(refused)
  await expect(asSubscriber(request, (ctx) => removeContact(ctx, { id: ada.id }))).rejects.toMatchObject(refused)
  await asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [id], contracts: [] }))
  expect((await contactsOf(request, id)).slice(1)).toEqual([ada])
})
