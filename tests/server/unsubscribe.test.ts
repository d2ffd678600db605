import { createHmac } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { getCustomer, updateCustomer } from '#server/customers/customers.service.ts'
import { notificationsOf } from '#support/notifications.ts'
import { readLinkKey } from '#server/db/link-key.ts'
import { saveSettings } from '#server/reminder-settings/settings.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
/** Another one: a server remembers whom it has refused, and messages of other tests have the same ids. */
const fresh = useApp(world)

/** A customer who has got a reminder, and the link in it. */
async function aReminded() {
  const { mailer, received } = aMailbox()
  const request = await anAccount(world, { services: { mailer } })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId })
  await asSubscriber(request, (ctx) => saveSettings(ctx, { ...DEFAULT_SETTINGS, senderName: 'Mill <b>&</b> Sons' }))
  await sendReminder(request, contract)
  const [mail] = received
  const link = /http:\/\/localhost:3000(\/unsubscribe\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const wantsMail = async () => (await getCustomer(requireReader(request), { id: customerId })).sendNotifications
  const notices = () => notificationsOf(request)
  return { request, customerId, contract, mail, link, wantsMail, notices }
}

test("a customer's email has the link in its text, its HTML and its headers", async () => {
  const { mail, link } = await aReminded()
  expect(link).not.toBe('')
  expect(mail?.html).toContain(`href="http://localhost:3000${link}"`)
  expect(mail?.unsubscribe).toEqual([`http://localhost:3000${link}`, 'List-Unsubscribe=One-Click'])
})

test('following the link asks and changes nothing', async () => {
  const { link, wantsMail } = await aReminded()
  const page = await server.app.inject({ url: link })
  expect(page.statusCode).toBe(200)
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  expect(page.body).toContain(`<form method="post" action="${link}">`)
  expect(page.body).toContain('Mill &#60;b&#62;&#38;&#60;/b&#62; Sons')
  expect(await wantsMail()).toBe(true)
})

test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'a', undefined])(
  'pressing the button opts out, once and for all, and tells the owner: %s',
  async (type) => {
    const { request, contract, link, wantsMail, notices } = await aReminded()
    const press = () =>
      server.app.inject({
        method: 'POST',
        url: link,
        ...(type && { headers: { 'content-type': type }, payload: 'List-Unsubscribe=One-Click' }),
      })
    expect(await press()).toMatchObject({ statusCode: 200, body: expect.stringContaining('You are unsubscribed') })
    expect(await press()).toMatchObject({ statusCode: 200 })
    expect(await wantsMail()).toBe(false)
    expect(await notices()).toMatchObject([{ title: 'Harbor Bakery unsubscribed', type: 'other' }])
    await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_UNSUBSCRIBED' })
    expect((await server.app.inject({ url: link })).body).toContain('Get these messages again')
  },
)

test('who unsubscribes gets nothing more at that address, whichever customer has it, and others do', async () => {
  const { request, link, notices } = await aReminded()
  const same = await aCustomer(request, { name: 'Harbor Cafe', email: 'Orders@Harbor.test' })
  const other = await aCustomer(request, { name: 'Mill & Sons', email: 'office@mill.test' })
  const elsewhere = await aReminded()
  await server.app.inject({ method: 'POST', url: link })
  const wants = async ({ id }: { id: number }) => (await getCustomer(requireReader(request), { id })).sendNotifications
  expect([await wants(same), await wants(other), await elsewhere.wantsMail()]).toEqual([false, true, true])
  const titles = (await notices()).map(({ title }) => title)
  expect(titles.toSorted()).toEqual(['Harbor Bakery unsubscribed', 'Harbor Cafe unsubscribed'])
})

test('a forged link, and one of another message, is not found', async () => {
  const { link, wantsMail } = await aReminded()
  const other = await aReminded()
  const seal = link.split('.').at(-1) ?? ''
  const [, account, message] = /\/unsubscribe\/(\d+)\.(m\d+)\./.exec(other.link) ?? []
  const forged = [
    `/unsubscribe/${account}.${message}.${seal}`,
    link.replace(/m(\d+)/, (_all, id: string) => `m${Number(id) + 1}`),
    link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    `${link}x`,
    `/unsubscribe/99999999999.1.${seal}`,
    link.replace('/unsubscribe/', '/unsubscribe/0'),
    link.replace('m', 'm0'),
    link.replace('m', ''),
    `${link}%00`,
    link.replace('.', '%00.'),
    link.slice(0, -1),
    '/unsubscribe/x',
  ]
  for (const url of forged) {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await server.app.inject({ method, url })
      expect({ url, status: answer.statusCode }).toEqual({ url, status: 404 })
      expect(answer.body).toContain('This link is not valid')
    }
  }
  expect(await wantsMail()).toBe(true)
  expect(await other.wantsMail()).toBe(true)
})

const press = (url: string) => server.app.inject({ method: 'POST', url })

test('the reader alone opens it again, by the link of a message, and back, and the owner is told each time', async () => {
  const { request, contract, link, wantsMail, notices } = await aReminded()
  await press(link)
  const again = await press(`${link}/undo`)
  expect(again).toMatchObject({ statusCode: 200, body: expect.stringContaining('You are subscribed again') })
  expect(again.body).toContain(`<form method="post" action="${link}">`)
  expect(await wantsMail()).toBe(true)
  await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_SENT_TODAY' })
  expect(await press(`${link}/undo`)).toMatchObject({ statusCode: 200 })
  expect((await press(link)).body).toContain(`action="${link}/undo"`)
  expect(await wantsMail()).toBe(false)
  const titles = (await notices()).map(({ title }) => title)
  expect(titles.toSorted()).toEqual([
    'Harbor Bakery subscribed again',
    'Harbor Bakery unsubscribed',
    'Harbor Bakery unsubscribed',
  ])
})

test("a reader who goes back and forth fills nobody's notifications, and can still unsubscribe", async () => {
  const { link, wantsMail, notices } = await aReminded()
  const pressAt = (url: string) => fresh.app.inject({ method: 'POST', url })
  const statuses: number[] = []
  for (let turn = 0; turn < 12; turn += 1) {
    await pressAt(link)
    statuses.push((await pressAt(`${link}/undo`)).statusCode)
  }
  expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  expect(await pressAt(link)).toMatchObject({ statusCode: 200, body: expect.stringContaining('You are unsubscribed') })
  expect(await wantsMail()).toBe(false)
  expect(await notices()).toHaveLength(21)
})

test('the owner cannot turn it on again, and is told who can', async () => {
  const { request, customerId, link, wantsMail } = await aReminded()
  await press(link)
  const turnOn = { id: customerId, sendNotifications: true }
  const refusal = {
    key: 'CUSTOMER_MAIL_CLOSED',
    message: 'This person unsubscribed. Only they can turn messages on again, with the link in an earlier message',
  }
  await expect(asSubscriber(request, (ctx) => updateCustomer(ctx, turnOn))).rejects.toMatchObject(refusal)
  const phone = await asSubscriber(request, (ctx) => updateCustomer(ctx, { id: customerId, phone: '555' }))
  expect(phone).toMatchObject({ phone: '555', sendNotifications: false, mailClosed: { reason: 'unsubscribed' } })
  expect(await wantsMail()).toBe(false)
})

test('a new customer at the address, and one who gets it, are not written to either', async () => {
  const { request, link, customerId } = await aReminded()
  await press(link)
  await asSubscriber(request, (ctx) => updateCustomer(ctx, { id: customerId, email: 'new@harbor.test' }))
  const recreated = await aCustomer(request, { name: 'Recreated', email: 'Orders@harbor.TEST' })
  expect(recreated).toMatchObject({ sendNotifications: false, mailClosed: { reason: 'unsubscribed' } })
  const contract = await aContract(request, { customerId: recreated.id })
  await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_UNSUBSCRIBED' })
  const moved = await aCustomer(request, { name: 'Moved', email: 'else@harbor.test' })
  const changes = { id: moved.id, email: 'orders@harbor.test', sendNotifications: true }
  expect(await asSubscriber(request, (ctx) => updateCustomer(ctx, changes))).toMatchObject({ sendNotifications: false })
  const elsewhere = await getCustomer(requireReader(request), { id: customerId })
  expect(elsewhere).toMatchObject({ sendNotifications: true, mailClosed: null })
})

test('another spelling of the same mailbox is as closed, and its reader opens it again by any link', async () => {
  const { request, link, customerId, contract } = await aReminded()
  const change = (email: string) => asSubscriber(request, (ctx) => updateCustomer(ctx, { id: customerId, email }))
  await press(link)
  expect(await change('Orders+renewals@harbor.test')).toMatchObject({ mailClosed: { reason: 'unsubscribed' } })
  await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_UNSUBSCRIBED' })
  const { id } = await aCustomer(request, { name: 'Again', email: 'orders+2@harbor.test' })
  expect(await getCustomer(requireReader(request), { id })).toMatchObject({ sendNotifications: false })
  const [row] = await ledgerOf(request)
  expect(row?.address).toBe('orders@harbor.test')
  await press(`${link}/undo`)
  expect(await change('orders+3@harbor.test')).toMatchObject({ sendNotifications: true, mailClosed: null })
})

test('every customer at the mailbox is named to the owner, however the address is written', async () => {
  const { request, link, notices } = await aReminded()
  await aCustomer(request, { name: 'Harbor Cafe', email: 'orders+cafe@harbor.test' })
  await press(link)
  expect((await notices()).map(({ title }) => title).toSorted()).toEqual([
    'Harbor Bakery unsubscribed',
    'Harbor Cafe unsubscribed',
  ])
})

test('an account cannot speak for another address with a link that it got itself', async () => {
  const { request, link, customerId } = await aReminded()
  await press(link)
  const own = await aCustomer(request, { email: 'owner@mill.test' })
  const { mailer, received } = aMailbox()
  const asking = { ...request, services: { ...request.services, mailer } }
  await sendReminder(asking, await aContract(request, { customerId: own.id }))
  const ownLink = /http:\/\/localhost:3000(\/unsubscribe\/\S+)/.exec(received[0]?.text ?? '')?.[1] ?? ''
  await asSubscriber(request, (ctx) => updateCustomer(ctx, { id: own.id, email: 'orders@harbor.test' }))
  await press(`${ownLink}/undo`)
  expect(await getCustomer(requireReader(request), { id: customerId })).toMatchObject({ sendNotifications: false })
})

test('the ledger keeps no link by which its reader speaks', async () => {
  const { request, mail } = await aReminded()
  expect(mail?.text).toContain('/unsubscribe/')
  const [row] = await ledgerOf(request)
  expect(row?.body).toContain('because you have a contract with')
  expect(row?.body).not.toContain('/unsubscribe/')
  expect(row?.body).not.toContain('/report/')
})

test('an older link still unsubscribes, but cannot subscribe again: the account has it too', async () => {
  const { request, customerId, wantsMail } = await aReminded()
  const accountId = requireReader(request).accountId
  const seal = createHmac('sha256', await readLinkKey(world.db)).update(`unsubscribe ${accountId} ${customerId}`)
  const link = `/unsubscribe/${accountId}.${customerId}.${seal.digest('base64url')}`
  expect((await press(link)).body).not.toContain('<form')
  expect(await wantsMail()).toBe(false)
  expect(await press(`${link}/undo`)).toMatchObject({ statusCode: 404 })
  expect(await wantsMail()).toBe(false)
})

test('made-up links that name an account keep it from nothing, however many there are', async () => {
  const request = await anAccount(world)
  const { accountId } = requireReader(request)
  const owner = new pg.Client(world.connection)
  await owner.connect()
  // Nobody's link can be looked up until this ends.
  await owner.query('begin; lock table reminders')
  const answered: number[] = []
  const guesses = Array.from({ length: 104 }, async (_, id) => {
    const { statusCode } = await server.app.inject({ url: `/unsubscribe/${accountId}.m${id + 1}.${'A'.repeat(43)}` })
    answered.push(statusCode)
  })
  try {
    await expect.poll(() => answered).toEqual([429])
    expect(await call(server, { url: '/customers', headers: bearer(request) })).toMatchObject({ status: 200 })
  } finally {
    await owner.end()
  }
  await Promise.all(guesses)
  expect(new Set(answered)).toEqual(new Set([404, 429]))
})
