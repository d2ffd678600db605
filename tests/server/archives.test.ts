import { Readable } from 'node:stream'
import { unzipSync } from 'fflate'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { LARGEST_ARCHIVE_BYTES } from '#shared/schemas/archives.ts'
import { MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { importArchive as importDirectly } from '#server/archives/archive.service.ts'
import { allRows, openArchive } from '#server/archives/archive-reader.ts'
import { ARCHIVE_TABLES } from '#server/archives/archive-tables.ts'
import { archiveDisk } from '#server/archives/disk-budget.ts'
import { INSERTIONS } from '#server/archives/write-rows.ts'
import type { RequestContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import { recordComplaint } from '#server/deliverability/complaints.service.ts'
import { readInstallation } from '#server/files/files.service.ts'
import { saveUpload } from '#server/imports/sheet/upload-file.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { saveText } from '#server/reminder-settings/texts.service.ts'
import { planAccounts } from '#server/reminders/plan-reminders.ts'
import { bearer, call, useApp } from '#support/app.ts'
import {
  archiveOf,
  callerOf,
  changedArchive,
  fileOf,
  fillAccount,
  importArchive,
  rowsIn,
  statement,
} from '#support/archives.ts'
import { comparable } from '#support/compared-archives.ts'
import { ledgerOf } from '#support/ledger.ts'
import { keysIn } from '#support/pdf.ts'
import { fakeServices, memoryFiles, NOON } from '#support/services.ts'
import { upload } from '#support/upload.ts'
import { aContract, aCustomer, anAccount, anApiKey, asSubscriber, useWorld } from '#support/world.ts'

const world = useWorld()
const files = memoryFiles()
const server = useApp(world, { files })
const DAY_MS = 86_400_000

/** An account with something of everything, and its archive. */
async function aFullAccount() {
  const request = await anAccount(world, { services: { files } })
  await fillAccount(request)
  return { request, archive: await archiveOf(server, request) }
}

let made: Buffer | undefined

/** Such an archive, made once, for tests that do not look at the account that it comes from. */
async function aFullArchive(): Promise<Buffer> {
  return (made ??= (await aFullAccount()).archive)
}

function anEmptyAccount(options: Parameters<typeof anAccount>[1] = {}) {
  return anAccount(world, { company: null, ...options, services: { files, ...options.services } })
}

async function driftingTotals() {
  return readRows(world.db.system, sql`select kept_table as name from totals_drift()`, z.object({ name: z.string() }))
}

async function storedFiles() {
  const installation = await readInstallation(world.db.system)
  return (await keysIn(files, `contracts/${installation}`, `incoming/${installation}`, `logos/${installation}`)).length
}

async function answerTo(request: RequestContext, url: string) {
  return (await call(server, { url, headers: bearer(request) })).body
}

/** An answer without what is another account's in any case. */
function withoutIds(answer: unknown): unknown {
  const own = ['id', 'customerId', 'contractId', 'decision', 'pdfPath', 'remindedToday']
  return JSON.parse(JSON.stringify(answer), (name: string, value: unknown) => (own.includes(name) ? undefined : value))
}

describe('the archive of an account', () => {
  test('imports into an empty one with everything, so that its own archive says the same', async () => {
    const { request, archive } = await aFullAccount()
    const fresh = await anEmptyAccount()
    const { status, body } = await importArchive(server, fresh, archive)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        isPreview: false,
        counts: {
          customers: 3,
          contracts: 9,
          inTrash: 2,
          contacts: 2,
          terms: 2,
          notes: 2,
          tags: 3,
          views: 2,
          pdfs: 2,
          closedAddresses: 2,
          messages: 6,
        },
        leftOut: { missingPdfs: 0, waitingMessages: 1, views: 0, textsWithLinks: 0 },
      },
    })
    expect(comparable(await archiveOf(server, fresh))).toEqual(comparable(archive))
    const dashboard = withoutIds(await answerTo(request, '/dashboard'))
    expect(withoutIds(await answerTo(fresh, '/dashboard'))).toEqual(dashboard)
    expect(dashboard).toMatchObject(body.figures)
    expect(await driftingTotals()).toEqual([])
  })

  test('brings terms, decisions, activity and notes that are read like those of the old account', async () => {
    const { request, archive } = await aFullAccount()
    const fresh = await anEmptyAccount()
    await importArchive(server, fresh, archive)
    const [before, after] = await Promise.all([request, fresh].map((one) => answerTo(one, '/contracts')))
    expect(withoutIds(after)).toEqual(withoutIds(before))
    for (const [index, { id }] of before.entries())
      for (const part of ['terms', 'activity', 'notes']) {
        const old = withoutIds(await answerTo(request, `/contracts/${id}/${part}`))
        const now = withoutIds(await answerTo(fresh, `/contracts/${after[index].id}/${part}`))
        expect(now).toEqual(old)
      }
  })

  test('can be undone and edited as before: decisions, notes, the trash', async () => {
    const archive = await aFullArchive()
    const fresh = await anEmptyAccount()
    await importArchive(server, fresh, archive)
    const { contracts, notes, trash } = callerOf(fresh)
    const { rows } = await contracts.list({ limit: 50 })
    const hosting = rows.find(({ title }) => title === 'Web hosting')
    const id = hosting?.id ?? 0
    expect(hosting).toMatchObject({ term: 2, renewalDate: '2026-04-30', nextAmount: 130 })
    expect(await contracts.undo({ id })).toMatchObject({ term: 1, renewalDate: '2026-03-31' })
    const [note] = await notes.list({ about: 'contract', id })
    expect(note).toMatchObject({ by: { kind: 'person', name: expect.stringContaining('@') }, isOwn: true })
    await notes.remove({ id: note?.id ?? 0 })
    const deleted = (await trash.list({})).rows.find(({ kind }) => kind === 'contract')
    expect(deleted).toMatchObject({ title: 'Deleted', name: 'Twin', deletedBy: { kind: 'person' } })
    await trash.restore({ customers: [], contracts: [deleted?.id ?? 0] })
    expect(await answerTo(fresh, `/contracts/${deleted?.id}`)).toMatchObject({ title: 'Deleted', customerName: 'Twin' })
    expect(await driftingTotals()).toEqual([])
  })

  test('whose newest decision is about another term than the contract is imported, and that is not undone', async () => {
    const archive = await aFullArchive()
    const contracts = rowsIn(archive, 'contracts').map((row, index) =>
      index === 0 ? { ...row, termStart: '2026-03-30' } : row,
    )
    const fresh = await anEmptyAccount()
    const other = changedArchive(archive, { 'contracts.json': fileOf(contracts) })
    expect(await importArchive(server, fresh, other)).toMatchObject({ status: 200 })
    const { rows } = await callerOf(fresh).contracts.list({ limit: 50 })
    const id = rows.find(({ title }) => title === 'Web hosting')?.id ?? 0
    const undone = await call(server, { method: 'POST', url: `/contracts/${id}/undo`, headers: bearer(fresh) })
    expect(undone).toMatchObject({
      status: 409,
      body: { error: 'This can no longer be undone, because this has been changed since: Term' },
    })
  })

  test('has IDs of its own: nothing of the old account is changed or pointed at', async () => {
    const { request, archive } = await aFullAccount()
    const fresh = await anEmptyAccount()
    await importArchive(server, fresh, archive)
    expect(await archiveOf(server, request)).toEqual(archive)
    for (const table of ['customers', 'contracts', 'customer-contacts', 'notes', 'reminders', 'saved-views', 'tags']) {
      const [old, now] = [archive, await archiveOf(server, fresh)].map((one) => rowsIn(one, table).map(({ id }) => id))
      expect(now?.filter((id) => old?.includes(id))).toEqual([])
    }
    for (const { id } of rowsIn(archive, 'contracts'))
      expect(await call(server, { url: `/contracts/${Number(id)}`, headers: bearer(fresh) })).toMatchObject({
        status: 404,
      })
  })

  test('can be imported again from the account that it was imported into', async () => {
    const archive = await aFullArchive()
    const [second, third] = [await anEmptyAccount(), await anEmptyAccount()]
    await importArchive(server, second, archive)
    const again = await archiveOf(server, second)
    expect(await importArchive(server, third, again)).toMatchObject({ status: 200 })
    expect(comparable(await archiveOf(server, third))).toEqual(comparable(again))
  })

  test('of an empty account imports as well', async () => {
    const archive = await archiveOf(server, await anAccount(world))
    const { status, body } = await importArchive(server, await anEmptyAccount(), archive)
    expect({ status, body }).toMatchObject({ status: 200, body: { counts: { customers: 0, contracts: 0, pdfs: 0 } } })
  })
})

describe('what an archive has', () => {
  /** Files that are not imported: docs/decisions/0103. */
  const LEFT_OUT = [
    'account',
    'answer-links',
    'api-keys',
    'archive',
    'import-failures',
    'import-mappings',
    'import-updates',
    'imports',
    'notice-choices',
    'notice-rules',
    'notices',
    'notifications',
    'proof-heads',
    'proof-records',
    'proofs',
  ]

  test('is imported, file by file, or known to be left out', async () => {
    const archive = await aFullArchive()
    const names = Object.keys(unzipSync(archive)).flatMap((name) => /^([a-z-]+)\.json$/.exec(name)?.[1] ?? [])
    expect(names.toSorted()).toEqual([...ARCHIVE_TABLES, ...LEFT_OUT].toSorted())
    for (const table of ARCHIVE_TABLES.filter((name) => name !== 'mail-stops'))
      expect({ table, rows: rowsIn(archive, table).length }).toMatchObject({
        rows: expect.toSatisfy((rows) => rows > 0),
      })
  })

  test('is every column of the tables that are imported, but for those that are known', async () => {
    const archive = await aFullArchive()
    await using stored = await saveUpload(Readable.from([archive]), { content: 'upload', mostBytes: archive.length })
    await using opened = await openArchive(stored.stored, { accountId: 1, signal: new AbortController().signal })
    const missing: string[] = []
    for (const [table, { entity, without }] of Object.entries(INSERTIONS)) {
      const [row] = await allRows(opened, table)
      const known = ['accountId', ...without, ...(SET_HERE[table] ?? [])]
      const columns = Object.keys(entity.meta.properties).filter((name) => !known.includes(name))
      if (row) missing.push(...columns.filter((name) => !(name in row)).map((name) => `${table}: ${name}`))
    }
    expect(missing).toEqual([])
  })

  /** What is not read from an archive, but known when it is written. */
  const SET_HERE: Record<string, string[]> = {
    contracts: ['remindersSince', 'pdfPath', 'pdfBytes'],
    'customer-contacts': ['remindersFrom'],
  }
})

test('tags beyond the limit, which concurrent requests can add, are imported', async () => {
  const many = await anAccount(world)
  const accountId = many.caller?.id ?? 0
  await world.db.writeAs(accountId, (em) =>
    em.execute(`insert into tags (account_id, name, key) select ?, 't' || n, 't' || n from generate_series(1, 501) n`, [
      accountId,
    ]),
  )
  const fresh = await anEmptyAccount()
  expect(await importArchive(server, fresh, await archiveOf(server, many))).toMatchObject({ status: 200 })
  expect(await callerOf(fresh).tags.list()).toHaveLength(501)
})

describe('what the account had before', () => {
  test('is replaced where it is a setting, a text, a tag or a view, and a logo', async () => {
    const archive = await aFullArchive()
    const fresh = await anEmptyAccount({ company: 'Before' })
    const { views, reminders, customers } = callerOf(fresh)
    await views.save({ name: 'Mine', search: {} })
    await reminders.saveText({ kind: 'reminder', subject: 'Mine', body: 'Mine' })
    const tagged = await customers.create({ name: 'A', tags: ['vip'] })
    await customers.remove({ id: tagged.id })
    await callerOf(fresh).trash.removeCustomer({ id: tagged.id })
    await importArchive(server, fresh, archive)
    expect((await views.list()).map(({ name }) => name)).toEqual(['Big ones', 'Harbor soon'])
    expect(await reminders.texts()).toMatchObject({ reminder: { isDefault: true }, follow_up: { isDefault: false } })
    expect((await callerOf(fresh).tags.list()).map(({ name }) => name)).toEqual(['North', 'Old', 'VIP'])
    expect(await callerOf(fresh).company.get()).toMatchObject({ name: 'Alder Supplies', logoPath: expect.any(String) })
  })

  test('may be that customers are not told of renewals: an archive that turns this on says so beforehand', async () => {
    const settings = { endOverdueAfterDays: null, endReasons: ['Other'] }
    const telling = await anAccount(world)
    await callerOf(telling).contracts.saveRenewalSettings({ ...settings, confirmRenewals: true })
    const archive = await archiveOf(server, telling)
    const fresh = await anEmptyAccount()
    const preview = await importArchive(server, fresh, archive, '?preview=true')
    expect(preview.body).toMatchObject({ confirmsRenewals: true })
    expect(await callerOf(fresh).contracts.renewalSettings()).toMatchObject({ confirmRenewals: false })
    expect((await importArchive(server, fresh, archive)).body).toMatchObject({ confirmsRenewals: true })
    expect(await callerOf(fresh).contracts.renewalSettings()).toMatchObject({ confirmRenewals: true })
    expect((await importArchive(server, fresh, archive)).body).toMatchObject({ confirmsRenewals: false })
    const without = await importArchive(server, await anEmptyAccount(), await aFullArchive(), '?preview=true')
    expect(without.body).toMatchObject({ confirmsRenewals: false })
  })

  test('stays where the archive has nothing of it, and a closed address stays closed', async () => {
    const archive = await archiveOf(server, await anEmptyAccount())
    const fresh = await anEmptyAccount({ company: 'Mine' })
    await statement(
      fresh,
      `insert into closed_addresses (account_id, address, reason, closed_at)
        select id, 'ann@mine.test', 'complained', now() from accounts`,
    )
    await importArchive(server, fresh, archive)
    expect(await callerOf(fresh).company.get()).toMatchObject({ name: 'Mine' })
    expect(rowsIn(await archiveOf(server, fresh), 'closed-addresses')).toMatchObject([{ address: 'ann@mine.test' }])
  })

  test('a reply-to address has to be confirmed again', async () => {
    const { request, archive } = await aFullAccount()
    expect(await callerOf(request).company.get()).toMatchObject({ isReplyToConfirmed: true })
    const fresh = await anEmptyAccount()
    await importArchive(server, fresh, archive)
    expect(await callerOf(fresh).company.get()).toMatchObject({
      replyTo: 'office@alder.test',
      isReplyToConfirmed: false,
    })
  })
})

describe('mail', () => {
  const planned = async (request: RequestContext, days: number) => {
    const now = () => new Date(NOON.getTime() + days * DAY_MS)
    await planAccounts({ db: world.db, services: fakeServices({ now }) }, [request.caller?.id ?? 0])
  }
  const customerMail = async (request: RequestContext) =>
    (await ledgerOf(request)).filter(({ recipient, state }) => recipient === 'customer' && state === 'planned')

  test('that was sent is not sent again, and none goes out on the day of the import', async () => {
    const archive = await aFullArchive()
    const fresh = await anEmptyAccount()
    const { body } = await importArchive(server, fresh, archive)
    const before = await ledgerOf(fresh)
    await planned(fresh, 0)
    expect(await ledgerOf(fresh)).toEqual(before)
    for (let day = 1; day <= 60; day += 1) await planned(fresh, day)
    const keys = (await ledgerOf(fresh)).map((row) =>
      [row.contractId, row.renewalDate, row.kind, row.offset, row.recipient, row.contactId, row.channel].join(),
    )
    expect(new Set(keys).size).toBe(keys.length)
    // As the import had said, as far as these days go.
    expect((await customerMail(fresh)).length).toBeGreaterThan(0)
    expect(body.mail).toMatchObject({ isAll: true, emails: expect.any(Number) })
  })

  test('is counted beforehand as it then is planned', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request, { email: 'ann@acme.test' })
    await aContract(request, { customerId, renewalDate: '2026-03-24' })
    await aContract(request, { customerId, renewalDate: '2026-04-20' })
    await aContract(request, { renewalDate: '2026-04-20' })
    const archive = await archiveOf(server, request)
    const fresh = await anEmptyAccount()
    const { body } = await importArchive(server, fresh, archive, '?preview=true')
    expect(body.mail.first[0]).toEqual({ customerName: 'Acme Ltd', day: '2026-03-17' })
    await importArchive(server, fresh, archive)
    for (let day = 0; day <= 90; day += 1) await planned(fresh, day)
    // What was planned and not sent is replaced by the next.
    const toCustomers = (await ledgerOf(fresh)).filter(({ recipient }) => recipient === 'customer')
    const days = toCustomers.flatMap(({ reason, dueOn }) => (reason === null || reason === 'superseded' ? [dueOn] : []))
    expect(body.mail).toMatchObject({ emails: new Set(days).size, customers: 1, isAll: true })
  })

  test('has the notices that a rule of the new account asks for, as it then is planned', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request, { email: 'ann@acme.test' })
    await aContract(request, { customerId, renewalDate: '2026-05-05', renews: 'automatic', renewalCycle: 'yearly' })
    const archive = await archiveOf(server, request)
    const fresh = await anEmptyAccount()
    const own = { name: 'Ours', unit: 'days', from: 60, until: 35, countedFrom: 'renewal_date', means: ['email'] }
    const made = MakeNoticeRule.parse({ ...own, contents: [] })
    const { id: rule } = await asSubscriber(fresh, (ctx) => makeNoticeRule(ctx, made))
    await asSubscriber(fresh, (ctx) => chooseNoticeRule(ctx, { rule }))
    const { body } = await importArchive(server, fresh, archive)
    // Until it is renewed.
    for (let day = 0; day <= 55; day += 1) await planned(fresh, day)
    const toCustomers = (await ledgerOf(fresh)).filter(({ recipient }) => recipient === 'customer')
    const days = toCustomers.flatMap(({ reason, dueOn }) => (reason === null || reason === 'superseded' ? [dueOn] : []))
    expect(toCustomers[0]).toMatchObject({ kind: 'notice', dueOn: '2026-03-10' })
    expect(body.mail).toMatchObject({ emails: days.length, customers: 1, isAll: true })
    expect(body.mail.first[0]).toEqual({ customerName: 'Acme Ltd', day: '2026-03-10' })
  })

  test('to customers about the current renewal dates is turned off on request', async () => {
    const archive = await aFullArchive()
    const fresh = await anEmptyAccount()
    const { body } = await importArchive(server, fresh, archive, '?reminders=off')
    expect(body.mail).toEqual({ emails: 0, customers: 0, isAll: true, first: [] })
    for (let day = 1; day <= 30; day += 1) await planned(fresh, day)
    expect(await customerMail(fresh)).toEqual([])
  })

  test('that was waiting is not sent, and is listed as skipped with its reason', async () => {
    const archive = await aFullArchive()
    const fresh = await anEmptyAccount()
    await importArchive(server, fresh, archive)
    expect(await callerOf(fresh).reminders.list({ limit: 50 })).toMatchObject({
      rows: expect.arrayContaining([
        expect.objectContaining({
          state: 'skipped',
          day: '2026-03-10',
          reason: 'It was waiting to be sent when this account was exported elsewhere',
        }),
      ]),
    })
    expect((await ledgerOf(fresh)).filter(({ messageId, nextAttemptAt }) => messageId ?? nextAttemptAt)).toEqual([])
  })

  test('to an address whose reader wants none stays off, and a mail stop is kept', async () => {
    const { request } = await aFullAccount()
    await statement(
      request,
      `insert into mail_stops (account_id, stopped_at, complaints, mails) select id, now(), 3, 9 from accounts`,
    )
    const fresh = await anEmptyAccount()
    await importArchive(server, fresh, await archiveOf(server, request))
    const { rows } = await callerOf(fresh).customers.list({ limit: 50 })
    expect(rows.find(({ name }) => name === 'Quay Café')).toMatchObject({
      sendNotifications: false,
      mailClosed: { reason: 'unsubscribed' },
    })
    expect(await answerTo(fresh, '/account/mail-stop')).toMatchObject({ stop: { complaints: 3, mails: 9 } })
  })

  test('that an archive makes up makes complaints neither rarer nor more', async () => {
    const archive = await aFullArchive()
    const [sent] = rowsIn(archive, 'reminders')
    const many = Array.from({ length: 2000 }, (_, n) => ({ ...sent, id: 1000 + n, contractId: null }))
    const fresh = await anEmptyAccount()
    await importArchive(
      server,
      fresh,
      changedArchive(archive, { 'reminders.json': fileOf(many), 'complaints.json': '[]' }),
    )
    const ids = (await ledgerOf(fresh)).map(({ id }) => id)
    expect(ids).toHaveLength(2000)
    const complain = (reminderId = 0, messageId: string | null = null) => {
      const complaint = { accountId: fresh.caller?.id ?? 0, reminderId, source: 'provider', reason: null } as const
      const address = `reader-${reminderId}@x.test`
      return fresh.db.writeAs(complaint.accountId, async (_em, write) => {
        await write(sql`update reminders set address = ${address}, message_id = ${messageId} where id = ${reminderId}`)
        return recordComplaint(write, { ...complaint, address }, fresh.services)
      })
    }
    const ofOthers = [await complain(ids[0]), await complain(ids[1]), await complain(ids[2])]
    expect(ofOthers).toEqual([undefined, undefined, undefined])
    const own = [await complain(ids[3], '<3>'), await complain(ids[4], '<4>'), await complain(ids[5], '<5>')]
    expect(own).toEqual([undefined, undefined, { complaints: 3, mails: 3 }])
  })

  test('that another account has sent does not count as sent by this one', async () => {
    const archive = await aFullArchive()
    const fresh = await anEmptyAccount()
    await importArchive(server, fresh, archive)
    expect(await callerOf(fresh).reminders.mailLimits()).toMatchObject({ sentToday: 0 })
  })
})

describe('a preview', () => {
  test('says what an import says, and changes nothing', async () => {
    const archive = await aFullArchive()
    const fresh = await anEmptyAccount()
    const before = comparable(await archiveOf(server, fresh))
    const stored = await storedFiles()
    const preview = await importArchive(server, fresh, archive, '?preview=true')
    expect(preview).toMatchObject({ status: 200, body: { isPreview: true } })
    expect(comparable(await archiveOf(server, fresh))).toEqual(before)
    expect(await storedFiles()).toBe(stored)
    const { body } = await importArchive(server, fresh, archive)
    expect(body).toEqual({ ...preview.body, isPreview: false })
  })
})

describe('who may import an archive', () => {
  const NOT_EMPTY = {
    status: 409,
    body: {
      error:
        'An archive can only be imported into an account that has no customers or contracts, not even in the trash',
    },
  }

  test('nobody into an account with customers or contracts, also in the trash or as sample data', async () => {
    const archive = await aFullArchive()
    const used = await anAccount(world)
    const { id } = await aCustomer(used)
    expect(await importArchive(server, used, archive)).toMatchObject(NOT_EMPTY)
    await callerOf(used).customers.remove({ id })
    expect(await importArchive(server, used, archive, '?preview=true')).toMatchObject(NOT_EMPTY)
    await callerOf(used).trash.removeCustomer({ id })
    expect(await importArchive(server, used, archive)).toMatchObject({ status: 200 })
    expect(await importArchive(server, used, archive)).toMatchObject(NOT_EMPTY)
    const trying = await anAccount(world)
    await callerOf(trying).imports.loadSample()
    expect(await importArchive(server, trying, archive)).toMatchObject(NOT_EMPTY)
  })

  test('of two at once one, and the other is told', async () => {
    const archive = await aFullArchive()
    const fresh = await anEmptyAccount()
    const answers = await Promise.all([0, 1].map(() => importArchive(server, fresh, archive)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 429])
    expect(rowsIn(await archiveOf(server, fresh), 'contracts')).toHaveLength(10)
  })

  test('nobody while the archives that wait, of all accounts, fill their part of the disk', async () => {
    const archive = await aFullArchive()
    const fresh = await anEmptyAccount()
    const others = archiveDisk.reserve()
    others.take(5 * LARGEST_ARCHIVE_BYTES - archive.length + 1)
    expect(await importArchive(server, fresh, archive)).toMatchObject({
      status: 429,
      body: { refusal: 'ARCHIVE_BUSY' },
    })
    others[Symbol.dispose]()
    expect(await importArchive(server, fresh, archive)).toMatchObject({ status: 200 })
    using after = archiveDisk.reserve()
    expect(() => after.take(5 * LARGEST_ARCHIVE_BYTES)).not.toThrow()
  })

  test('a call that is sent again with its key gets the same answer', async () => {
    const archive = await aFullArchive()
    const fresh = await anEmptyAccount()
    const send = () =>
      upload(server, fresh, { url: '/imports/archive', content: archive, name: 'traxx.zip', key: 'once' })
    const first = await send()
    expect(first).toMatchObject({ status: 200 })
    expect(await send()).toMatchObject({ status: 200, body: first.body })
    expect(rowsIn(await archiveOf(server, fresh), 'contracts')).toHaveLength(10)
  })

  test('a subscriber, and a key that may do all', async () => {
    const archive = await archiveOf(server, await anAccount(world))
    expect(await importArchive(server, await anEmptyAccount({ status: 'unpaid' }), archive)).toMatchObject({
      status: 402,
    })
    const fresh = await anEmptyAccount()
    const key = await anApiKey(fresh, { scope: 'write' })
    const headers = { authorization: `Bearer ${key}` }
    expect(await call(server, { method: 'POST', url: '/imports/archive', headers })).toMatchObject({ status: 403 })
    expect(await call(server, { method: 'POST', url: '/imports/archive' })).toMatchObject({ status: 401 })
  })

  const importWith = (request: RequestContext, archive: Buffer) =>
    importDirectly(request, {
      bytes: Readable.from([archive]),
      answers: { preview: false, reminders: 'on' },
      signal: new AbortController().signal,
    })

  test('one with room for all of it', async () => {
    const archive = await aFullArchive()
    const quotas = { ...fakeServices().storage.quotas, customersAndContracts: 13 }
    const small = await anEmptyAccount({ services: { storage: { ...fakeServices().storage, quotas } } })
    const imported = importWith(small, archive)
    await expect(imported).rejects.toMatchObject({ key: 'ACCOUNT_FULL' })
    const fewPdfs = { ...fakeServices().storage.quotas, pdfs: 1 }
    const other = await anEmptyAccount({ services: { storage: { ...fakeServices().storage, quotas: fewPdfs } } })
    await expect(importWith(other, archive)).rejects.toMatchObject({ key: 'PDFS_FULL' })
  })

  test('a notice that was saved when less was required of it comes along as it is', async () => {
    const request = await anAccount(world)
    const body = '{{renewal}} {{newAmount}} {{decline}}'
    await asSubscriber(request, (ctx) => saveText(ctx, { kind: 'notice', subject: 'Ours', body }))
    const fresh = await anEmptyAccount()
    expect(await importArchive(server, fresh, await archiveOf(server, request))).toMatchObject({ status: 200 })
    expect(await callerOf(fresh).reminders.texts()).toMatchObject({ notice: { subject: 'Ours', body } })
  })

  test('texts with links come along once the account has paid', async () => {
    const { request } = await aFullAccount()
    const text = { kind: 'reminder', subject: 'Hello', body: 'See https://alder.test' } as const
    await callerOf(request).reminders.saveText(text)
    const archive = await archiveOf(server, request)
    const trial = await anEmptyAccount({ status: 'trialing' })
    const { body } = await importArchive(server, trial, archive)
    expect(body.leftOut).toMatchObject({ textsWithLinks: 1 })
    expect(await callerOf(trial).reminders.texts()).toMatchObject({ reminder: { isDefault: true } })
  })
})
