import pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { archiveOf, callerOf, fillAccount, importArchive, rowsIn } from '#support/archives.ts'
import { ledgerOf } from '#support/ledger.ts'
import { signedMailEvent, type MailEvent } from '#support/mail-event.ts'
import { aMailbox } from '#support/mailbox.ts'
import { memoryFiles } from '#support/services.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const files = memoryFiles()
const server = useApp(world, { files, mailWebhookKey: 'key-test' })

/** More than 32 bits hold. */
const FIRST = 3_000_000_000

/** As the owner of the tables. */
async function run<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
  const client = new pg.Client(world.connection)
  await client.connect()
  const { rows } = await client.query<Row>(statement)
  await client.end()
  return rows
}

beforeEach(() => run(`select setval('reminders_id_seq', ${FIRST}), setval('activity_id_seq', ${FIRST})`))

const tell = (event: MailEvent) =>
  call(server, { method: 'POST', url: '/mail/webhook', payload: signedMailEvent(event) })

test('a message with a large ID is sent, delivered and reported, and its link works', async () => {
  const { mailer, received } = aMailbox()
  const request = await anAccount(world, { services: { mailer } })
  const { id: customerId } = await aCustomer(request, { email: 'orders@harbor.test' })
  await sendReminder(request, await aContract(request, { customerId }))
  const sent = async () => (await ledgerOf(request))[0]
  const message = await sent()
  expect(message).toMatchObject({ state: 'sent' })
  expect(message?.id).toBeGreaterThan(FIRST)
  const messageId = message?.messageId?.slice(1, -1) ?? ''
  expect(await tell({ event: 'delivered', messageId })).toMatchObject({ status: 200 })
  expect(await sent()).toMatchObject({ state: 'delivered' })
  const link = /http:\/\/localhost:3000(\/unsubscribe\/\S+)/.exec(received[0]?.text ?? '')?.[1] ?? ''
  expect((await server.app.inject({ url: link })).statusCode).toBe(200)
  expect((await server.app.inject({ url: link.replace('unsubscribe', 'report') })).statusCode).toBe(200)
  expect(await tell({ event: 'complained', messageId })).toMatchObject({ status: 200 })
  expect(await run<{ id: string }>('select reminder_id::text as id from complaints')).toEqual([
    { id: `${message?.id}` },
  ])
})

test('lists of messages and of activity have pages with large IDs', async () => {
  const request = await anAccount(world, { services: { files } })
  await fillAccount(request)
  const headers = bearer(request)
  const idsOf = async (url: string) => {
    const { body, headers: answered } = await call(server, { url: `${url}?limit=1`, headers })
    const [, cursor] = /[?&]cursor=([^&>]+)/.exec(String(answered['link'])) ?? []
    const next = await call(server, { url: `${url}?limit=1&cursor=${cursor}`, headers })
    expect(next).toMatchObject({ status: 200 })
    return [...body, ...next.body].map(({ id }: { id: number }) => id)
  }
  const [contract] = (await callerOf(request).contracts.list({ search: 'Harbor', sort: 'added', direction: 'asc' }))
    .rows
  for (const url of ['/reminders', `/contracts/${contract?.id}/activity`]) {
    const [first, second] = await idsOf(url)
    expect(first).toBeGreaterThan(second ?? 0)
    expect(second).toBeGreaterThan(FIRST)
  }
})

test('an archive with large IDs is imported', async () => {
  const request = await anAccount(world, { services: { files } })
  await fillAccount(request)
  const archive = await archiveOf(server, request)
  expect(rowsIn(archive, 'complaints')).toMatchObject([{ reminderId: expect.any(Number) }])
  expect(rowsIn(archive, 'reminders')[0]?.['id']).toBeGreaterThan(FIRST)
  const fresh = await anAccount(world, { company: null, services: { files } })
  expect(await importArchive(server, fresh, archive)).toMatchObject({ status: 200, body: { counts: { messages: 6 } } })
})

test('a preview uses up no IDs of 32 bits', async () => {
  const request = await anAccount(world, { services: { files } })
  await fillAccount(request)
  const archive = await archiveOf(server, request)
  const fresh = await anAccount(world, { company: null, services: { files } })
  const drawn = () =>
    run<{ name: string }>(`select sequencename as name, last_value::text from pg_sequences
      where data_type = 'integer'::regtype and sequencename <> 'preview_ids' order by 1`)
  const before = await drawn()
  const { body } = await importArchive(server, fresh, archive, '?preview=true')
  expect(body).toMatchObject({ counts: { contracts: 9, contacts: 2, notes: 2 } })
  expect(await drawn()).toEqual(before)
})

test('previews whose IDs reach their end start over, and show the same', async () => {
  const request = await anAccount(world, { services: { files } })
  await fillAccount(request)
  const archive = await archiveOf(server, request)
  const fresh = await anAccount(world, { company: null, services: { files } })
  const preview = async () => (await importArchive(server, fresh, archive, '?preview=true')).body
  const expected = await preview()
  expect(expected).toMatchObject({ counts: { contracts: 9, contacts: 2, notes: 2 } })
  for (const left of [0, 1, 2, 5]) {
    await run(`select setval('preview_ids', ${2_147_483_647 - left})`)
    expect(await preview()).toEqual(expected)
  }
})

test('contracts whose IDs no column holds are refused by what is selected for a preview', async () => {
  const request = await anAccount(world)
  await aContract(request)
  const preview = (id: number) =>
    call(server, {
      method: 'POST',
      url: '/bulk',
      headers: bearer(request),
      payload: { action: 'remind', preview: true, contracts: { ids: [id] } },
    })
  expect(await preview(2_147_483_647)).toMatchObject({ status: 200 })
  for (const id of [2_147_483_648, FIRST, Number.MAX_SAFE_INTEGER])
    expect(await preview(id)).toMatchObject({ status: 400, body: { error: 'Must be a valid ID' } })
})
