import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { requireAccount, type RequestContext } from '#server/context.ts'
import { getCompany, updateCompany } from '#server/company/company.service.ts'
import { sendReplyToCode } from '#server/company/reply-to.service.ts'
import { sweepFiles } from '#server/files/sweep-files.ts'
import { readReminderAccount } from '#server/reminders/reminder-account.ts'
import { sentBy } from '#server/reminders/letters/reminder-mail.ts'
import { readRows } from '#server/db/rows.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aJpeg, aPng } from '#support/pictures.ts'
import { aMailbox } from '#support/mailbox.ts'
import { keysIn } from '#support/pdf.ts'
import { memoryFiles, NOON } from '#support/services.ts'
import { anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const files = memoryFiles()
const mailbox = aMailbox()
const clock = { now: NOON }
const services = { files, mailer: mailbox.mailer, now: () => clock.now }
const server = useApp(world, services)
const MINUTE = 60_000

async function aCompany(company: string | null = null) {
  mailbox.received.length = 0
  clock.now = NOON
  const request = await anAccount(world, { company, services })
  const headers = bearer(request)
  return {
    request,
    headers,
    get: () => call(server, { url: '/account/company', headers }),
    put: (payload: object) => call(server, { method: 'PUT', url: '/account/company', headers, payload }),
    post: (path: string, payload?: object) =>
      call(server, { method: 'POST', url: `/account/company/${path}`, headers, ...(payload && { payload }) }),
  }
}

test('a company is read and changed field by field, whatever else stays as it is', async () => {
  const { request, get, put } = await aCompany()
  const email = request.caller?.email
  const nothing = { name: null, replyTo: null, isReplyToConfirmed: true, postalAddress: null, logoPath: null }
  expect(await get()).toMatchObject({ status: 200, body: { ...nothing, ownerEmail: email, hasContracts: false } })
  expect(await put({ name: ' Mill & Sons ' })).toMatchObject({ status: 200, body: { ...nothing, name: 'Mill & Sons' } })
  const postalAddress = '1 Mill Lane\nBurlington'
  expect(await put({ postalAddress })).toMatchObject({ body: { name: 'Mill & Sons', postalAddress } })
  expect(await put({ name: 'TRAXX', replyTo: 'nobody' })).toMatchObject({
    status: 400,
    body: {
      error: 'Must be the name of your own company, not one that looks like TRAXX',
      fields: { name: expect.any(String), replyTo: 'Email must be a valid address' },
    },
  })
  expect(await get()).toMatchObject({ body: { name: 'Mill & Sons', postalAddress } })
})

test('the reminder settings take a sender name and a reply-to address for the company, as they always did', async () => {
  const { headers, get } = await aCompany()
  const url = '/notifications/settings'
  const { body: settings } = await call(server, { url, headers })
  expect(settings).toMatchObject({ senderName: null, replyTo: null })
  const put = (changes: object) => call(server, { method: 'PUT', url, headers, payload: { ...settings, ...changes } })
  expect(await put({ senderName: 'Mill & Sons', replyTo: 'office@mill.test' })).toMatchObject({
    status: 200,
    body: { senderName: 'Mill & Sons', replyTo: 'office@mill.test' },
  })
  expect(await put({ senderName: null, hour: 9 })).toMatchObject({
    status: 200,
    body: { senderName: 'Mill & Sons', hour: 9 },
  })
  expect(await get()).toMatchObject({ body: { name: 'Mill & Sons', replyTo: null } })
  expect(await put({ senderName: 'a@b.test' })).toMatchObject({
    status: 400,
    body: { fields: { senderName: expect.stringContaining('email or web address') } },
  })
})

describe('a logo', () => {
  const form = (bytes: Uint8Array, field = 'logo') => {
    const data = new FormData()
    data.append(field, new Blob([new Uint8Array(bytes)]), 'logo.gif')
    return data
  }
  const upload = ({ headers }: { headers: object }, bytes: Uint8Array, field?: string) =>
    call(server, { method: 'POST', url: '/account/company/logo', headers: { ...headers }, payload: form(bytes, field) })

  test.each([
    ['image/png', aPng(120, 40)],
    ['image/jpeg', aJpeg(120, 40)],
  ])('of %s is shown to anybody, under a name that cannot be guessed, until it is removed', async (type, bytes) => {
    const company = await aCompany()
    const { status, body } = await upload(company, bytes)
    expect(status).toBe(201)
    expect(await company.get()).toMatchObject({ body: { logoPath: body.logoPath } })
    const shown = await server.app.inject({ url: body.logoPath })
    expect(shown.headers).toMatchObject({
      'content-type': type,
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    })
    expect(Buffer.compare(shown.rawPayload, bytes)).toBe(0)
    const { headers } = company
    const remove = () => call(server, { method: 'DELETE', url: '/account/company/logo', headers })
    expect(await remove()).toMatchObject({ status: 204 })
    expect(await remove()).toMatchObject({ status: 404 })
    expect((await server.app.inject({ url: body.logoPath })).statusCode).toBe(404)
  })

  test.each([
    ['a GIF', Buffer.from('GIF89a'), 415, 'Please select a PNG or JPEG image'],
    ['a page', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'Please select a PNG or JPEG image'],
    ['nothing', Buffer.alloc(0), 415, 'Please select a PNG or JPEG image'],
    [
      'a PNG with a page behind it',
      Buffer.concat([aPng(9, 9), Buffer.from('<html>')]),
      415,
      'Please select a PNG or JPEG image',
    ],
    ['a picture of too many pixels', aPng(2001, 10), 422, 'The logo is more than 2,000 pixels wide or high'],
    ['a picture of too many bytes', aPng(10, 10, 210_000), 413, 'The logo is larger than 200 KB'],
  ])('that is %s is refused, and nothing is kept', async (_what, bytes, status, error) => {
    const company = await aCompany()
    const before = await stored()
    expect(await upload(company, bytes)).toMatchObject({ status, body: { error } })
    expect(await company.get()).toMatchObject({ body: { logoPath: null } })
    expect(await stored()).toEqual(before)
  })

  test('comes in the field "logo"', async () => {
    const company = await aCompany()
    expect(await upload(company, aPng(9, 9), 'file')).toMatchObject({ status: 400 })
  })

  test('that nobody points at is swept, and others stay', async () => {
    const company = await aCompany()
    const { body } = await upload(company, aPng(9, 9))
    const { body: second } = await upload(company, aPng(9, 9))
    const names = (await stored()).map((key) => key.split('/').at(-1))
    expect(names).toContain(second.logoPath.split('/').at(-1))
    expect(names).not.toContain(body.logoPath.split('/').at(-1))
    await world.db.writeAs(company.request.caller?.id ?? 0, (em) => em.execute('update companies set logo_path = null'))
    const { log, services: all } = company.request
    const now = () => new Date(Date.now() + 120 * MINUTE)
    await sweepFiles({ db: world.db, log, services: { ...all, now }, signal: new AbortController().signal })
    expect((await stored()).map((key) => key.split('/').at(-1))).not.toContain(second.logoPath.split('/').at(-1))
  })

  test.each(['..%2f..%2fcontracts', 'x.png', `${'0'.repeat(36)}.png`, '00000000-0000-0000-0000-000000000000.svg'])(
    'is found under its own name alone: %s',
    async (name) => expect((await server.app.inject({ url: `/logos/${name}` })).statusCode).toBe(404),
  )
})

async function stored(): Promise<string[]> {
  const Row = z.object({ installation: z.string() })
  const [row] = await readRows(world.db.system, sql`select installation()`, Row)
  return keysIn(files, `logos/${row?.installation}`)
}

describe('a reply-to address', () => {
  const usedBy = async (request: RequestContext) => {
    const { read, accountId } = requireAccount(request)
    return sentBy(await readReminderAccount(read, accountId)).replyTo
  }
  const codeIn = (text = '') => /Code: (\d{6})/.exec(text)?.[1] ?? ''
  const latestCode = () => codeIn(mailbox.received.at(-1)?.text)
  const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  test('is used once the code that was mailed to it is entered', async () => {
    const { request, put, post } = await aCompany('Mill')
    const own = request.caller?.email
    expect(await put({ replyTo: 'Office@mill.test' })).toMatchObject({ body: { isReplyToConfirmed: false } })
    expect(await usedBy(request)).toBe(own)
    expect(await post('reply-to/code')).toMatchObject({ status: 204 })
    expect(mailbox.received).toMatchObject([{ to: ['Office@mill.test'], from: 'TRAXX <reminders@traxx.test>' }])
    const code = latestCode()
    expect(await post('reply-to/confirm', { code: otherThan(code) })).toMatchObject({
      status: 400,
      body: { error: 'That code is not right. Please check it and try again' },
    })
    expect(await usedBy(request)).toBe(own)
    expect(await post('reply-to/confirm', { code: ` ${code} ` })).toMatchObject({
      status: 200,
      body: { replyTo: 'Office@mill.test', isReplyToConfirmed: true },
    })
    expect(await usedBy(request)).toBe('Office@mill.test')
    expect(await post('reply-to/confirm', { code })).toMatchObject({ status: 400 })
    expect(await post('reply-to/code')).toMatchObject({ status: 409 })
  })

  test('that is the own one of the account needs no code, and another one does again', async () => {
    const { request, put } = await aCompany('Mill')
    const own = request.caller?.email ?? ''
    expect(await put({ replyTo: own.toUpperCase() })).toMatchObject({ body: { isReplyToConfirmed: true } })
    expect(await put({ replyTo: 'office@mill.test' })).toMatchObject({ body: { isReplyToConfirmed: false } })
    expect(await usedBy(request)).toBe(own)
  })

  test('keeps its confirmation when it is saved as it was, and loses it when it is another', async () => {
    const { request, put, post } = await aCompany('Mill')
    await put({ replyTo: 'office@mill.test' })
    await post('reply-to/code')
    await post('reply-to/confirm', { code: latestCode() })
    expect(await put({ replyTo: 'OFFICE@mill.test' })).toMatchObject({
      body: { replyTo: 'OFFICE@mill.test', isReplyToConfirmed: true },
    })
    expect(await put({ replyTo: 'other@mill.test' })).toMatchObject({ body: { isReplyToConfirmed: false } })
    expect(await usedBy(request)).toBe(request.caller?.email)
  })

  test('is counted by a hash that nobody can make from the address alone', async () => {
    const { put, post } = await aCompany('Mill')
    await put({ replyTo: 'office@mill.test' })
    await post('reply-to/code')
    const { rows } = await world.db.system.query(`select key from rate_limits where key like 'replyToCodesToAddress:%'`)
    const unkeyed = createHash('sha256').update('office@mill.test').digest('base64url')
    expect(rows).toEqual([{ key: expect.not.stringContaining(unkeyed) }])
  })

  test('is confirmed neither by the code of another address nor after 10 minutes', async () => {
    const { put, post } = await aCompany('Mill')
    await put({ replyTo: 'one@mill.test' })
    await post('reply-to/code')
    const first = latestCode()
    await put({ replyTo: 'other@mill.test' })
    expect(await post('reply-to/confirm', { code: first })).toMatchObject({ status: 400 })
    await post('reply-to/code')
    const second = latestCode()
    expect(await post('reply-to/confirm', { code: otherThan(second) })).toMatchObject({ status: 400 })
    clock.now = new Date(NOON.getTime() + 10 * MINUTE + 1)
    expect(await post('reply-to/confirm', { code: second })).toMatchObject({
      status: 400,
      body: { error: 'The code has expired, or was entered incorrectly too many times. Request a new one' },
    })
  })

  test('has five attempts at a code, however many come at once', async () => {
    const { put, post } = await aCompany('Mill')
    await put({ replyTo: 'office@mill.test' })
    await post('reply-to/code')
    const code = latestCode()
    const wrong = await Promise.all(
      Array.from({ length: 8 }, () => post('reply-to/confirm', { code: otherThan(code) })),
    )
    expect(
      wrong.filter(({ body }) => body.error === 'That code is not right. Please check it and try again'),
    ).toHaveLength(5)
    expect(await post('reply-to/confirm', { code })).toMatchObject({ status: 400 })
  })

  test('gets five codes in a day, from all accounts together, however it is written and however many are asked for at once', async () => {
    const requests = await Promise.all([1, 2].map(async () => (await aCompany('Mill')).request))
    for (const [place, request] of requests.entries()) {
      await asSubscriber(request, (ctx) => updateCompany(ctx, { replyTo: `Victim+${place}@mill.test` }))
    }
    const asked = requests.flatMap((request) =>
      Array.from({ length: 4 }, () => sendReplyToCode(requireReader(request))),
    )
    const settled = await Promise.allSettled(asked)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(mailbox.received).toHaveLength(5)
  })

  test('is one of ten codes that an account sends in a day, to whichever addresses', async () => {
    const { request } = await aCompany('Mill')
    const ask = async (n: number) => {
      await asSubscriber(request, (ctx) => updateCompany(ctx, { replyTo: `someone${n}@mill.test` }))
      await sendReplyToCode(requireReader(request))
    }
    for (let n = 0; n < 10; n += 1) await ask(n)
    await expect(ask(10)).rejects.toMatchObject({ key: 'TOO_MANY_REQUESTS' })
    expect(mailbox.received).toHaveLength(10)
  })

  test('has its code kept as a hash', async () => {
    const { request, put, post } = await aCompany('Mill')
    await put({ replyTo: 'office@mill.test' })
    await post('reply-to/code')
    const rows = await world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute('select * from reply_to_codes'))
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(latestCode())
  })

  test('is told nothing by an account that may not write', async () => {
    const request = await anAccount(world, { status: 'canceled', services })
    await world.db.system.query(`update subscriptions set ended_at = $1`, [NOON])
    const answer = await call(server, {
      method: 'POST',
      url: '/account/company/reply-to/code',
      headers: bearer(request),
    })
    expect(answer.status).toBe(402)
  })
})

test('the company can be read whatever the subscription says', async () => {
  const request = await anAccount(world, { status: null, company: 'Mill' })
  expect(await getCompany(requireAccount(request))).toMatchObject({ name: 'Mill' })
})
