import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { KEY_HOURS, LONGEST_CALL_MINUTES } from '#server/idempotency/once.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aPdf } from '#support/pdf.ts'
import { upload } from '#support/upload.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
let now = new Date('2026-03-01T12:00:00Z')
const mailbox = aMailbox()
/** What the mail server does with the next message. */
let delivered: () => Promise<void> = async () => {}
const mailer: Mailer = {
  ...mailbox.mailer,
  send: async (message) => {
    await delivered()
    return mailbox.mailer.send(message)
  },
}
const server = useApp(world, { now: () => now, mailer })
const limited = useApp(world, {}, { limits: { idempotencyKeys: 1 } })

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const acme = { name: 'Acme', email: 'ann@acme.test' }

/** One call with a key; the same one is to be answered in the same way. */
function post(request: RequestContext, key: string, payload: object = acme, url = '/customers') {
  return postTo(server, request, key, payload, url)
}

function postTo(app: typeof server, request: RequestContext, key: string, payload: object = acme, url = '/customers') {
  return call(app, { method: 'POST', url, headers: { ...bearer(request), 'idempotency-key': key }, payload })
}

async function namesOf(request: RequestContext): Promise<string[]> {
  const { body } = await call(server, { url: '/customers', headers: bearer(request) })
  return body.map(({ name }: { name: string }) => name)
}

describe('a POST that is sent again with its Idempotency-Key', () => {
  test('gets the same answer and changes nothing', async () => {
    const request = await anAccount(world)
    const first = await post(request, 'a')
    expect(first.status).toBe(201)
    expect(await post(request, 'a')).toMatchObject({ status: 201, body: first.body })
    expect(await namesOf(request)).toEqual(['Acme'])
  })

  test('waits for the first where both arrive at once', async () => {
    const request = await anAccount(world)
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(request, 'a')))
    const [first] = answers
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: first?.body })
    expect(await namesOf(request)).toEqual(['Acme'])
  })

  test('is refused with another body or for another call', async () => {
    const request = await anAccount(world)
    await post(request, 'a')
    const reused = { status: 422, body: { refusal: 'IDEMPOTENCY_KEY_REUSED' } }
    expect(await post(request, 'a', { ...acme, name: 'Other' })).toMatchObject(reused)
    expect(await post(request, 'a', {}, '/notifications/clear')).toMatchObject(reused)
    expect(await namesOf(request)).toEqual(['Acme'])
  })

  test('is carried out if the first one was refused', async () => {
    const request = await anAccount(world)
    await post(request, 'first', { ...acme, customerNumber: 'C-1' })
    const taken = { name: 'Beta', customerNumber: 'C-1' }
    expect(await post(request, 'a', taken)).toMatchObject({ status: 409 })
    expect(await post(request, 'a', { ...taken, customerNumber: 'C-2' })).toMatchObject({ status: 201 })
  })

  test('is carried out for another account with the same key', async () => {
    const [mine, theirs] = [await anAccount(world), await anAccount(world)]
    const first = await post(mine, 'a')
    const second = await post(theirs, 'a')
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
    expect(await namesOf(theirs)).toEqual(['Acme'])
  })

  test('is a new call after a day', async () => {
    const request = await anAccount(world)
    await post(request, 'a')
    now = new Date(now.getTime() + KEY_HOURS * HOUR_MS - 1)
    await post(request, 'a')
    expect(await namesOf(request)).toEqual(['Acme'])
    now = new Date(now.getTime() + 1)
    expect(await post(request, 'a')).toMatchObject({ status: 201 })
    expect(await namesOf(request)).toEqual(['Acme', 'Acme'])
  })

  test('is the same call for a server whose clock is more than a day ahead', async () => {
    const request = await anAccount(world)
    const usual = now
    now = new Date()
    const first = await post(request, 'a')
    now = new Date(now.getTime() + (KEY_HOURS + 1) * HOUR_MS)
    expect(await post(request, 'a')).toMatchObject({ status: 201, body: first.body })
    now = usual
    expect(await namesOf(request)).toEqual(['Acme'])
  })

  test('may have an empty answer', async () => {
    const request = await anAccount(world)
    const first = await post(request, 'a', {}, '/notifications/clear')
    expect(await post(request, 'a', {}, '/notifications/clear')).toMatchObject({ status: 200, body: first.body })
  })

  test('is refused where the answer holds a secret, which is stored nowhere', async () => {
    const request = await anAccount(world)
    const key = { name: 'K', scope: 'read', expiresOn: '2026-06-01' }
    const made = await post(request, 'a', key, '/api-keys')
    expect(made.status).toBe(201)
    expect(await post(request, 'a', key, '/api-keys')).toMatchObject({
      status: 409,
      body: { refusal: 'IDEMPOTENCY_ANSWER_SECRET' },
    })
    const [stored] = await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute<object[]>('select answer from idempotency_keys'),
    )
    expect(stored).toEqual({ answer: null })
    const { body } = await call(server, { url: '/api-keys', headers: bearer(request) })
    expect(body).toHaveLength(1)
  })
})

test.each(['', 'two words', 'ü', 'x'.repeat(256)])('a key is refused that is no key: %j', async (key) => {
  const request = await anAccount(world)
  expect(await post(request, key)).toMatchObject({ status: 400, body: { refusal: 'IDEMPOTENCY_KEY_INVALID' } })
  expect(await namesOf(request)).toEqual([])
})

/** An account with a contract whose customer can be emailed, and the call that does so. */
async function aReminder() {
  const request = await anAccount(world)
  const earlier = mailbox.received.length
  const { id: customerId } = await aCustomer(request, { email: 'ann@acme.test' })
  const { id } = await aContract(request, { customerId })
  const sent = () => mailbox.received.length - earlier
  return { request, sent, send: (key: string) => post(request, key, {}, `/contracts/${id}/reminder`) }
}

/** As a server that is killed leaves it: the call has begun, and nobody knows how it ended. */
function leaveRunning(request: RequestContext, key: string) {
  const values = [request.caller?.id, key, now.toISOString()]
  return world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute('insert into idempotency_keys (account_id, key, created_at) values (?, ?, ?)', values),
  )
}

describe('a POST that is more than one transaction', () => {
  test('sends one email, however often it is sent with its key', async () => {
    const { send, sent } = await aReminder()
    const first = await send('a')
    expect(first).toMatchObject({ status: 200, body: { success: true } })
    expect(await send('a')).toMatchObject({ status: 200, body: first.body })
    expect(sent()).toBe(1)
    expect(await send('b')).toMatchObject({ status: 409, body: { refusal: 'REMINDER_SENT_TODAY' } })
  })

  test('is refused while the first one is running', async () => {
    const { send, sent } = await aReminder()
    const reached = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    delivered = () => {
      reached.resolve()
      return held.promise
    }
    const first = send('a')
    await reached.promise
    expect(await send('a')).toMatchObject({ status: 409, body: { refusal: 'IDEMPOTENCY_KEY_RUNNING' } })
    held.resolve()
    expect(await first).toMatchObject({ status: 200 })
    delivered = async () => {}
    expect(await send('a')).toMatchObject({ status: 200, body: (await first).body })
    expect(sent()).toBe(1)
  })

  test('is carried out if the first one failed', async () => {
    const { send, sent } = await aReminder()
    delivered = () => Promise.reject(Object.assign(new Error('no'), { responseCode: 554 }))
    const failed = await send('a')
    expect(failed).toMatchObject({ body: { refusal: 'REMINDER_FAILED' } })
    delivered = async () => {}
    expect(await send('a')).toMatchObject({ status: 200 })
    expect(sent()).toBe(1)
  })

  test('is carried out where a killed server has left it, once no call can still be running', async () => {
    const { request, send, sent } = await aReminder()
    await leaveRunning(request, 'a')
    expect(await send('a')).toMatchObject({ status: 409, body: { refusal: 'IDEMPOTENCY_KEY_RUNNING' } })
    now = new Date(now.getTime() + LONGEST_CALL_MINUTES * MINUTE_MS)
    expect(await send('a')).toMatchObject({ status: 200 })
    expect(sent()).toBe(1)
  })
})

describe('a file that is sent again with its Idempotency-Key', () => {
  const csv = 'Name\nAcme\nBeta\n'
  const url = '/customers/bulk-upload'

  test('is imported once, and another file is refused', async () => {
    const request = await anAccount(world)
    const first = await upload(server, request, { url, content: csv, key: 'a' })
    expect(first).toMatchObject({ status: 200, body: { created: 2 } })
    expect(await upload(server, request, { url, content: csv, key: 'a' })).toMatchObject({
      status: 200,
      body: first.body,
    })
    expect(await upload(server, request, { url, content: `${csv}Gamma\n`, key: 'a' })).toMatchObject({
      status: 422,
      body: { refusal: 'IDEMPOTENCY_KEY_REUSED' },
    })
    expect(await namesOf(request)).toEqual(['Acme', 'Beta'])
  })

  test('is not imported where a killed server may have imported part of it', async () => {
    const request = await anAccount(world)
    await leaveRunning(request, 'a')
    now = new Date(now.getTime() + LONGEST_CALL_MINUTES * MINUTE_MS)
    expect(await upload(server, request, { url, content: csv, key: 'a' })).toMatchObject({
      status: 409,
      body: { refusal: 'IDEMPOTENCY_INTERRUPTED' },
    })
    expect(await namesOf(request)).toEqual([])
  })

  test('is asked about as without a key, and answered with the same one', async () => {
    const request = await anAccount(world)
    await upload(server, request, { url, content: csv })
    expect(await upload(server, request, { url, content: csv, key: 'a' })).toMatchObject({
      status: 409,
      body: { question: { parameter: 'again' } },
    })
    const again = await upload(server, request, { url: `${url}?again=true`, content: csv, key: 'a' })
    expect(again).toMatchObject({ status: 200, body: { created: 2 } })
  })

  test('is stored once as the PDF of a contract', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request)
    const form = { url: `/contracts/${id}/pdf`, content: aPdf(), name: 'a.pdf', field: 'pdf', key: 'a' }
    const first = await upload(server, request, form)
    expect(first.status).toBe(201)
    await call(server, { method: 'DELETE', url: form.url, headers: bearer(request) })
    expect(await upload(server, request, form)).toMatchObject({ status: 201, body: first.body })
    expect((await call(server, { url: `/contracts/${id}`, headers: bearer(request) })).body.pdfPath).toBeNull()
  })
})

test('every POST of the API takes a key, but for previews, which change nothing', () => {
  const folder = join(import.meta.dirname, '../../src/server/rest')
  const handlers = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && file !== 'webhooks.ts')
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split(/(?=\bapp\.(?:get|post|put|delete|route)\()/))
    .filter((part) => /^app\.post\((?!'[^']*\/preview')/.test(part))
  expect(handlers.length).toBeGreaterThan(15)
  expect(handlers.filter((handler) => !/(?:asSubscriber|run)Once\(request/.test(handler))).toEqual([])
})

test('an account cannot have keys stored without end', async () => {
  const request = await anAccount(world)
  expect(await postTo(limited, request, 'a')).toMatchObject({ status: 201 })
  expect(await postTo(limited, request, 'b')).toMatchObject({ status: 429, body: { refusal: 'TOO_MANY_REQUESTS' } })
})
