import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const mailbox = aMailbox()
const server = useApp(world, { mailer: mailbox.mailer })
const ofAccount = useApp(world, { mailer: mailbox.mailer, mailLimits: { toAddress: 9, ofTrial: 2, ofPaying: 2 } })
const toAddress = useApp(world, { mailer: mailbox.mailer, mailLimits: { toAddress: 2, ofTrial: 9, ofPaying: 9 } })

test('POST /contracts/{id}/reminder answers success and a message, or what is wrong', async () => {
  const request = await anAccount(world)
  const headers = bearer(request)
  const remind = ({ id }: { id: number }) => call(server, { method: 'POST', url: `/contracts/${id}/reminder`, headers })
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId })
  expect(await remind(contract)).toMatchObject({
    status: 200,
    body: { success: true, message: 'Reminder sent to orders@harbor.test' },
  })
  expect(await remind(contract)).toMatchObject({
    status: 409,
    body: { success: false, error: 'A reminder was already sent to this customer today' },
  })
  expect(await remind(await aContract(request))).toMatchObject({
    status: 422,
    body: { success: false, error: 'This customer has no email address' },
  })
  const deaf = await aCustomer(request, { email: 'quiet@harbor.test', sendNotifications: false })
  expect(await remind(await aContract(request, { customerId: deaf.id }))).toMatchObject({
    status: 422,
    body: { success: false, error: 'Notifications are turned off for this customer' },
  })
  expect(await remind({ id: 999 })).toMatchObject({ status: 404, body: { error: 'Contract not found' } })
  expect(mailbox.received).toHaveLength(1)
})

test('an account reads what it sent today, and is refused what is over a limit', async () => {
  const request = await anAccount(world, { status: 'trialing' })
  const headers = bearer(request)
  const remind = async (email: string) => {
    const { id } = await aContract(request, { customerId: (await aCustomer(request, { email })).id })
    return call(server, { method: 'POST', url: `/contracts/${id}/reminder`, headers })
  }
  for (let n = 0; n < 5; n += 1) expect(await remind(`v+${n}@victim.test`)).toMatchObject({ status: 200 })
  expect(await remind('V@Victim.test')).toMatchObject({
    status: 429,
    body: {
      success: false,
      error: "This address has reached today's limit of 5 emails. Please try again tomorrow",
    },
  })
  expect(await call(server, { url: '/account/mail-limits', headers })).toMatchObject({
    status: 200,
    body: {
      sentToday: 5,
      limit: 50,
      limitPerAddress: 5,
      limitWithPaidPlan: 1000,
      resetsAt: '2026-03-11T00:00:00.000Z',
    },
  })
})

test.each([
  ['an account', ofAccount, "You have reached today's limit of 2 emails", 'REMINDER_ACCOUNT_LIMIT'],
  ['an address', toAddress, "This address has reached today's limit of 2 emails", 'REMINDER_ADDRESS_LIMIT'],
])('over the daily limit of %s, Send Reminder says so at once, over REST and on the screen', async (...row) => {
  const [, limited, says, refusal] = row
  const request = await anAccount(world)
  const headers = bearer(request)
  const { id: customerId } = await aCustomer(request, { email: 'v@victim.test' })
  const contract = async () => (await aContract(request, { customerId })).id
  const remind = async () => {
    const url = `/contracts/${await contract()}/reminder`
    return call(limited, { method: 'POST', url, headers })
  }
  const plan = async (id: number) =>
    call(limited, { method: 'POST', url: '/trpc/contracts.planReminder', headers, payload: { json: { id } } })
  expect(await remind()).toMatchObject({ status: 200 })
  const planned = await contract()
  expect(await plan(planned)).toMatchObject({ status: 200 })
  // One was sent, and one is about to go out.
  const message = expect.stringContaining(says)
  const data = { refusal, httpStatus: 429 }
  expect(await plan(await contract())).toMatchObject({ status: 429, body: { error: { json: { message, data } } } })
  const undo = {
    method: 'POST',
    url: '/trpc/contracts.undoReminder',
    headers,
    payload: { json: { id: planned } },
  } as const
  expect(await call(limited, undo)).toMatchObject({ status: 200 })
  expect(await remind()).toMatchObject({ status: 200 })
  expect(await remind()).toMatchObject({ status: 429, body: { success: false, error: message } })
  expect(await plan(await contract())).toMatchObject({ status: 429, body: { error: { json: { message, data } } } })
})

test('the settings are read, tried and saved by REST, and what is wrong is said by field', async () => {
  const headers = bearer(await anAccount(world))
  const url = '/notifications/settings'
  expect(await call(server, { url, headers })).toMatchObject({ status: 200, body: DEFAULT_SETTINGS })
  const payload = { ...DEFAULT_SETTINGS, reminderDays: [1, 30, 30], replyTo: ' office@mill.test ' }
  expect(await call(server, { method: 'POST', url: `${url}/preview`, headers, payload })).toMatchObject({
    status: 200,
    body: { added: { count: 0 }, removed: { count: 0 } },
  })
  expect(await call(server, { method: 'PUT', url, headers, payload })).toMatchObject({
    status: 200,
    body: { reminderDays: [30, 1], replyTo: 'office@mill.test' },
  })
  const wrong = { ...DEFAULT_SETTINGS, followUpDays: [2], senderName: 'Mill\r\nBcc: a@b.test', replyTo: 'nobody' }
  expect(await call(server, { method: 'PUT', url, headers, payload: wrong })).toMatchObject({
    status: 400,
    body: {
      fields: {
        followUpDays: 'Must be days from this list: 1, 3, 7, 14, 30',
        senderName: 'Must be on one line, without invisible characters',
        replyTo: 'Email must be a valid address',
      },
    },
  })
})

test('the outbox is read and acted upon by REST', async () => {
  const request = await anAccount(world)
  const headers = bearer(request)
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  const { id } = await aContract(request, { customerId, renewalDate: '2026-05-01' })
  // The clock of the tests is another than the database's.
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(`update contracts set reminders_since = '2026-01-01'`),
  )
  const coming = await call(server, { url: '/reminders/coming?limit=1', headers })
  expect(coming).toMatchObject({ status: 200, body: { rows: [{ contractId: id, offset: 30 }, {}, {}] } })
  const { day: _day, customerName: _name, obstacle: _obstacle, ...payload } = coming.body.rows[0]
  const post = (url: string, more = {}) =>
    call(server, { method: 'POST', url, headers, payload: { ...payload, ...more } })
  expect(await post('/reminders/snooze', { until: '2026-04-07' })).toMatchObject({ status: 204 })
  expect(await post('/reminders/skip')).toMatchObject({ status: 204 })
  expect(await post('/reminders/skip')).toMatchObject({ status: 409 })
  expect(await post('/reminders/undo-skip')).toMatchObject({ status: 204 })
  expect(await post('/reminders/undo-skip')).toMatchObject({ status: 409, body: { refusal: 'REMINDER_NOT_SKIPPED' } })
  expect(await post('/reminders/skip')).toMatchObject({ status: 204 })
  expect(await post('/reminders/send')).toMatchObject({ status: 200, body: { success: true } })
  expect(await call(server, { url: '/reminders?state=sent', headers })).toMatchObject({
    status: 200,
    body: [{ contractId: id, state: 'sent', address: 'orders@harbor.test' }],
  })
  expect(await call(server, { url: `/contracts/${id}/reminders`, headers })).toMatchObject({
    status: 200,
    body: { history: [{ state: 'sent' }], own: { reminderDays: null } },
  })
  expect(await call(server, { url: '/reminders/unreachable', headers })).toMatchObject({ body: { total: 0 } })
})

test("the account's own texts are read, tried, saved and reset by REST", async () => {
  const headers = bearer(await anAccount(world))
  const url = '/notifications/texts'
  const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
    call(server, { method, url: `${url}${path}`, headers, ...(payload && { payload }) })
  const own = { subject: 'For {{customer}}', body: 'Hello {{customer}}' }
  expect(await call(server, { url, headers })).toMatchObject({ status: 200, body: { reminder: { isDefault: true } } })
  expect(await send('POST', '/reminder/preview', own)).toMatchObject({
    status: 200,
    body: { subject: 'For Example Customer', isExample: true, html: expect.stringContaining('<html') },
  })
  expect(await send('POST', '/reminder/test', own)).toMatchObject({
    status: 200,
    body: { message: expect.stringContaining('Test sent to') },
  })
  expect(mailbox.received.at(-1)).toMatchObject({ subject: 'Test: For Example Customer' })
  expect(await send('PUT', '/follow_up', own)).toMatchObject({ status: 200, body: { follow_up: own } })
  expect(await send('PUT', '/follow_up', { ...own, body: '{{custmer}}' })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('{{custmer}} is not a variable'), fields: { body: expect.any(String) } },
  })
  expect(await send('PUT', '/nothing', own)).toMatchObject({ status: 400 })
  expect(await send('DELETE', '/follow_up')).toMatchObject({ status: 200, body: { follow_up: { isDefault: true } } })
})

test('mail that bounced is read, and its address said to work again, by REST', async () => {
  const request = await anAccount(world)
  const headers = bearer(request)
  const { id } = await aCustomer(request, { email: 'orders@harbor.test' })
  const url = `/customers/${id}/bounce`
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(
      `insert into bounced_addresses (account_id, address, answer, bounced_at)
        values (?, 'orders@harbor.test', '550 no such user', '2026-03-10T12:00Z')`,
      [request.caller?.id],
    ),
  )
  expect(await call(server, { url, headers })).toMatchObject({
    status: 200,
    body: {
      bounce: { address: 'orders@harbor.test', bouncedAt: '2026-03-10T12:00:00.000Z', answer: '550 no such user' },
    },
  })
  const clear = (of: typeof headers, path = url) => call(server, { method: 'DELETE', url: path, headers: of })
  const stranger = bearer(await anAccount(world))
  expect(await clear(stranger)).toMatchObject({ status: 404, body: { error: 'Customer not found' } })
  expect(await clear(headers)).toMatchObject({ status: 204 })
  expect(await clear(headers)).toMatchObject({ status: 204 })
  expect(await call(server, { url, headers })).toMatchObject({ status: 200, body: { bounce: null } })
  expect(await clear(headers, '/customers/x/bounce')).toMatchObject({ status: 400 })
})

test("mail that bounced from one's own address is read, and the address said to work again, by REST", async () => {
  const request = await anAccount(world)
  const headers = bearer(request)
  const url = '/account/bounce'
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(
      `insert into bounced_addresses (account_id, address, answer, bounced_at)
        select id, lower(email), '550 no such user', '2026-03-10T12:00Z' from accounts where id = ?`,
      [request.caller?.id],
    ),
  )
  const bounce = { bouncedAt: '2026-03-10T12:00:00.000Z', answer: '550 no such user' }
  expect(await call(server, { url, headers })).toMatchObject({ status: 200, body: { bounce } })
  expect(await call(server, { url })).toMatchObject({ status: 401 })
  expect(await call(server, { method: 'DELETE', url, headers })).toMatchObject({ status: 204 })
  expect(await call(server, { url, headers })).toMatchObject({ status: 200, body: { bounce: null } })
})
