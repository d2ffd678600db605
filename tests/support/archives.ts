import { Readable } from 'node:stream'
import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from 'fflate'
import type { FastifyInstance } from 'fastify'
import { DEFAULT_ANSWERS } from '#shared/domain/customer-answer.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { attachLogo } from '#server/company/logo.service.ts'
import type { RequestContext } from '#server/context.ts'
import { attachPdf } from '#server/files/files.service.ts'
import { appRouter } from '#server/routers/index.ts'
import { createCallerFactory } from '#server/trpc.ts'
import { bearer } from './app.ts'
import { aPdf } from './pdf.ts'
import { aPng } from './pictures.ts'
import { upload } from './upload.ts'

interface Server {
  readonly app: FastifyInstance
}

export const callerOf = createCallerFactory(appRouter)

/** The archive of an account, as `GET /export` answers it. */
export async function archiveOf(server: Server, request: RequestContext): Promise<Buffer> {
  const { statusCode, rawPayload } = await server.app.inject({ url: '/export', headers: bearer(request) })
  if (statusCode !== 200) throw new Error(`The export answers ${statusCode}`)
  return rawPayload
}

export function importArchive(server: Server, request: RequestContext, content: Buffer, query = '') {
  return upload(server, request, { url: `/imports/archive${query}`, content, name: 'traxx.zip' })
}

/** The same archive with some of its files changed; undefined removes one. */
export function changedArchive(archive: Buffer, changes: Record<string, string | Buffer | undefined>): Buffer {
  const files: Zippable = { ...unzipSync(archive) }
  for (const [name, content] of Object.entries(changes)) {
    if (content === undefined) delete files[name]
    else files[name] = typeof content === 'string' ? strToU8(content) : Uint8Array.from(content)
  }
  return Buffer.from(zipSync(files))
}

export type Row = Record<string, unknown>

/** The rows of one JSON file. */
export function rowsIn(archive: Buffer, table: string): Row[] {
  const file = unzipSync(archive, { filter: ({ name }) => name === `${table}.json` })[`${table}.json`]
  return JSON.parse(strFromU8(file ?? new Uint8Array()))
}

/** Rows as exports write them. */
export function fileOf(rows: readonly object[]): string {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
}

/** Fills an account with something of everything, in the way in which people do it. */
export async function fillAccount(request: RequestContext): Promise<void> {
  const customers = await addCustomers(request)
  await addContracts(request, customers)
  await changeSettings(request)
  await addMail(request)
  await addAnswers(request)
}

interface Customers {
  harbor: number
  mill: number
  quay: number
}

async function addCustomers(request: RequestContext): Promise<Customers> {
  const { customers, contacts, notes } = callerOf(request)
  const harbor = await customers.create({
    name: 'Harbor Bakery',
    email: 'orders@harbor.test',
    customerNumber: 'C-1',
    contactName: 'Ann Baker',
    contactRole: 'Owner',
    address: '12 Pier Road\nSeaport',
    tags: ['VIP', 'North'],
  })
  const mill = await customers.create({ name: 'Mill & Söhne', email: 'office@mill.test', phone: '+1 555 0100' })
  const quay = await customers.create({ name: 'Quay Café', email: 'Cook@Quay.test', customerNumber: 'C-3' })
  await contacts.add({ id: harbor.id, name: 'Ben', role: 'Accounting', email: 'ben@harbor.test' })
  await contacts.add({ id: harbor.id, name: 'Cleo', phone: '555 2', reminders: false })
  const gone = await contacts.add({ id: mill.id, name: 'Dora', email: 'dora@mill.test' })
  await contacts.remove({ id: gone.id })
  await customers.update({ id: mill.id, name: 'Mill & Söhne GmbH', sendNotifications: false })
  await customers.update({ id: mill.id, sendNotifications: true })
  const note = await notes.add({ about: 'customer', id: harbor.id, text: 'Prefers calls\nin the morning' })
  await notes.update({ id: note.id, text: 'Prefers calls in the morning' })
  return { harbor: harbor.id, mill: mill.id, quay: quay.id }
}

const TERMS = { amount: 120.5, startDate: '2026-01-31', renewalCycle: 'monthly', renewalDate: '2026-03-31' } as const
const YEARLY = { ...TERMS, amount: 2400, renewalCycle: 'yearly', status: 'active' } as const

async function addContracts(request: RequestContext, { harbor, mill, quay }: Customers): Promise<void> {
  const { answers, contracts, customers, notes, views, trash, reminders } = callerOf(request)
  const hosting = await contracts.create({
    ...TERMS,
    customerId: harbor,
    status: 'active',
    title: 'Web hosting',
    reference: 'H-1',
    renews: 'automatic',
    noticePeriod: '30 days',
    tags: ['VIP'],
  })
  await contracts.renew({ id: hosting.id, term: 1 })
  await contracts.update({ id: hosting.id, nextAmount: 130, nextCycle: 'quarterly' })
  await notes.add({ about: 'contract', id: hosting.id, text: 'Moved to the new server' })
  await attachPdf(request, { id: hosting.id }, Readable.from([aPdf()]))
  const late = await contracts.create({
    ...YEARLY,
    customerId: mill,
    startDate: '2024-01-15',
    renewalDate: '2026-01-15',
  })
  await contracts.renew({ id: late.id, from: 'today', amount: 2500 })
  const ending = await contracts.create({ ...YEARLY, customerId: harbor, renewalDate: '2026-06-01', renews: 'never' })
  await contracts.end({ id: ending.id, reason: 'Price', note: 'Too dear', on: '2026-05-01' })
  const ended = await contracts.create({ ...YEARLY, customerId: quay, renewalDate: '2026-06-01' })
  await contracts.end({ id: ended.id, reason: 'Other' })
  const reopened = await contracts.create({ ...YEARLY, customerId: quay, renewalDate: '2026-02-01' })
  await contracts.end({ id: reopened.id, reason: 'Other' })
  await contracts.reopen({ id: reopened.id })
  const undone = await contracts.create({ ...TERMS, customerId: mill, status: 'pending', renewalDate: '2026-04-09' })
  await contracts.renew({ id: undone.id, term: 1 })
  await contracts.undo({ id: undone.id })
  await contracts.create({ ...YEARLY, customerId: mill, renewalDate: '2026-02-20', status: 'expired', amount: 99 })
  const moved = await contracts.create({ ...YEARLY, customerId: mill, renewalDate: '2026-03-24' })
  await contracts.update({ id: moved.id, customerId: harbor })
  const muted = await contracts.create({ ...YEARLY, customerId: harbor, renewalDate: '2026-04-01', amount: 1 })
  await reminders.muteContract({ id: muted.id, reminders: 'off' })
  const own = { enableNotifications: null, reminderDays: [7, 3], followUpDays: [], email: false, inApp: null }
  await reminders.saveContractSettings({ id: undone.id, ...own })
  await answers.saveContractSettings({ id: undone.id, ...OWN_ANSWERS })
  const twin = await customers.create({ name: 'Twin', customerNumber: 'c-1x', tags: ['Old'] })
  const deleted = await contracts.create({ ...YEARLY, customerId: twin.id, title: 'Deleted' })
  await attachPdf(request, { id: deleted.id }, Readable.from([aPdf()]))
  const former = await contracts.create({ ...YEARLY, customerId: twin.id, title: 'Gone for good' })
  await contracts.update({ id: former.id, amount: 7 })
  for (const { id } of [deleted, former]) await contracts.remove({ id })
  await customers.remove({ id: twin.id })
  await trash.removeContract({ id: former.id })
  await views.save({ name: 'Harbor soon', search: { customerId: harbor, sort: 'renewalDate', tag: 'VIP' } })
  await views.save({ name: 'Big ones', search: { amountFrom: 1000, columns: 'customer,amount' }, position: 1 })
  await views.saveListSettings({ contractColumns: 'customer,amount' })
}

async function changeSettings(request: RequestContext): Promise<void> {
  const { answers, company, contracts, reminders } = callerOf(request)
  await company.update({ name: 'Alder Supplies', replyTo: 'office@alder.test', postalAddress: '1 Mill Lane' })
  await statement(request, `update companies set reply_to_confirmed_at = '2026-01-01'`)
  await attachLogo(request, Readable.from([aPng(2, 2)]))
  await reminders.saveSettings({ ...DEFAULT_SETTINGS, reminderDays: [30, 14, 7], hour: 9 })
  await reminders.saveText({ kind: 'follow_up', subject: 'Hello {{customer}}', body: 'It was due.\n\n{{details}}' })
  await contracts.saveRenewalSettings({ endOverdueAfterDays: 90, endReasons: ['Price', 'Moved', 'Other'] })
  await answers.saveSettings({ ...DEFAULT_ANSWERS, renewal: 'at_once', showsPdf: true })
}

/** What was sent and what came of it, of which the ledger, the bounces and the closed addresses tell. */
async function addMail(request: RequestContext): Promise<void> {
  await statement(
    request,
    `insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, term_number, kind, offset_days,
      due_on, recipient, contact_id, contact_name, channel, state, reason, address, subject, body, message_id, attempts,
      planned_at, next_attempt_at, sending_at, sent_at, sent_on, ended_at, delivered_at, bounced_at)
    select k.account_id, k.id, c.id, c.name, k.renewal_date, k.term_number, m.kind, m.days, m.due::date, m.recipient,
      coalesce((select id from customer_contacts x where x.name = m.contact), m.gone), m.contact, m.channel, m.state, m.reason,
      m.address, 'Your contract', 'Dear customer', '<' || m.state || m.days || '@traxx.test>', 1, m.due::timestamptz,
      m.next::timestamptz, m.sent::timestamptz, m.sent::timestamptz, m.sent::date, m.ended::timestamptz,
      case m.state when 'delivered' then m.sent::timestamptz end, case m.state when 'bounced' then m.sent::timestamptz end
    from contracts k join customers c on c.id = k.customer_id cross join (values
      ('reminder', 30, '2026-02-22', 'customer', null, 0, 'email', 'delivered', null, 'orders@harbor.test', '2026-02-22T09:00Z', null, null),
      ('reminder', 30, '2026-02-22', 'customer', 'Ben', 0, 'email', 'bounced', null, 'ben@harbor.test', '2026-02-22T09:00Z', null, null),
      ('reminder', 30, '2026-02-22', 'customer', 'Dora', 4711, 'email', 'sent', null, 'dora@mill.test', '2026-02-22T09:00Z', null, null),
      ('reminder', 30, '2026-02-22', 'owner', null, 0, 'in_app', 'sent', null, null, '2026-02-22T09:00Z', null, null),
      ('reminder', 14, '2026-03-10', 'customer', null, 0, 'email', 'planned', null, null, null, '2026-03-10T12:00Z', null),
      ('reminder', 7, '2026-03-17', 'customer', null, 0, 'email', 'skipped', 'by_hand', null, null, null, '2026-03-09T12:00Z')
    ) as m(kind, days, due, recipient, contact, gone, channel, state, reason, address, sent, next, ended)
    where k.renewal_date = '2026-03-24'`,
  )
  await statement(
    request,
    `insert into complaints (account_id, reminder_id, source, reason, complained_at)
      select account_id, id, 'report', 'unwanted', '2026-02-23T09:00Z' from reminders where state = 'delivered'`,
  )
  await statement(
    request,
    `insert into bounced_addresses (account_id, address, bounced_at, answer, cleared_at)
      select id, 'ben@harbor.test', '2026-02-22T09:01Z'::timestamptz, '550 no such user', null::timestamptz from accounts
      union all select id, 'office@mill.test', '2026-01-02T09:00Z', null, '2026-01-03T09:00Z' from accounts`,
  )
  await statement(
    request,
    `insert into closed_addresses (account_id, address, reason, closed_at)
      select id, 'cook@quay.test', 'unsubscribed', '2026-02-01T09:00Z'::timestamptz from accounts
      union all select id, 'orders@harbor.test', 'complained', '2026-02-23T09:00Z' from accounts`,
  )
}

const OWN_ANSWERS = { hasLink: true, renewal: null, deadline: 'notice', lateEnd: 'refuse', showsPdf: null } as const

/** What customers answered: one waits, one was accepted, and one is of a contact who is gone. */
async function addAnswers(request: RequestContext): Promise<void> {
  await statement(
    request,
    `insert into customer_answers (account_id, contract_id, customer_id, customer_name, term_number, number, contact_id, address,
      choice, state, is_late, is_change, wished_amount_cents, wished_date, reason, words, offer, network, answered_at, decided_at,
      decided_by, reply, agreed)
    select k.account_id, k.id, c.id, c.name, k.term_number, a.number, coalesce((select id from customer_contacts x where x.name = a.contact), a.gone),
      'orders@harbor.test', a.choice, a.state, a.choice = 'end', a.number = 2, a.cents, a.day::date, a.reason, a.words,
      jsonb_build_object('customerId', c.id, 'termNumber', k.term_number, 'amountCents', k.amount_cents, 'renewalCycle', k.renewal_cycle,
        'renewalDate', k.renewal_date, 'renews', k.renews, 'noticePeriod', k.notice_period, 'nextAmountCents', null, 'nextCycle', null),
      '203.0.113.0/24', a.at::timestamptz, a.decided::timestamptz, a.by, a.reply, a.agreed::jsonb
    from contracts k join customers c on c.id = k.customer_id cross join (values
      (1, null, 0, 'renew', 'withdrawn', null::bigint, null, null, null, '2026-02-22T10:00Z', null, null, null, null),
      (2, 'Ben', 0, 'change', 'accepted', 12345, '2027-01-31', null, 'Less', '2026-02-22T10:30Z', '2026-02-23T10:00Z', 'key:1', 'Fine',
        '{"termStart": "2026-03-24", "renewalDate": "2027-01-31", "amountCents": 12345, "renewalCycle": "yearly"}'),
      (3, 'Dora', 4711, 'end', 'waiting', null, null, 'Price', null, '2026-02-24T10:00Z', null, null, null, null)
    ) as a(number, contact, gone, choice, state, cents, day, reason, words, at, decided, by, reply, agreed)
    where k.renewal_date = '2026-03-24'`,
  )
}

/** One statement as the account itself, which sees only its own rows. */
export async function statement({ db, caller }: RequestContext, text: string): Promise<void> {
  await db.writeAs(caller?.id ?? 0, (em) => em.execute(text))
}
