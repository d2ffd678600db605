import type { InjectOptions } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { useApp } from '#support/app.ts'
import { aMailbox, noMailServer } from '#support/mailbox.ts'
import { anAccount, useWorld } from '#support/world.ts'

const { mailer, received, fail } = aMailbox()
const world = useWorld()
const server = useApp(world, { mailer })
const crowded = useApp(world, { mailer }, { limits: { contactOfAll: 3 } })
const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', message: 'Does it do quarterly?\r\nThank you.' }
const HERE = { 'sec-fetch-site': 'same-origin' }

let senders = 0
beforeEach(() => {
  received.length = 0
  fail()
  senders += 1
})

/** Sends the form as a browser does, each test from a different address. */
function post(fields: Record<string, string>, { headers = HERE, ...options }: InjectOptions = {}) {
  return server.app.inject({
    method: 'POST',
    url: '/contact',
    remoteAddress: `10.0.0.${senders}`,
    payload: String(new URLSearchParams(fields)),
    ...options,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

test('the page has a form that needs no script', async () => {
  const { headers, body } = await server.app.inject('/contact')
  expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'same-origin' })
  expect(body).toContain('<form class="form" method="post" action="/contact" accept-charset="utf-8">')
  for (const field of ['Name', 'Email address', 'Message']) expect(body).toContain(`>${field}</label>`)
  expect(body).not.toMatch(/<script|aria-invalid|role="alert"/)
})

test("a message goes to the owner's address, answers to its writer, and the page says so", async () => {
  const answer = await post(ADA)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  expect(answer.body).toContain('We got your message')
  expect(answer.body).toContain('Thank you, Ada Lovelace. We will reply to ada@example.com.')
  expect(received).toMatchObject([
    {
      to: ['owner@traxx.test'],
      from: 'TRAXX <reminders@traxx.test>',
      replyTo: 'ada@example.com',
      subject: 'Message from Ada Lovelace',
      text: 'Does it do quarterly?\nThank you.\n\n-- \nSent by Ada Lovelace <ada@example.com> with the TRAXX contact form',
    },
  ])
})

test('what is wrong stands at each field, what was typed stays, and the first wrong field has the focus', async () => {
  const { statusCode, body } = await post({ name: ' ', email: 'ada(at)example', message: 'Hello & <b>good</b> day' })
  expect(statusCode).toBe(400)
  expect(body).toMatch(/id="contact-name"[^>]*aria-describedby="contact-name-wrong" autofocus value=" "/)
  expect(body).toContain('<p class="wrong" id="contact-name-wrong">Enter your name</p>')
  expect(body).toContain('Enter an email address like name@example.com')
  expect(body).toContain('value="ada(at)example"')
  expect(body).toContain('Hello &#38; &#60;b&#62;good&#60;/b&#62; day</textarea>')
  expect(body.match(/autofocus/g)).toHaveLength(1)
  expect(received).toEqual([])
})

test.each([
  [{ email: '' }, 'Enter your email address'],
  [{ message: ' \r\n ' }, 'Enter a message'],
  [{ message: 'x'.repeat(5001) }, 'Must be at most 5000 characters'],
  [{ name: 'x'.repeat(101) }, 'Must be at most 100 characters'],
])('%o is refused with "%s"', async (change, text) => {
  const { statusCode, body } = await post({ ...ADA, ...change })
  expect(statusCode).toBe(400)
  expect(body).toContain(`<p class="wrong" id="contact-${Object.keys(change)[0]}-wrong">${text}</p>`)
  expect(received).toEqual([])
})

test('the longest message arrives, in any script, whatever its lines end with', async () => {
  const message = `${'字'.repeat(2499)}\n${'字'.repeat(2500)}`
  expect(await post({ ...ADA, message: message.replaceAll('\n', '\r\n') })).toMatchObject({ statusCode: 200 })
  expect(received[0]?.text).toContain(message)
})

test.each(['\r\nBcc: all@example.com', '\nBcc: all@example.com', '\u2028Bcc: all@example.com'])(
  'no header and no other reader can be smuggled in: %j',
  async (evil) => {
    for (const field of ['name', 'email'] as const) {
      expect(await post({ ...ADA, [field]: `${ADA[field]}${evil}` })).toMatchObject({ statusCode: 400 })
    }
    for (const email of ['a@b.test, c@d.test', 'A <a@b.test>', '"a b"@c.test']) {
      expect(await post({ ...ADA, email })).toMatchObject({ statusCode: 400 })
    }
    expect(received).toEqual([])
  },
)

test('what is typed is text, whatever it looks like', async () => {
  const { body } = await post({ ...ADA, name: '"><script>$& $` __ORIGIN__' })
  expect(body).toContain('Thank you, &#34;&#62;&#60;script&#62;$&#38; $` __ORIGIN__.')
})

test('a program that fills in the field nobody sees is thanked, and sends nothing', async () => {
  const { statusCode, body } = await post({ ...ADA, website: 'https://spam.test' })
  expect(statusCode).toBe(200)
  expect(body).toContain('We got your message')
  expect(received).toEqual([])
})

test('all addresses together send so many messages an hour', async () => {
  const send = (end: number) =>
    crowded.app.inject({
      method: 'POST',
      url: '/contact',
      remoteAddress: `192.0.2.${end}`,
      payload: String(new URLSearchParams(ADA)),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...HERE },
    })
  for (const end of [1, 2, 3]) expect(await send(end)).toMatchObject({ statusCode: 200 })
  expect(await send(4)).toMatchObject({ statusCode: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
  expect(received).toHaveLength(3)
})

test('one address sends five messages an hour; the sixth is refused and stays typed', async () => {
  for (let sent = 0; sent < 5; sent += 1) expect((await post(ADA)).statusCode).toBe(200)
  expect((await post({ ...ADA, name: '' })).statusCode).toBe(400)
  const { statusCode, body } = await post(ADA)
  expect(statusCode).toBe(429)
  expect(body).toContain('Please try again in an hour')
  expect(body).toContain('value="ada@example.com"')
  const claimed = { ...HERE, 'x-forwarded-for': '10.8.8.8' }
  expect((await post(ADA, { headers: claimed })).statusCode).toBe(429)
  expect(received).toHaveLength(5)
  expect((await post(ADA, { remoteAddress: '10.9.9.9' })).statusCode).toBe(200)
})

test.each([
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.test' },
  { origin: 'null' },
  { accept: 'text/html' },
])('what no page of ours sends is refused, and not shown: %o', async (headers) => {
  const { statusCode, body } = await post(ADA, { headers })
  expect(statusCode).toBe(403)
  expect(body).toContain('Please send your message from this page')
  expect(body).not.toContain('ada@example.com')
  expect(received).toEqual([])
})

test('a browser that says only from which origin it sends is believed', async () => {
  expect((await post(ADA, { headers: { origin: 'http://localhost:3000' } })).statusCode).toBe(200)
  expect(received).toHaveLength(1)
})

test('where the mail server does not take it, that is said and what was typed stays', async () => {
  fail(noMailServer())
  const { statusCode, body } = await post(ADA)
  expect(statusCode).toBe(502)
  expect(body).toContain('Your message could not be sent.')
  expect(body).toContain('Does it do quarterly?')
})

test('what is no form, or too large to be one, is refused with a page', async () => {
  const json = await post(ADA, { headers: { ...HERE, 'content-type': 'application/json' }, payload: '{}' })
  const large = await post({ ...ADA, message: 'x'.repeat(70_000) })
  const none = await server.app.inject({ method: 'POST', url: '/contact', headers: HERE })
  expect([json, large, none].map(({ statusCode }) => statusCode)).toEqual([415, 413, 400])
  for (const { headers } of [json, large, none]) expect(headers['content-type']).toContain('text/html')
  expect(received).toEqual([])
})

test.each([
  ['trialing', '[Priority: trial] Message from Ada Lovelace', 'An account with this address is on a free trial.'],
  ['active', '[Priority] Message from Ada Lovelace', 'An account with this address has a subscription.'],
])('a message from the address of an account that is %s is marked: %s', async (status, subject, note) => {
  const { caller } = await anAccount(world, { status })
  const [name = '', domain = ''] = (caller?.email ?? '').split('@')
  await post({ ...ADA, email: `${name.toUpperCase()}+help@${domain}` })
  expect(received).toMatchObject([{ subject, text: expect.stringContaining(note) }])
})

test('a message from the address of an account without access is one like any other', async () => {
  const { caller } = await anAccount(world, { status: 'canceled' })
  await post({ ...ADA, email: caller?.email ?? '' })
  expect(received).toMatchObject([{ subject: 'Message from Ada Lovelace' }])
})
