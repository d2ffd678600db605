import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { MessageKey } from '#shared/schemas/reminders.ts'
import { addContact, changeContact, listContacts, makeFirst, removeContact } from '#server/contacts/contacts.service.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { unsubscribe } from '#server/deliverability/unsubscribe.service.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox, deferredMessage, refusedMessage } from '#support/mailbox.ts'
import { notificationsOf } from '#support/notifications.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { announceMail } from './announced-mail.service.ts'
import { planReminder, sendReminder, undoReminder } from './manual-reminders.service.ts'
import { sendReminderNow, skipReminder, snoozeReminder, undoSkippedReminder } from './outbox-actions.service.ts'
import { listComing, listUnreachable } from './outbox.service.ts'
import { planReminders } from './plan-reminders.ts'
import { sendReminders } from './sending/send-reminders.ts'

const world = useWorld()
const DAY = 86_400_000
const FIRST = 'orders@harbor.test'
const SECOND = 'ada@harbor.test'

/** A customer with a second contact, whose reminder of 14 days before is due on the next day. */
async function aServer() {
  let now = new Date('2026-03-09T12:00:00Z')
  const mailbox = aMailbox()
  const services = fakeServices({ mailer: mailbox.mailer, now: () => now, billingNow: () => now })
  const ctx = { db: world.db, services, log: Fastify().log, signal: new AbortController().signal }
  const request = await anAccount(world, { services })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor', email: FIRST })
  const { id } = await aContract(request, { customerId, renewalDate: '2026-03-24' })
  const run = (text: string) => world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(text))
  await run(`update contracts set reminders_since = '2026-01-01'`)
  await run(`update reminder_schedules set planned_through = '2026-03-09', next_plan_at = '2026-03-10'`)
  const ada = await asSubscriber(request, (subscriber) =>
    addContact(subscriber, {
      id: customerId,
      name: 'Ada Lovelace',
      role: 'Buyer',
      email: SECOND,
      phone: null,
      reminders: true,
    }),
  )
  const as = <Result>(work: Parameters<typeof asSubscriber<Result>>[1]) => asSubscriber(request, work)
  return {
    ...mailbox,
    ctx,
    request,
    customerId,
    id,
    ada: ada.id,
    run,
    as,
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    plan: () => planReminders(ctx),
    send: () => sendReminders(ctx),
    to: (address: string) => mailbox.received.filter(({ to }) => to.includes(address)),
    add: (fields: Partial<AddContact>) => as((ctx) => addContact(ctx, AddContact.parse({ id: customerId, ...fields }))),
    rows: async () => (await ledgerOf(request)).filter(({ recipient }) => recipient === 'customer'),
  }
}

type Server = Awaited<ReturnType<typeof aServer>>

/** On the day of the message. */
async function planned(): Promise<Server> {
  const server = await aServer()
  server.pass(DAY)
  await server.plan()
  return server
}

function addressesOf({ received }: Server): string[] {
  return received.flatMap(({ to }) => to.filter((address) => address.endsWith('harbor.test'))).toSorted()
}

/** The same without what an address adds to the name of its mailbox. */
function mailboxesOf(server: Server): string[] {
  return addressesOf(server)
    .map((address) => address.toLowerCase().replace(/\+.*@/, '@'))
    .toSorted()
}

test('each contact gets the message as an email of its own, and has its row', async () => {
  const server = await planned()
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
  expect(server.to(SECOND)[0]?.subject).toBe(server.to(FIRST)[0]?.subject)
  expect(await server.rows()).toMatchObject([
    { contactId: 0, contactName: null, address: FIRST, state: 'sent' },
    { contactId: server.ada, contactName: 'Ada Lovelace', address: SECOND, state: 'sent' },
  ])
})

test('one contact unsubscribes and the other goes on', async () => {
  const server = await planned()
  await server.send()
  const [link = ''] = server.to(SECOND)[0]?.unsubscribe ?? []
  await unsubscribe(server.ctx, link.replace('http://localhost:3000/unsubscribe/', ''))
  expect((await notificationsOf(server.request)).map(({ title }) => title)).toContain(
    'Ada Lovelace (Harbor) unsubscribed',
  )
  server.pass(7 * DAY)
  await server.plan()
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST, FIRST])
  const [latest] = (await server.rows()).filter(({ contactId, offset }) => contactId === server.ada && offset === 7)
  expect(latest).toMatchObject({ state: 'skipped', reason: 'unsubscribed' })
})

test('contacts whose addresses are open get their messages, whichever others of the account are closed', async () => {
  const server = await planned()
  await server.run(`insert into closed_addresses (account_id, address, reason, closed_at)
    select ${server.request.caller?.id}, name || '@elsewhere.test', 'unsubscribed', now() from unnest('{a,b}'::text[]) name`)
  const contacts = await listContacts(requireReader(server.request), { id: server.customerId })
  expect(contacts.map(({ mailClosed }) => mailClosed)).toEqual([null, null])
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
})

describe('a contact gets nothing that was planned once', () => {
  test('its reminders are turned off', async () => {
    const server = await planned()
    await server.as((ctx) => changeContact(ctx, { id: server.ada, reminders: false }))
    await server.send()
    expect(addressesOf(server)).toEqual([FIRST])
  })

  test('it is deleted', async () => {
    const server = await planned()
    await server.as((ctx) => removeContact(ctx, { id: server.ada }))
    await server.send()
    expect(addressesOf(server)).toEqual([FIRST])
    expect((await server.rows())[1]).toMatchObject({
      state: 'skipped',
      reason: 'contact_off',
      contactName: 'Ada Lovelace',
    })
  })

  test('the customer’s notifications are turned off', async () => {
    const server = await planned()
    await server.as((ctx) => updateCustomer(ctx, { id: server.customerId, sendNotifications: false }))
    await server.send()
    expect(addressesOf(server)).toEqual([])
  })

  test('an earlier contact has its address', async () => {
    const server = await planned()
    await server.as((ctx) => changeContact(ctx, { id: server.ada, email: 'Orders@HARBOR.test' }))
    await server.send()
    expect(addressesOf(server)).toEqual([FIRST])
  })
})

test('a contact that is added after a day was planned gets nothing about that day', async () => {
  const server = await planned()
  await server.send()
  await server.add({ name: 'Bob', email: 'bob@harbor.test' })
  server.pass(DAY)
  await server.plan()
  await server.send()
  expect(server.to('bob@harbor.test')).toEqual([])
  server.pass(6 * DAY)
  await server.plan()
  await server.send()
  expect(server.to('bob@harbor.test')).toHaveLength(1)
})

test('made the first, a contact changes places with the first, and both still get each message once', async () => {
  const server = await planned()
  await server.as((ctx) => makeFirst(ctx, { id: server.ada, version: 1 }))
  await server.send()
  server.pass(DAY)
  await server.plan()
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
})

test('made the first after it has got a message, a contact does not get that again, and the former first one does', async () => {
  const server = await planned()
  const [, second] = await server.rows()
  await sendReminderNow(server.request, MessageKey.parse(second))
  expect(addressesOf(server)).toEqual([SECOND])
  await server.as((ctx) => makeFirst(ctx, { id: server.ada, version: 1 }))
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
  expect(await server.rows()).toMatchObject([
    { contactId: server.ada, contactName: 'Harbor', address: FIRST, state: 'sent' },
    { contactId: 0, contactName: null, address: SECOND, state: 'sent' },
  ])
})

test.each(['before', 'after'])(
  'made the first %s a message went out, a contact with the same mailbox changes nothing: it gets it once',
  async (when) => {
    const server = await aServer()
    const { version } = await server.as((ctx) =>
      changeContact(ctx, { id: server.ada, email: 'Orders+ada@harbor.test' }),
    )
    server.pass(DAY)
    await server.plan()
    if (when === 'after') await server.send()
    await server.as((ctx) => makeFirst(ctx, { id: server.ada, version }))
    await server.send()
    server.pass(DAY)
    await server.plan()
    await server.send()
    expect(addressesOf(server)).toHaveLength(1)
    expect(await server.rows()).toMatchObject([
      { contactId: 0, state: 'sent' },
      { contactId: server.ada, state: 'skipped', reason: 'second_copy' },
    ])
  },
)

test('made the first, a contact still gets what the former first one got ahead of its day, which that one does not get again', async () => {
  const server = await aServer()
  const { rows } = await listComing(requireReader(server.request), { limit: 100 })
  const coming = rows.find(({ recipient, contactId }) => recipient === 'customer' && contactId === 0)
  await sendReminderNow(server.request, MessageKey.parse(coming))
  expect(addressesOf(server)).toEqual([FIRST])
  await server.as((ctx) => makeFirst(ctx, { id: server.ada, version: 1 }))
  server.pass(DAY)
  await server.plan()
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
})

test('made the first after a reminder by hand to the former first one alone, a contact gets the reminder of that day, and the other does not', async () => {
  const server = await aServer()
  const { version } = await server.as((ctx) => changeContact(ctx, { id: server.ada, reminders: false }))
  server.pass(DAY)
  await sendReminder(server.request, { id: server.id })
  await server.as((ctx) => makeFirst(ctx, { id: server.ada, version }))
  await server.plan()
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
  expect((await server.rows()).map(({ kind, address, reason }) => [kind, address, reason])).toEqual([
    ['manual', FIRST, null],
    ['reminder', SECOND, null],
    ['reminder', null, 'manual'],
  ])
})

test('made the first, a contact that was added after a day was planned gets nothing about that day', async () => {
  const server = await planned()
  await server.send()
  const bob = await server.add({ name: 'Bob', email: 'bob@harbor.test' })
  await server.as((ctx) => makeFirst(ctx, bob))
  server.pass(DAY)
  await server.plan()
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
})

describe('where one of two contacts with a mailbox changes places with a third one, the mailbox gets each message once', () => {
  test.each([
    ['the new first contact and Ada, before it goes out', 'bob', SECOND, 'before'],
    ['the new first contact and Ada, after it went out', 'bob', SECOND, 'after'],
    ['the former first contact and Ada, before it goes out', 'bob', FIRST, 'before'],
    ['the former first contact and Ada, after it went out', 'bob', FIRST, 'after'],
  ])('%s', async (_who, name, shared, when) => {
    const server = await aServer()
    if (shared === FIRST)
      await server.as((ctx) => changeContact(ctx, { id: server.ada, email: 'Orders+ada@harbor.test' }))
    const email = shared === SECOND ? 'ada+bob@harbor.test' : 'bob@harbor.test'
    const bob = await server.add({ name, email })
    server.pass(DAY)
    await server.plan()
    if (when === 'after') await server.send()
    await server.as((ctx) => makeFirst(ctx, bob))
    await server.send()
    server.pass(DAY)
    await server.plan()
    await server.send()
    expect(mailboxesOf(server)).toEqual(shared === SECOND ? [SECOND, FIRST] : ['bob@harbor.test', FIRST])
    expect((await server.rows()).map(({ state }) => state).toSorted()).toEqual(['sent', 'sent', 'skipped'])
  })
})

test.each([
  ['the former first contact', FIRST],
  ['the other one', SECOND],
])(
  'made the first beside one with its mailbox, a contact without reminders until then changes nothing of what waits for %s',
  async (_who, waiting) => {
    const server = await aServer()
    const bob = await server.add({ name: 'Bob', email: 'Ada+bob@harbor.test', reminders: false })
    server.pass(DAY)
    await server.plan()
    server.fail(deferredMessage(), (address) => address === waiting)
    await server.send()
    await server.as((ctx) => makeFirst(ctx, bob))
    server.fail()
    server.pass(DAY)
    await server.plan()
    await server.send()
    expect(mailboxesOf(server)).toEqual([SECOND, FIRST])
  },
)

test('made the first after days on which nothing was planned, a contact gets what was due on them, and the other not again', async () => {
  const server = await aServer()
  const { rows } = await listComing(requireReader(server.request), { limit: 100 })
  const coming = rows.find(({ recipient, contactId }) => recipient === 'customer' && contactId === 0)
  await sendReminderNow(server.request, MessageKey.parse(coming))
  server.pass(2 * DAY)
  await server.as((ctx) => makeFirst(ctx, { id: server.ada, version: 1 }))
  await server.plan()
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
})

test('made the first, a contact does not get what had been put off for the former first one before, who does', async () => {
  const server = await planned()
  const [first] = await server.rows()
  const until = toDay('2026-03-14')
  await server.as((ctx) => snoozeReminder(ctx, { ...MessageKey.parse(first), until }))
  server.pass(DAY)
  await server.plan()
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND])
  const bob = await server.add({ name: 'Bob', email: 'bob@harbor.test' })
  await server.as((ctx) => makeFirst(ctx, bob))
  server.pass(3 * DAY)
  await server.plan()
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
})

test('made the first while a contract is in the trash, a contact has its messages once that is restored', async () => {
  const server = await planned()
  await server.send()
  await server.as((ctx) => removeContract(ctx, { id: server.id }))
  await server.as((ctx) => makeFirst(ctx, { id: server.ada, version: 1 }))
  await server.as((ctx) => restoreFromTrash(ctx, { customers: [], contracts: [server.id] }))
  expect(await server.rows()).toMatchObject([
    { contactId: server.ada, contactName: 'Harbor', address: FIRST, state: 'sent' },
    { contactId: 0, contactName: null, address: SECOND, state: 'sent' },
  ])
})

test('made the first, a contact leaves alone what the customer got who had its contract before', async () => {
  const server = await planned()
  await server.send()
  const { id: customerId } = await aCustomer(server.request, { name: 'Quay', email: 'quay@harbor.test' })
  const kim = await server.add({ name: 'Kim', email: 'kim@harbor.test', id: customerId })
  await server.run(`update customer_contacts set reminders_from = '2026-01-01'`)
  await server.as((ctx) => updateContract(ctx, UpdateContract.parse({ id: server.id, customerId })))
  server.pass(60 * 60_000)
  await server.run(`update reminder_schedules set next_plan_at = '2026-03-10'`)
  await server.plan()
  await server.send()
  const before = await server.rows()
  expect(before.map(({ address }) => address)).toEqual([FIRST, SECOND, 'kim@harbor.test'])
  server.pass(DAY)
  await sendReminder(server.request, { id: server.id })
  await server.as((ctx) => makeFirst(ctx, { id: kim.id, version: 2 }))
  expect((await server.rows()).slice(0, before.length)).toEqual(before)
  expect((await server.rows()).slice(before.length)).toMatchObject([
    { kind: 'manual', contactId: kim.id, contactName: 'Quay', address: 'quay@harbor.test' },
    { kind: 'manual', contactId: 0, contactName: null, address: 'kim@harbor.test' },
  ])
})

test('made the first, a contact leaves alone what contacts that are gone got before an import', async () => {
  const server = await planned()
  await server.run(`
    insert into reminders overriding system value
    select (jsonb_populate_record(r, jsonb_build_object('id', r.id + 1000, 'contact_id', -r.contact_id, 'contact_name', 'Bob'))).*
    from reminders r where contact_id > 0`)
  await server.as((ctx) => makeFirst(ctx, { id: server.ada, version: 1 }))
  expect((await server.rows()).filter(({ contactName }) => contactName === 'Bob')).toMatchObject([
    { contactId: -server.ada },
  ])
})

test('messages due to one address are one email, also as contacts of two customers', async () => {
  const server = await aServer()
  const { id: mill } = await aCustomer(server.request, { name: 'Mill', email: SECOND })
  await aContract(server.request, { customerId: mill, renewalDate: '2026-03-24' })
  await server.run(`update contracts set reminders_since = '2026-01-01'`)
  server.pass(DAY)
  await server.plan()
  await server.send()
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
  expect(server.to(SECOND)[0]?.subject).toContain('2 contracts')
})

describe('sent by hand', () => {
  test('it goes to each contact that can be reached, at most once a day', async () => {
    const server = await aServer()
    const answer = await sendReminder(server.request, { id: server.id })
    expect(answer).toEqual({ success: true, message: `Reminder sent to ${FIRST}, ${SECOND}` })
    expect(addressesOf(server)).toEqual([SECOND, FIRST])
    await expect(sendReminder(server.request, { id: server.id })).rejects.toMatchObject({ key: 'REMINDER_SENT_TODAY' })
  })

  test('it reaches the others if the first contact has no address', async () => {
    const server = await aServer()
    await server.as((ctx) => updateCustomer(ctx, { id: server.customerId, email: null }))
    await sendReminder(server.request, { id: server.id })
    expect(addressesOf(server)).toEqual([SECOND])
  })

  test('if one is refused, the answer names those that were sent, and the owner is told of the other', async () => {
    const server = await aServer()
    server.fail(refusedMessage(), (address) => address === SECOND)
    const answer = await sendReminder(server.request, { id: server.id })
    expect(answer.message).toBe(`Reminder sent to ${FIRST}`)
    expect((await server.rows()).map(({ state }) => state)).toEqual(['sent', 'failed'])
    expect(await notificationsOf(server.request)).toMatchObject([{ title: 'Email to Harbor failed' }])
  })

  test('undone before it goes out, it goes to nobody', async () => {
    const server = await aServer()
    await planReminder(server.request, { id: server.id })
    expect(await server.rows()).toHaveLength(2)
    await server.as((ctx) => undoReminder(ctx, { id: server.id }))
    server.pass(60_000)
    await server.send()
    expect(addressesOf(server)).toEqual([])
  })
})

test('one contact’s message is skipped, restored and sent at once on its own', async () => {
  const server = await planned()
  const [, row] = await server.rows()
  const key = MessageKey.parse(row)
  expect(key.contactId).toBe(server.ada)
  await server.as((ctx) => skipReminder(ctx, key))
  await server.send()
  expect(addressesOf(server)).toEqual([FIRST])
  await server.as((ctx) => undoSkippedReminder(ctx, key))
  await sendReminderNow(server.request, key)
  expect(addressesOf(server)).toEqual([SECOND, FIRST])
})

test('what is announced and what is coming has each contact’s message, by name', async () => {
  const server = await aServer()
  const { customerId, request } = server
  const { renewalDate, status } = {
    renewalDate: MessageKey.shape.renewalDate.parse('2026-03-24'),
    status: 'active',
  } as const
  const announced = await announceMail(requireReader(request), { customerId, renewalDate, status })
  const { rows } = await listComing(requireReader(request), { limit: 100 })
  const coming = rows.filter(({ recipient }) => recipient === 'customer')
  expect(announced.count).toBe(coming.length)
  expect(coming.slice(0, 2)).toMatchObject([
    { contactId: 0, contactName: null },
    { contactId: server.ada, contactName: 'Ada Lovelace' },
  ])
})

test('a customer of whom one contact can be reached is not listed as unreachable', async () => {
  const server = await aServer()
  await server.as((ctx) => updateCustomer(ctx, { id: server.customerId, email: null }))
  expect(await listUnreachable(requireReader(server.request))).toMatchObject({ total: 0 })
  await server.as((ctx) => changeContact(ctx, { id: server.ada, reminders: false }))
  expect(await listUnreachable(requireReader(server.request))).toMatchObject({ total: 1 })
})
