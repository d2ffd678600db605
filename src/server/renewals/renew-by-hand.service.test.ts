import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { UNDO_MS } from '#shared/domain/manual-reminder.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { MessageKey } from '#shared/schemas/reminders.ts'
import { MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { RenewContract, SaveRenewalSettings } from '#shared/schemas/renewals.ts'
import { addContact, listContacts, makeFirst } from '#server/contacts/contacts.service.ts'
import { requireReader } from '#server/context.ts'
import { saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { endContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { updateCompany } from '#server/company/company.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { muteContract } from '#server/reminders/contract-reminders.service.ts'
import { planReminder, sendReminder } from '#server/reminders/manual-reminders.service.ts'
import {
  sendReminderNow,
  skipReminder,
  snoozeReminder,
  undoSkippedReminder,
} from '#server/reminders/outbox-actions.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { saveText } from '#server/reminder-settings/texts.service.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox, deferredMessage, lostConnection, refusedMessage } from '#support/mailbox.ts'
import { notificationsOf } from '#support/notifications.ts'
import { fakeServices } from '#support/services.ts'
import {
  aContract,
  aCustomer,
  anAccount,
  asSubscriber,
  COMPANY,
  useWorld,
  type AccountOptions,
} from '#support/world.ts'
import { previewRenewal, renewByHand } from './renew-by-hand.service.ts'

const world = useWorld()
const [FIRST, SECOND] = ['orders@harbor.test', 'ada@harbor.test']
const DAY = 86_400_000

/** A contract of Harbor, whose second contact is Ada, which renews on April 1; today is March 10. */
async function aServer(changes: Parameters<typeof aContract>[1] = {}, options: AccountOptions = {}) {
  let now = new Date('2026-03-10T12:00:00Z')
  const mailbox = aMailbox()
  const clocks = { mailer: mailbox.mailer, now: () => now, billingNow: () => now }
  const services = fakeServices({ ...clocks, ...options.services })
  const request = await anAccount(world, { ...options, services })
  const job = { db: world.db, services, log: Fastify().log, signal: new AbortController().signal }
  const { id: customerId } = await aCustomer(request, { name: 'Harbor', email: FIRST })
  const { id } = await aContract(request, { customerId, renewalDate: '2026-04-01', ...changes })
  const as = <Result>(work: Parameters<typeof asSubscriber<Result>>[1]) => asSubscriber(request, work)
  await as((ctx) => addContact(ctx, AddContact.parse({ id: customerId, name: 'Ada', email: SECOND })))
  const key = (contactId = 0, renewalDate = '2026-05-01') =>
    MessageKey.parse({
      contractId: id,
      renewalDate,
      kind: 'confirmation',
      offset: 0,
      recipient: 'customer',
      contactId,
      channel: 'email',
    })
  return {
    ...mailbox,
    request,
    job,
    customerId,
    id,
    as,
    key,
    renew: (asked: object = { confirm: true }) => as((ctx) => renewByHand(ctx, RenewContract.parse({ id, ...asked }))),
    preview: (asked: object = {}) => previewRenewal(requireReader(request), RenewContract.parse({ id, ...asked })),
    undo: () => as((ctx) => undoDecision(ctx, { id })),
    turn: (confirmRenewals: boolean) =>
      as((ctx) =>
        saveRenewalSettings(
          ctx,
          SaveRenewalSettings.parse({ confirmRenewals, endOverdueAfterDays: null, endReasons: ['Price'] }),
        ),
      ),
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    send: async (ms = UNDO_MS) => {
      now = new Date(now.getTime() + ms)
      await sendReminders(job)
    },
    plan: async () => {
      await world.db.system.query('update reminder_schedules set next_plan_at = $1', [now])
      await planReminders(job)
    },
    rows: async () => (await ledgerOf(request)).filter(({ kind }) => kind === 'confirmation'),
    to: (address: string) => mailbox.received.filter(({ to }) => to.includes(address)),
    run: (text: string) => world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(text)),
  }
}

describe('renewing tells the customer', () => {
  test('each contact, in ten seconds, what was renewed and for how much', async () => {
    const server = await aServer({ amount: 100, title: 'Web hosting' })
    const renewed = await server.renew({ confirm: true, amount: 120 })
    const goesOutAt = new Date('2026-03-10T12:00:10Z')
    expect(renewed).toMatchObject({ term: 2, confirmation: { to: [FIRST, SECOND], goesOutAt } })
    await server.send(UNDO_MS - 1)
    expect(server.received).toEqual([])
    await server.send(1)
    await server.send()
    expect(server.to(FIRST)).toHaveLength(1)
    expect(server.to(SECOND)).toHaveLength(1)
    const [mail] = server.to(SECOND)
    expect(mail?.subject).toBe('Your contract has been renewed until May 1, 2026')
    expect(mail?.text).toContain(
      `Your contract with ${COMPANY} has been renewed. The new term runs from April 1, 2026 until May 1, 2026 and costs $120.00 (monthly).`,
    )
    expect(mail?.text).toContain('Previously, the amount was $100.00.')
    expect(mail?.unsubscribe).not.toEqual([])
    expect(await server.rows()).toMatchObject([
      { contactId: 0, contactName: null, state: 'sent', renewalDate: '2026-05-01', offset: 0 },
      { contactName: 'Ada', state: 'sent', address: SECOND },
    ])
  })

  test('only if the request or the settings say so', async () => {
    const server = await aServer()
    expect(await server.renew({})).toMatchObject({ confirmation: null })
    expect(await server.renew({ term: 2, confirm: false })).toMatchObject({ confirmation: null })
    expect(await server.rows()).toEqual([])
    await server.turn(true)
    expect(await server.renew({ term: 3, confirm: false })).toMatchObject({ confirmation: null })
    expect(await server.renew({ term: 4 })).toMatchObject({ confirmation: { to: [FIRST, SECOND] } })
    expect(await server.rows()).toHaveLength(2)
  })

  test('in the words of the account, if it has its own', async () => {
    const server = await aServer()
    const own = { subject: 'Thank you, {{customer}}', body: '{{oldAmount}}, {{startDate}}: {{changes}}' }
    await server.as((ctx) => saveText(ctx, { kind: 'confirmation', ...own }))
    await server.renew()
    await server.send()
    expect(server.to(FIRST)[0]?.subject).toBe('Thank you, Harbor')
    expect(server.to(FIRST)[0]?.text).toContain(
      '$100.00, April 1, 2026: The amount and the renewal cycle stay the same.',
    )
  })

  test('of the newest of several renewals at once', async () => {
    const server = await aServer()
    await server.renew()
    await server.renew({ term: 2, confirm: true })
    await server.send()
    expect(server.to(FIRST).map(({ subject }) => subject)).toEqual([
      'Your contract has been renewed until June 1, 2026',
    ])
    expect((await server.rows()).map(({ state, reason }) => [state, reason])).toEqual([
      ['skipped', 'renewed'],
      ['skipped', 'renewed'],
      ['sent', null],
      ['sent', null],
    ])
  })

  test('nobody of another account', async () => {
    const [server, other] = [await aServer(), await aServer()]
    await expect(server.as((ctx) => renewByHand(ctx, { id: other.id, confirm: true }))).rejects.toMatchObject({
      key: 'CONTRACT_NOT_FOUND',
    })
    await expect(previewRenewal(requireReader(server.request), { id: other.id })).rejects.toMatchObject({
      key: 'CONTRACT_NOT_FOUND',
    })
    expect(await other.rows()).toEqual([])
  })
})

describe('undoing the renewal', () => {
  test('withdraws what has not gone out, and renewing again tells anew', async () => {
    const server = await aServer()
    await server.renew()
    expect(await server.undo()).toMatchObject({ term: 1, alreadyTold: [] })
    await server.send()
    expect(server.received).toEqual([])
    expect(await server.rows()).toEqual([])
    await server.renew()
    await server.send()
    expect(server.to(FIRST)).toHaveLength(1)
  })

  test('says to whom it had gone out already, who is not told again of that term', async () => {
    const server = await aServer()
    await server.renew()
    await server.send()
    expect(await server.undo()).toMatchObject({ term: 1, alreadyTold: [SECOND, FIRST] })
    expect((await server.rows()).map(({ state }) => state)).toEqual(['sent', 'sent'])
    const { readers } = await server.preview()
    expect(readers.map(({ obstacle }) => obstacle)).toEqual([
      'They have already been told of this term',
      'They have already been told of this term',
    ])
    expect(await server.renew({ confirm: true, renewalDate: '2026-06-15' })).toMatchObject({ confirmation: null })
    await server.send()
    expect(server.received).toHaveLength(2)
  })

  test('tells nobody again whose second contact at the same mailbox has been made the first since', async () => {
    const server = await aServer()
    await server.run(`update customer_contacts set email = 'Orders+ada@harbor.test'`)
    await server.renew()
    await server.send()
    expect(server.received).toHaveLength(1)
    await server.undo()
    const contacts = await listContacts(requireReader(server.request), { id: server.customerId })
    const [id, version] = [contacts.at(-1)?.id ?? 0, contacts.at(-1)?.version ?? 0]
    await server.as((ctx) => makeFirst(ctx, { id, version }))
    const { readers } = await server.preview()
    expect(readers.map(({ obstacle }) => obstacle)).toEqual([
      'They have already been told of this term',
      'Another contact of the customer has the same address',
    ])
    expect(await server.renew()).toMatchObject({ confirmation: null })
    await server.send()
    expect(server.received).toHaveLength(1)
  })

  test('tells nobody again after a contact who has not been told was made the first, and tells that one', async () => {
    const server = await aServer()
    await server.renew()
    await server.send()
    await server.undo()
    const bob = AddContact.parse({ id: server.customerId, name: 'Bob', email: 'bob@harbor.test' })
    const contact = await server.as((ctx) => addContact(ctx, bob))
    await server.as((ctx) => makeFirst(ctx, contact))
    expect(await server.renew()).toMatchObject({ confirmation: { to: ['bob@harbor.test'] } })
    await server.send()
    expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual([SECOND, 'bob@harbor.test', FIRST])
  })

  test('is followed by another try only where nothing was sent', async () => {
    const server = await aServer()
    server.fail(refusedMessage(), (address) => address === SECOND)
    await server.renew()
    await server.send()
    server.fail(lostConnection(), (address) => address === FIRST)
    await server.run(`update bounced_addresses set cleared_at = now()`)
    await server.undo()
    expect((await server.renew()).confirmation?.to).toEqual([SECOND])
    await server.send()
    expect(server.to(FIRST)).toHaveLength(1)
    expect(server.to(SECOND)).toHaveLength(1)
  })

  test('leaves what is just being sent to say that the renewal was undone', async () => {
    const server = await aServer()
    server.fail(deferredMessage())
    await server.renew()
    await server.send()
    await server.run(`update reminders set state = 'sending', sending_at = now()`)
    await server.undo()
    await server.run(`update reminders set state = 'planned'`)
    server.fail()
    await server.send(DAY)
    expect(server.received).toEqual([])
    expect((await server.rows()).map(({ state, reason }) => [state, reason])).toEqual([
      ['skipped', 'undone'],
      ['skipped', 'undone'],
    ])
  })

  test('of an end says nothing of renewals', async () => {
    const server = await aServer()
    await server.renew()
    await server.send()
    await server.as((ctx) => endContract(ctx, { id: server.id, reason: 'Price' }))
    expect(await server.undo()).toMatchObject({ alreadyTold: [] })
  })
})

describe('nobody is told', () => {
  test.each([
    ['There is no email address', 'no_address', { email: null }],
    ['Notifications are turned off for this customer', 'opted_out', { sendNotifications: false }],
  ])('%s', async (words, reason, changes) => {
    const server = await aServer()
    await server.as((ctx) => updateCustomer(ctx, { id: server.customerId, ...changes }))
    expect((await server.preview()).readers[0]).toMatchObject({ obstacle: words })
    await server.renew()
    await server.send()
    expect(server.to(FIRST)).toEqual([])
    expect((await server.rows())[0]).toMatchObject({ state: 'skipped', reason, address: null })
  })

  test('of a renewal whose date is muted', async () => {
    const server = await aServer()
    await server.as((ctx) => muteContract(ctx, { id: server.id, reminders: 'off' }))
    expect((await server.preview()).readers[0]).toMatchObject({
      obstacle: 'You turned off emails about this renewal date',
    })
    expect(await server.renew()).toMatchObject({ confirmation: null })
    expect((await server.rows()).map(({ reason }) => reason)).toEqual(['muted', 'muted'])
    expect((await server.renew({ term: 2, confirm: true })).confirmation?.to).toEqual([FIRST, SECOND])
  })

  test('once the settings no longer say so', async () => {
    const server = await aServer()
    await server.turn(true)
    await server.renew({})
    await server.turn(false)
    await server.send()
    expect(server.received).toEqual([])
    expect((await server.rows()).map(({ reason }) => reason)).toEqual(['off', 'off'])
  })

  test('other settings leave it alone, also if they do not know it', async () => {
    const server = await aServer()
    await server.turn(true)
    await server.renew({})
    const others = SaveRenewalSettings.parse({ endOverdueAfterDays: 30, endReasons: ['Price'] })
    expect(await server.as((ctx) => saveRenewalSettings(ctx, others))).toMatchObject({ confirmRenewals: true })
    await server.send()
    expect(server.received).toHaveLength(2)
  })

  test('after the contract has ended, and again after that was undone', async () => {
    const server = await aServer()
    await server.renew()
    await server.as((ctx) => endContract(ctx, { id: server.id, reason: 'Price' }))
    expect((await server.rows()).map(({ reason }) => reason)).toEqual(['closed', 'closed'])
    await server.undo()
    await server.send()
    expect(server.received).toHaveLength(2)
  })
})

describe('it waits', () => {
  test('for the company name, and goes out with it', async () => {
    const server = await aServer({}, { company: null })
    expect(await server.preview()).toMatchObject({ waitsFor: 'company' })
    await server.renew()
    await server.send()
    expect(server.received).toEqual([])
    await server.as((ctx) => updateCompany(ctx, { name: 'Alder' }))
    await server.send()
    expect(server.received).toHaveLength(2)
  })

  test('but no longer than a week', async () => {
    const server = await aServer({}, { company: null })
    await server.renew()
    await server.send()
    await server.send(8 * DAY)
    expect((await server.rows()).map(({ reason }) => reason)).toEqual(['no_company', 'no_company'])
  })

  test("for another day over the account's limit, and says so beforehand", async () => {
    const mailLimits = { toAddress: 5, ofTrial: 1, ofPaying: 1 }
    const server = await aServer({}, { services: { mailLimits } })
    expect(await server.preview()).toMatchObject({ waitsFor: null })
    await server.renew()
    await server.send()
    expect(server.received).toHaveLength(1)
    expect(await server.preview({ term: 2 })).toMatchObject({ waitsFor: 'limit' })
    await server.send(DAY)
    expect(server.received).toHaveLength(2)
  })

  test('for another day over the limit of an address', async () => {
    const server = await aServer({}, { services: { mailLimits: { toAddress: 1, ofTrial: 50, ofPaying: 50 } } })
    await server.renew()
    await server.send()
    await server.renew({ term: 2, confirm: true })
    await server.send()
    expect(server.to(FIRST)).toHaveLength(1)
    await server.send(DAY)
    expect(server.to(FIRST)).toHaveLength(2)
  })
})

describe('a reminder of the new renewal date, due on the day of the renewal,', () => {
  const MONTH_FROM_TODAY = { renewalDate: '2026-04-09' }

  test('is announced with the addresses that it is then sent to', async () => {
    const server = await aServer()
    expect(await server.renew({ confirm: false })).toMatchObject({ emailsToday: [] })
    await server.undo()
    const { emailsToday } = await server.renew({ confirm: false, ...MONTH_FROM_TODAY })
    expect(emailsToday).toEqual([FIRST, SECOND])
    await server.plan()
    await server.send()
    const toCustomer = (await ledgerOf(server.request)).filter(({ recipient }) => recipient === 'customer')
    expect(toCustomer).toMatchObject(Array(2).fill({ kind: 'reminder', offset: 30, state: 'sent' }))
    for (const address of emailsToday) expect(server.to(address)).toHaveLength(1)
  })

  test('is neither announced nor sent where the customer is told of the renewal, and not sent after Undo', async () => {
    const server = await aServer()
    expect(await server.renew({ confirm: true, ...MONTH_FROM_TODAY })).toMatchObject({ emailsToday: [] })
    await server.undo()
    await server.renew({ confirm: false, ...MONTH_FROM_TODAY })
    await server.undo()
    await server.plan()
    await server.send()
    expect(server.received).toEqual([])
  })

  test('is not announced where it has to wait for the company name', async () => {
    const server = await aServer({}, { company: null })
    expect(await server.renew({ confirm: false, ...MONTH_FROM_TODAY })).toMatchObject({ emailsToday: [] })
  })
})

test('a notice that a rule asks for waits for another day where planning runs before the renewal is confirmed', async () => {
  const server = await aServer({ renews: 'automatic' })
  const own = { name: 'Ours', unit: 'days', from: 40, until: 10, countedFrom: 'renewal_date', means: ['email'] }
  const rule = MakeNoticeRule.parse({ ...own, contents: [] })
  await server.as(async (ctx) => chooseNoticeRule(ctx, { rule: (await makeNoticeRule(ctx, rule)).id }))
  const renewed = await server.renew({ confirm: true, renewalDate: '2026-04-09' })
  expect(renewed).toMatchObject({ confirmation: { to: [FIRST, SECOND] }, emailsToday: [] })
  await server.plan()
  await server.send()
  expect(server.to(FIRST)).toHaveLength(1)
  server.pass(DAY)
  await server.plan()
  await server.send()
  expect(server.to(FIRST).at(-1)?.subject).toContain('Notice')
})

test('an account that is over its trial sends none', async () => {
  const server = await aServer()
  await server.renew()
  await world.db.system.query(`update subscriptions set status = 'canceled'`)
  await server.send()
  expect((await server.rows()).map(({ reason }) => reason)).toEqual(['no_access', 'no_access'])
})

test('what is left of the day reminds nobody besides, and the confirmation stays apart from reminders by hand', async () => {
  const server = await aServer({ startDate: '2025-01-10', renewalDate: '2026-03-10' })
  await server.as((ctx) => updateContract(ctx, { id: server.id, renewalDate: toDay('2026-03-10') }))
  await server.renew({ confirm: true, renewalDate: '2026-04-09' })
  await server.plan()
  const verdicts = (await ledgerOf(server.request)).filter(
    ({ kind, recipient }) => kind === 'reminder' && recipient === 'customer',
  )
  expect(verdicts.map(({ offset, reason }) => [offset, reason])).toEqual([
    [30, 'confirmed'],
    [30, 'confirmed'],
  ])
  await server.send()
  expect(server.to(FIRST)).toHaveLength(1)
  await expect(sendReminder(server.request, { id: server.id })).resolves.toMatchObject({ success: true })
  expect(server.to(FIRST)).toHaveLength(2)
})

test('a reminder by hand can be asked for while a confirmation is on its way', async () => {
  const server = await aServer()
  await server.renew()
  await planReminder(server.request, { id: server.id })
  await server.send()
  expect(
    server
      .to(FIRST)
      .map(({ subject }) => subject)
      .toSorted(),
  ).toEqual(['Your contract has been renewed until May 1, 2026', 'Your contract is due for renewal on May 1, 2026'])
})

test('several renewals of one customer at once are one email, and so is what else is due to the reader', async () => {
  const server = await aServer()
  const { id: other } = await aContract(server.request, {
    customerId: server.customerId,
    renewalDate: '2026-04-02',
    amount: 70,
  })
  const due = await aContract(server.request, { customerId: server.customerId, renewalDate: '2026-03-24', amount: 30 })
  await server.run(`update contracts set reminders_since = '2026-01-01' where id = ${due.id}`)
  await server.run(`update reminder_schedules set planned_through = '2026-03-09'`)
  await server.renew()
  await server.as((ctx) => renewByHand(ctx, { id: other, confirm: true }))
  await server.plan()
  await server.send()
  const [mail, ...others] = server.to(FIRST)
  expect(others).toEqual([])
  expect(mail?.subject).toBe(`3 contracts with ${COMPANY} were renewed or need attention`)
  expect(mail?.text).toContain(`These contracts with ${COMPANY} have been renewed:`)
  expect(mail?.text).toContain(`This contract with ${COMPANY} will come up for renewal soon:`)
  for (const amount of ['$100.00 a month', '$70.00 a month', '$30.00 a month']) expect(mail?.text).toContain(amount)
})

test('a reminder that falls due replaces no confirmation that is waiting', async () => {
  const server = await aServer({ renewalDate: '2026-03-17' }, { company: null })
  await server.renew({ confirm: true, renewalDate: '2026-03-24' })
  await server.send()
  server.pass(3 * DAY)
  await server.plan()
  await server.as((ctx) => updateCompany(ctx, { name: 'Alder' }))
  server.pass(4 * DAY)
  await server.plan()
  await server.send(0)
  expect((await server.rows()).map(({ state }) => state)).toEqual(['sent', 'sent'])
})

describe('in the outbox', () => {
  test('a confirmation is skipped, no longer skipped, put off, and sent at once', async () => {
    const server = await aServer()
    await server.renew()
    const ada = (await server.rows())[1]?.contactId ?? 0
    await server.as((ctx) => skipReminder(ctx, server.key()))
    await server.send()
    expect(server.to(FIRST)).toEqual([])
    await server.as((ctx) => undoSkippedReminder(ctx, server.key()))
    await server.as((ctx) => snoozeReminder(ctx, { ...server.key(), until: toDay('2026-03-12') }))
    await server.send()
    expect(server.to(FIRST)).toEqual([])
    expect(await sendReminderNow(server.request, server.key())).toMatchObject({ success: true })
    expect(server.to(FIRST)).toHaveLength(1)
    await expect(sendReminderNow(server.request, server.key(ada))).rejects.toMatchObject({ key: 'REMINDER_DECIDED' })
  })

  test('one that the mail server refuses is told of as what it is', async () => {
    const server = await aServer()
    server.fail(Object.assign(refusedMessage(), { code: 'EMESSAGE' }))
    await server.renew()
    await server.send()
    const messages = (await notificationsOf(server.request)).map(({ message }) => message)
    expect(messages.some((message) => message.startsWith('The confirmation of a renewal could not be sent.'))).toBe(
      true,
    )
  })
})
