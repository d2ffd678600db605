import { Readable } from 'node:stream'
import { strFromU8, unzipSync } from 'fflate'
import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { LARGEST_ID, ListContracts, ListCustomers } from '#shared/schemas/filters.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { updateCompany } from '#server/company/company.service.ts'
import type { RequestContext } from '#server/context.ts'
import { listContracts, removeContract } from '#server/contracts/contracts.service.ts'
import { listCustomers, removeCustomer } from '#server/customers/customers.service.ts'
import { listNotifications, markRead } from '#server/notifications/notifications.service.ts'
import { notify } from '#server/notifications/notify.ts'
import { saveContractSettings } from '#server/reminders/contract-reminders.service.ts'
import { saveSettings } from '#server/reminder-settings/settings.service.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { memoryFiles } from '#support/services.ts'
import { upload } from '#support/upload.ts'
import { aContract, aCustomer, anAccount, anApiKey, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const files = memoryFiles()
const server = useApp(world, { files })

const customersOf = async (request: RequestContext) =>
  (await listCustomers(requireReader(request), ListCustomers.parse({ sort: 'createdAt', limit: 100 }))).rows
const contractsOf = async (request: RequestContext) =>
  (await listContracts(requireReader(request), ListContracts.parse({ limit: 100 }))).rows

async function fileOf(request: RequestContext, url: string): Promise<Buffer> {
  const answer = await server.app.inject({ url, headers: bearer(request) })
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload
}

async function archiveOf(request: RequestContext): Promise<Record<string, string>> {
  const entries = Object.entries(unzipSync(await fileOf(request, '/export')))
  return Object.fromEntries(entries.map(([name, bytes]) => [name, strFromU8(bytes)]))
}

async function withPdf(request: RequestContext, id: number, path: string) {
  await world.db.writeAs(Number(request.caller?.id), (em) =>
    em.execute('update contracts set pdf_path = ? where id = ?', [path, id]),
  )
}

describe('the archive of an account', () => {
  test('has each table as CSV and as JSON, and the PDFs', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request, { amount: 1234.5, reminders: 'off' })
    await files.write('contracts/x.pdf', Readable.from([Buffer.from('%PDF-1.7 hello')]))
    await withPdf(request, id, 'contracts/x.pdf')
    await asSubscriber(request, (ctx) => updateCompany(ctx, { postalAddress: '1 Mill Lane' }))
    await files.write('logos/x.png', Readable.from([Buffer.from('a picture')]))
    await world.db.writeAs(Number(request.caller?.id), (em) =>
      em.execute(`update companies set logo_path = 'logos/x.png'`),
    )
    await upload(server, request, { url: '/customers/bulk-upload', content: 'Name\nImported\n' })
    const archive = await archiveOf(request)
    expect(Object.keys(archive)).toEqual([
      'archive.json',
      'account.csv',
      'account.json',
      'api-keys.csv',
      'api-keys.json',
      'company.csv',
      'company.json',
      'logo.png',
      'notification-settings.csv',
      'notification-settings.json',
      'reminder-texts.csv',
      'reminder-texts.json',
      'customers.csv',
      'customers.json',
      'customer-contacts.csv',
      'customer-contacts.json',
      'contracts.csv',
      'contracts.json',
      'contract-terms.csv',
      'contract-terms.json',
      'contract-decisions.csv',
      'contract-decisions.json',
      'renewal-settings.csv',
      'renewal-settings.json',
      'contract-reminder-settings.csv',
      'contract-reminder-settings.json',
      'answer-settings.csv',
      'answer-settings.json',
      'answer-links.csv',
      'answer-links.json',
      'customer-answers.csv',
      'customer-answers.json',
      'tags.csv',
      'tags.json',
      'notice-rules.csv',
      'notice-rules.json',
      'notice-choices.csv',
      'notice-choices.json',
      'notices.csv',
      'notices.json',
      'saved-views.csv',
      'saved-views.json',
      'list-settings.csv',
      'list-settings.json',
      'notes.csv',
      'notes.json',
      'activity.csv',
      'activity.json',
      'notifications.csv',
      'notifications.json',
      'reminders.csv',
      'reminders.json',
      'proofs.csv',
      'proofs.json',
      'proof-records.csv',
      'proof-records.json',
      'proof-heads.csv',
      'proof-heads.json',
      'bounced-addresses.csv',
      'bounced-addresses.json',
      'closed-addresses.csv',
      'closed-addresses.json',
      'complaints.csv',
      'complaints.json',
      'mail-stops.csv',
      'mail-stops.json',
      'imports.csv',
      'imports.json',
      'import-failures.csv',
      'import-failures.json',
      'import-updates.csv',
      'import-updates.json',
      'import-mappings.csv',
      'import-mappings.json',
      `pdfs/contract-${id}.pdf`,
    ])
    expect(archive['logo.png']).toBe('a picture')
    expect(archive['company.csv']).toContain('Alder Supplies,,Yes,1 Mill Lane')
    expect(archive[`pdfs/contract-${id}.pdf`]).toBe('%PDF-1.7 hello')
    expect(archive['contracts.csv']).toBe(
      'ID,Customer ID,Customer,Customer Number,Amount,Start Date,Renewal Cycle,Renewal Date,Status,Title,Reference,Renews,Notice Period,Tags,Term Number,Term Start,PDF,Muted Renewal Date,Deleted\r\n' +
        `${id},1,Acme Ltd,,1234.50,2026-01-01,monthly,2026-04-01,active,,,by_agreement,,,1,2026-03-01,Yes,2026-04-01,\r\n`,
    )
    expect(JSON.parse(archive['contracts.json'] ?? '')).toMatchObject([
      { id, amount: 1234.5, customerName: 'Acme Ltd', mutedRenewalDate: '2026-04-01' },
    ])
    expect(JSON.parse(archive['customers.json'] ?? '').map((one: { name: string }) => one.name)).toEqual([
      'Acme Ltd',
      'Imported',
    ])
    expect(JSON.parse(archive['imports.json'] ?? '')).toMatchObject([{ kind: 'customers', created: 1 }])
    expect(JSON.parse(archive['notifications.json'] ?? '')).toEqual([])
  })

  test('marks what is in the trash', async () => {
    const request = await anAccount(world)
    const { id, customerId } = await aContract(request)
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    await asSubscriber(request, (ctx) => removeCustomer(ctx, { id: customerId }))
    const kept = await aCustomer(request)
    const archive = await archiveOf(request)
    const deleted = { deletedAt: expect.any(String) }
    expect(JSON.parse(archive['contracts.json'] ?? '')).toMatchObject([{ id, customerName: 'Acme Ltd', ...deleted }])
    expect(JSON.parse(archive['customers.json'] ?? '')).toMatchObject([
      { id: kept.id, deletedAt: null },
      { id: customerId, ...deleted },
    ])
  })

  test('tells which notifications were read', async () => {
    const request = await anAccount(world)
    const { now } = request.services
    await asSubscriber(request, async (ctx) => {
      await notify(
        ctx.write,
        { accountId: ctx.accountId, now: now() },
        { kind: 'unsubscribed', name: 'Harbor', customerId: null },
        { kind: 'subscribed_again', name: 'Harbor', customerId: null },
      )
      const { rows } = await listNotifications(ctx, { unread: false, limit: 10, skip: 0 })
      await markRead(ctx, { id: rows.find(({ title }) => title === 'Harbor unsubscribed')?.id ?? 0 })
    })
    const archive = await archiveOf(request)
    expect(JSON.parse(archive['notifications.json'] ?? '')).toMatchObject([
      { title: 'Harbor unsubscribed', isRead: true },
      { title: 'Harbor subscribed again', isRead: false },
    ])
    expect(archive['notifications.csv']).toMatch(/,Harbor unsubscribed,.*,Yes,.*\r\n.*,Harbor subscribed again,.*,No,/)
  })

  test('has the account, the names of its API keys and its notification settings, and no key', async () => {
    const request = await anAccount(world, { timeZone: 'America/New_York' })
    const { id } = await aContract(request)
    const own = { enableNotifications: null, reminderDays: [7, 3], followUpDays: [], email: false, inApp: null }
    await asSubscriber(request, (ctx) => saveContractSettings(ctx, { id, ...own }))
    await asSubscriber(request, (ctx) => saveSettings(ctx, DEFAULT_SETTINGS))
    const key = await anApiKey(request)
    const archive = await archiveOf(request)
    expect(archive['account.csv']).toContain(`${request.caller?.email},America/New_York,`)
    expect(JSON.parse(archive['api-keys.json'] ?? '')).toEqual([
      {
        id: expect.any(Number),
        name: 'Script',
        scope: 'all',
        createdAt: expect.any(String),
        expiresOn: null,
        lastUsedAt: null,
        lastUsedAddress: null,
        revokedAt: null,
      },
    ])
    expect(archive['reminder-texts.csv']).toContain('follow_up,Your contract was due for renewal on {{renewalDate}},')
    expect(archive['notification-settings.csv']).toContain('Yes,30 14 7 1,1 3 7,Yes,Yes,8\r\n')
    expect(JSON.parse(archive['contract-reminder-settings.json'] ?? '')).toEqual([{ id, ...own }])
    expect(archive['contract-reminder-settings.csv']).toContain(`${id},,7 3,none,No,`)
    expect(JSON.stringify(archive)).not.toContain(key)
    const headers = { authorization: `Bearer ${key}` }
    const { rawPayload } = await server.app.inject({ url: '/export', headers })
    expect(Object.keys(unzipSync(rawPayload))).not.toContain('api-keys.json')
  })

  test('has the rows that imports refused, each with its reason', async () => {
    const request = await anAccount(world)
    await upload(server, request, { url: '/customers/bulk-upload', content: 'Name,Phone\n,555 1\n,=1+1\n' })
    const archive = await archiveOf(request)
    expect(archive['import-failures.csv']?.split('\r\n').slice(1)).toEqual([
      expect.stringMatching(/^\d+,2,Name: Must not be blank,,555 1$/),
      expect.stringMatching(/^\d+,3,Name: Must not be blank,,'=1\+1$/),
      '',
    ])
    expect(JSON.parse(archive['import-failures.json'] ?? '')).toMatchObject([
      { line: 2, cells: ['', '555 1'] },
      { line: 3 },
    ])
  })

  test('is a download with the day in its name', async () => {
    const request = await anAccount(world)
    expect((await fileOf(request, '/customers/export.csv')).subarray(0, 3).toString()).toBe('\uFEFF')
    const { headers } = await server.app.inject({ url: '/export', headers: bearer(request) })
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="traxx-2026-03-10.zip"',
    })
  })

  test('names a PDF that the storage has lost, and has all the others', async () => {
    const request = await anAccount(world)
    const [lost, kept] = [await aContract(request), await aContract(request)]
    await files.write('contracts/kept.pdf', Readable.from([Buffer.from('%PDF')]))
    await withPdf(request, lost.id, 'contracts/lost.pdf')
    await withPdf(request, kept.id, 'contracts/kept.pdf')
    const archive = await archiveOf(request)
    expect(archive[`pdfs/contract-${kept.id}.pdf`]).toBe('%PDF')
    expect(archive['pdfs/missing.txt']).toContain(`could not be read: ${lost.id}\n`)
  })

  test('holds more rows than one batch reads, each once', async () => {
    const request = await anAccount(world)
    await world.db.writeAs(Number(request.caller?.id), (em) =>
      em.execute(`insert into customers (account_id, name) select ?, 'N' || n from generate_series(1, 2500) n`, [
        request.caller?.id,
      ]),
    )
    const archive = await archiveOf(request)
    expect(new Set(archive['customers.csv']?.trim().split('\r\n')).size).toBe(2501)
    expect(JSON.parse(archive['customers.json'] ?? '')).toHaveLength(2500)
  })

  test('has the addresses that took no mail, each with what the mail server said and until when', async () => {
    const request = await anAccount(world)
    await world.db.writeAs(Number(request.caller?.id), (em) =>
      em.execute(
        `insert into bounced_addresses (account_id, address, bounced_at, answer, cleared_at)
          values (?, 'orders@harbor.test', '2026-03-01T12:00Z', '550 no such user', '2026-03-02T12:00Z'),
            (?, 'orders@harbor.test', '2026-03-03T12:00Z', null, null)`,
        [request.caller?.id, request.caller?.id],
      ),
    )
    const archive = await archiveOf(request)
    const [heading, first, second] = (archive['bounced-addresses.csv'] ?? '').split('\r\n')
    expect(heading).toBe('ID,Address,Bounced,Mail Server,Works Again')
    expect(first).toBe('1,orders@harbor.test,2026-03-01T12:00:00.000Z,550 no such user,2026-03-02T12:00:00.000Z')
    expect(second).toBe('2,orders@harbor.test,2026-03-03T12:00:00.000Z,,')
    expect(JSON.parse(archive['bounced-addresses.json'] ?? '')).toMatchObject([
      { address: 'orders@harbor.test', answer: '550 no such user' },
      { address: 'orders@harbor.test', clearedAt: null },
    ])
  })

  test("has nothing of another account's", async () => {
    await aContract(await anAccount(world))
    const archive = await archiveOf(await anAccount(world))
    expect(JSON.parse(archive['customers.json'] ?? '')).toEqual([])
    expect(JSON.parse(archive['contracts.json'] ?? '')).toEqual([])
  })
})

describe('the CSV of a list', () => {
  test('has the rows that the filter lets through, in its order', async () => {
    const request = await anAccount(world)
    for (const name of ['Beta', 'Alpha', 'Gamma Beta']) await aCustomer(request, { name })
    const file = (await fileOf(request, '/customers/export.csv?search=beta&direction=desc')).toString()
    expect(file.split('\r\n').map((line) => line.split(',')[1])).toEqual(['Name', 'Gamma Beta', 'Beta', undefined])
    await aContract(request, { status: 'expired', amount: 1 })
    await aContract(request, { status: 'active', amount: 2 })
    const contracts = (await fileOf(request, '/contracts/export.csv?status=active&sort=amount')).toString()
    expect(contracts).toContain(',2.00,')
    expect(contracts).not.toContain(',1.00,')
    // Each of the two contracts has a customer, Acme.
    const withContracts = await fileOf(request, '/customers/export.csv?withContracts=true')
    expect(withContracts.toString().match(/,(Beta|Alpha|Gamma Beta|Acme)/g)).toEqual([',Acme', ',Acme'])
    const none = await fileOf(request, '/customers/export.csv?addedIn=1999-12')
    expect(none.toString().trim().split('\r\n')).toHaveLength(1)
  })

  test("has the chosen contracts that the filter lets through, and nothing of another account's", async () => {
    const other = await aContract(await anAccount(world))
    const request = await anAccount(world)
    const [first, second, third] = [await aContract(request), await aContract(request), await aContract(request)]
    const expired = await aContract(request, { status: 'expired' })
    const idsOf = async (query: string) => {
      const lines = (await fileOf(request, `/contracts/export.csv?${query}`)).toString().trim().split('\r\n')
      return lines.slice(1).map((line) => Number(line.split(',')[0]))
    }
    const ids = [third.id, first.id, expired.id, other.id].join(',')
    expect(await idsOf(`ids=${ids}`)).toEqual([first.id, third.id, expired.id])
    expect(await idsOf(`ids=${ids}&status=active&direction=desc`)).toEqual([third.id, first.id])
    expect(await idsOf(`ids=${ids}&search=acme&sort=openFirst`)).toEqual([first.id, third.id, expired.id])
    expect(await idsOf(`ids=${second.id}`)).toEqual([second.id])
    expect(await idsOf(`ids=${other.id}`)).toEqual([])
  })

  test.each([
    ['', { 'ids.0': 'Must be a number' }],
    ['1,,2', { 'ids.1': 'Must be a number' }],
    ['1,x', { 'ids.1': 'Must be a number' }],
    ['0', { 'ids.0': 'Must be between 1 and 2147483647' }],
    [
      Array.from({ length: 501 }, (_, at) => at + 1).join(','),
      { ids: 'Select at most 500 contracts, or use a filter' },
    ],
  ])('is refused for ids "%s"', async (ids, fields) => {
    const answer = await call(server, {
      url: `/contracts/export.csv?ids=${ids}`,
      headers: bearer(await anAccount(world)),
    })
    expect(answer).toMatchObject({ status: 400, body: { fields } })
  })

  test('takes as many ids as can be selected one by one', async () => {
    const ids = Array.from({ length: 500 }, (_, at) => LARGEST_ID - at).join(',')
    const file = (await fileOf(await anAccount(world), `/contracts/export.csv?ids=${ids}`)).toString()
    expect(file.trim().split('\r\n')).toHaveLength(1)
  })

  test('makes cells harmless that a spreadsheet would run as a formula', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: '=HYPERLINK("http://evil.test")', phone: '+1 555', address: '-1', email: null })
    const file = (await fileOf(request, '/customers/export.csv')).toString()
    expect(file).toContain(`"'=HYPERLINK(""http://evil.test"")",'-1,'+1 555,`)
  })
})

describe('who may export', () => {
  const paths = ['/export', '/customers/export.csv', '/contracts/export.csv']

  test.each(paths)('%s also somebody who may only read', async (url) => {
    const headers = bearer(await anAccount(world, { status: 'unpaid' }))
    expect((await server.app.inject({ url, headers })).statusCode).toBe(200)
  })

  test.each(paths)('%s nobody without a subscription or a token', async (url) => {
    expect(await call(server, { url })).toMatchObject({ status: 401 })
    expect(await call(server, { url, headers: bearer(await anAccount(world, { status: null })) })).toMatchObject({
      status: 402,
    })
  })
})

const words = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.stringMatching(/^[='+@ -]{0,3}[A-Za-z",;\n]{1,9}$/),
  fc.constantFrom('Twin', 'Müller & Söhne', '1,234', '03/04/2026'),
)
const name = words.map((text) => text.replaceAll('\u0000', '').trim()).filter((text) => text !== '')
const optional = fc.option(name, { nil: null })
const email = fc.option(fc.constantFrom('office@mill.test', '+post@mill.test', '-a@b.test', "o'brien@mill.test"), {
  nil: null,
})
const customer = fc.record({ name, email, address: optional, phone: optional, sendNotifications: fc.boolean() })
const contract = fc.record({
  customer: fc.nat({ max: 5 }),
  amount: fc.integer({ min: 1, max: 999_999_999_999 }).map((cents) => cents / 100),
  startDate: fc.constantFrom('2026-01-01', '2026-03-04', '1999-12-31'),
  renewalCycle: fc.constantFrom('monthly', 'quarterly', 'yearly'),
  renewalDate: fc.constantFrom('2026-03-04', '2027-12-31', '2999-01-01'),
  status: fc.constantFrom('pending', 'active', 'expired', 'cancelled'),
})

describe('what is exported imports again', () => {
  const firm = fc.record({
    customers: fc.array(customer, { minLength: 1, maxLength: 6 }),
    contracts: fc.array(contract, { minLength: 1, maxLength: 8 }),
    numbered: fc.boolean(),
  })

  property.prop([firm], { numRuns: 8 })(
    'into a fresh account without loss, customers of the same name included',
    async ({ customers, contracts, numbered }) => {
      const request = await anAccount(world)
      const ids: number[] = []
      for (const [index, fields] of customers.entries()) {
        ids.push((await aCustomer(request, { ...fields, customerNumber: numbered ? `C-${index}` : null })).id)
      }
      for (const { customer: index, ...terms } of contracts) {
        await aContract(request, { ...terms, customerId: Number(ids[index % ids.length]) })
      }
      const fresh = await anAccount(world)
      const archive = unzipSync(await fileOf(request, '/export'))
      for (const kind of ['customers', 'contracts']) {
        const content = archive[`${kind}.csv`] ?? ''
        const answer = await upload(server, fresh, { url: `/${kind}/bulk-upload`, content: Buffer.from(content) })
        expect(answer).toMatchObject({ status: 200, body: { failed: 0, errors: [] } })
      }
      const places = (rows: { id: number }[]) => new Map(rows.map((row, place) => [row.id, place]))
      const [before, after] = [await customersOf(request), await customersOf(fresh)]
      expect(after.map((row) => ({ ...row, id: 0 }))).toEqual(before.map((row) => ({ ...row, id: 0 })))
      const [owners, newOwners] = [places(before), places(after)]
      const plain = (rows: Awaited<ReturnType<typeof contractsOf>>, of: Map<number, number>) =>
        rows.map((row) => ({ ...row, id: 0, customerId: of.get(row.customerId) }))
      expect(plain(await contractsOf(fresh), newOwners)).toEqual(plain(await contractsOf(request), owners))
    },
  )
})
