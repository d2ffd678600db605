import { expect, test } from 'vitest'
import { getCustomer } from '#server/customers/customers.service.ts'
import { listNotifications } from '#server/notifications/notifications.service.ts'
import { saveSettings } from '#server/reminders/settings.service.ts'
import { sendReminder } from '#server/reminders/reminders.service.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { useApp } from '#support/app.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

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
  const notices = () => listNotifications(requireReader(request), { unread: false, limit: 50 })
  return { request, customerId, contract, mail, link, wantsMail, notices }
}

test("a customer's e-mail has the link in its text, its HTML and its headers", async () => {
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
  expect(page.body).toContain('<form method="post">')
  expect(page.body).toContain('Mill &#60;b&#62;&#38;&#60;/b&#62; Sons')
  expect(await wantsMail()).toBe(true)
})

test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined])(
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
    await expect(sendReminder(request, contract)).rejects.toMatchObject({ key: 'REMINDER_OPTED_OUT' })
    expect((await server.app.inject({ url: link })).body).not.toContain('<form')
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

test('a forged link, and one of another customer, is not found', async () => {
  const { link, customerId, wantsMail } = await aReminded()
  const other = await aReminded()
  const seal = link.split('.').at(-1) ?? ''
  const account = /\/unsubscribe\/(\d+)\./.exec(other.link)?.[1]
  const forged = [
    `/unsubscribe/${account}.${other.customerId}.${seal}`,
    link.replace(`.${customerId}.`, `.${customerId + 1}.`),
    link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    `${link}x`,
    `/unsubscribe/99999999999.1.${seal}`,
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
