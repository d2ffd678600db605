import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { addContact } from '#server/contacts/contacts.service.ts'
import type { RequestContext } from '#server/context.ts'
import { renewContract } from '#server/contracts/renewals.service.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { CONTRACT_HEAD, contractsOf, customersOf, useImports } from '#support/imports.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const { importCustomers, importContracts } = useImports(server)

const exported = async (request: RequestContext, path: string) =>
  (await server.app.inject({ url: path, headers: bearer(request) })).payload
const contactsOf = async (request: RequestContext, id: number) =>
  (await call(server, { url: `/customers/${id}/contacts`, headers: bearer(request) })).body

/** Without the character that stands for what could not be read, with which imports refuse a cell. */
const text = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((one) => /[\p{L}\p{N}]/u.test(one) && !one.includes('\uFFFD'))
const optional = fc.option(text, { nil: null })
const tags = fc.subarray(['VIP', 'North', '-sale', 'Café'])
const contact = fc.record({
  name: text,
  role: optional,
  email: fc.option(fc.constantFrom('bill@mill.test', '+post@mill.test'), { nil: null }),
  phone: fc.option(fc.constantFrom('555 1', '=1+1', '+1 555'), { nil: null }),
  reminders: fc.boolean(),
})
const customer = fc.record({
  contactName: optional,
  contactRole: optional,
  tags,
  contacts: fc.array(contact, { maxLength: 3 }),
})
const contract = fc.record({
  customer: fc.nat(),
  amount: fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100),
  startDate: fc.constantFrom('2025-12-31', '2024-02-29', '2020-06-01'),
  renewalDate: fc.constantFrom('2026-02-28', '2026-12-31', '2027-06-01'),
  renewalCycle: fc.constantFrom('monthly', 'quarterly', 'yearly'),
  renewals: fc.nat({ max: 2 }),
  title: optional,
  reference: optional,
  renews: fc.constantFrom('automatic', 'by_agreement', 'never'),
  noticePeriod: fc.constantFrom(null, '30 days', '1 month', '3 months'),
  tags,
})
const book = fc.record({
  customers: fc.array(customer, { minLength: 1, maxLength: 4 }),
  contracts: fc.array(contract, { minLength: 1, maxLength: 6 }),
})

/** Without the IDs, which are another account's. */
const withoutIds = (file: string) => file.replaceAll(/^\d+,(?:\d+,)?/gm, '')

describe('the exported lists', () => {
  property.prop([book], { numRuns: 8 })(
    'of an account that has imported them are the same again',
    async ({ customers, contracts }) => {
      const request = await anAccount(world)
      const ids: number[] = []
      for (const [index, { contacts, ...fields }] of customers.entries()) {
        const { id } = await aCustomer(request, { ...fields, name: `Customer ${index}` })
        ids.push(id)
        for (const one of contacts)
          await asSubscriber(request, (ctx) => addContact(ctx, AddContact.parse({ ...one, id })))
      }
      for (const { customer: index, renewals, ...fields } of contracts) {
        const { id } = await aContract(request, { ...fields, customerId: Number(ids[index % ids.length]) })
        for (let term = 1; term <= renewals; term += 1) {
          await asSubscriber(request, (ctx) => renewContract(ctx, { id, term }))
        }
      }
      const fresh = await anAccount(world)
      const files = ['/customers/export.csv?sort=createdAt', '/contracts/export.csv']
      for (const [path, send] of [
        [files[0], importCustomers],
        [files[1], importContracts],
      ] as const) {
        const file = await exported(request, path ?? '')
        expect(await send(fresh, file)).toMatchObject({ status: 200, body: { failed: 0, errors: [] } })
      }
      for (const path of files) {
        expect(withoutIds(await exported(fresh, path))).toBe(withoutIds(await exported(request, path)))
      }
    },
  )

  test('have as many columns of contacts as the customers in them need', async () => {
    const request = await anAccount(world)
    const { id } = await aCustomer(request, { name: 'Acme', tags: ['VIP'] })
    await aCustomer(request, { name: 'Mill' })
    const heads = async (query: string) => (await exported(request, `/customers/export.csv${query}`)).split('\r\n')[0]
    expect(await heads('')).not.toContain('Contact 2')
    for (const name of ['Ben', 'Cleo']) {
      await asSubscriber(request, (ctx) => addContact(ctx, AddContact.parse({ id, name, email: `${name}@acme.test` })))
    }
    expect(await heads('')).toMatch(/Tags,Contact 2 Name,.*,Contact 3 Name,.*,Contact 3 Reminders$/)
    expect(await heads('?search=acme')).toContain('Contact 3 Name')
    expect(await heads('?tag=vip')).toContain('Contact 3 Name')
    expect(await heads('?search=mill')).not.toContain('Contact 2')
    const [, acme, mill] = (await exported(request, '/customers/export.csv')).split('\r\n')
    expect(acme).toMatch(/,VIP,Ben,,Ben@acme\.test,,Yes,Cleo,,Cleo@acme\.test,,Yes$/)
    expect(mill).toMatch(/,{10}$/)
  })
})

describe('tags in a file', () => {
  test('are separated by semicolons or commas, and spelled as the account has them', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Old', tags: ['VIP'] })
    const { body } = await importCustomers(request, 'Name,Tags\nAcme,vip; North;\nMill,"north, South"\nHarbor,\n')
    expect(body).toMatchObject({ created: 3, failed: 0, ignoredColumns: [] })
    expect((await customersOf(request)).map((one) => one.tags)).toEqual([
      ['VIP'],
      ['VIP', 'North'],
      ['North', 'South'],
      [],
    ])
    const file = `${CONTRACT_HEAD},Tags\n,10,2026-01-01,monthly,2026-05-01,active,South\n`
      .replace('Customer Number', 'Customer')
      .replace('\n,', '\nAcme,')
    expect((await importContracts(request, file)).body).toMatchObject({ created: 1 })
    expect(await contractsOf(request)).toMatchObject([{ tags: ['South'] }])
  })

  test('fail their row where they are too long or too many', async () => {
    const request = await anAccount(world)
    const many = Array.from({ length: 21 }, (_, n) => `T${n}`).join(';')
    const { body } = await importCustomers(request, `Name,Tags\nA,${'x'.repeat(41)}\nB,${many}\nC,VIP\n`)
    expect(body).toMatchObject({
      created: 1,
      errors: [
        { line: 2, column: 'Tags', reason: 'Must be at most 40 characters' },
        { line: 3, column: 'Tags', reason: 'There can be at most 20 tags' },
      ],
    })
  })

  test('fail their row where the account has no room for another one', async () => {
    const request = await anAccount(world)
    const { accountId } = requireReader(request)
    await world.db.writeAs(accountId, (em) =>
      em.execute(`insert into tags (account_id, name, key)
        select ${accountId}, 't' || n, 't' || n from generate_series(1, 499) n`),
    )
    const { body } = await importCustomers(request, 'Name,Tags\nA,t1; First\nB,Second\nC,t2\nD,first; second\n')
    const reason = 'You can have up to 500 different tags. Delete some first'
    expect(body).toMatchObject({
      created: 2,
      failed: 2,
      errors: [
        { line: 3, column: 'Tags', value: 'Second', reason },
        { line: 5, column: 'Tags', reason },
      ],
    })
    expect((await customersOf(request)).map((one) => one.tags)).toEqual([['t1', 'First'], ['t2']])
  })
})

describe('contacts in a file', () => {
  const HEAD = 'Name,Contact Person,Contact 2 Name,Contact 2 Email,Contact 2 Reminders,Contact 3 Name,Contact 3 Phone'

  test('come with their customers, and are removed with them', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Taken', customerNumber: 'C-1' })
    const rows = [
      'Acme,Ann,Ben,ben@acme.test,no,Cleo,555 1,',
      'Other,,Nobody,,,,,C-1',
      'Mill,,,,Yes,Dan,,',
      'Harbor,,,,,,,',
    ]
    const { body } = await importCustomers(request, [`${HEAD},Customer Number`, ...rows].join('\n'))
    expect(body).toMatchObject({ created: 3, failed: 1, errors: [{ line: 3, column: 'Customer Number' }] })
    const [, acme, mill, harbor] = await customersOf(request)
    expect(await contactsOf(request, Number(acme?.id))).toMatchObject([
      { name: 'Ann', isFirst: true },
      { name: 'Ben', email: 'ben@acme.test', phone: null, reminders: false },
      { name: 'Cleo', email: null, phone: '555 1', reminders: true },
    ])
    expect(await contactsOf(request, Number(mill?.id))).toMatchObject([{ isFirst: true }, { name: 'Dan' }])
    expect(await contactsOf(request, Number(harbor?.id))).toHaveLength(1)
    const activity = await call(server, { url: `/customers/${acme?.id}/activity`, headers: bearer(request) })
    expect(activity.body).toMatchObject([{ action: 'created', by: { kind: 'import' } }])
    const undone = await call(server, {
      method: 'DELETE',
      url: `/imports/${body.importId}`,
      headers: bearer(request),
    })
    expect(undone.body).toMatchObject({ removedCustomers: 3, keptCount: 0 })
  })

  test('that are added since keep their customer from being removed', async () => {
    const request = await anAccount(world)
    const { body } = await importCustomers(request, `${HEAD}\nAcme,,Ben,,,,\n`)
    const [acme] = await customersOf(request)
    const input = AddContact.parse({ id: acme?.id, name: 'Cleo' })
    await asSubscriber(request, (ctx) => addContact(ctx, input))
    const undone = await call(server, { method: 'DELETE', url: `/imports/${body.importId}`, headers: bearer(request) })
    expect(undone.body).toMatchObject({ removedCustomers: 0, kept: [{ name: 'Acme', reason: 'edited' }] })
  })

  test('fail their row with line and column where they are wrong', async () => {
    const request = await anAccount(world)
    const rows = ['A,,,ben@acme.test,,,', 'B,,Ben,nobody,,,', 'C,,Ben,,perhaps,,', `D,,,,,Cleo,${'5'.repeat(51)}`]
    const { body } = await importCustomers(request, [HEAD, ...rows].join('\n'))
    expect(body).toMatchObject({
      created: 0,
      errors: [
        { line: 2, column: 'Contact 2 Name', reason: 'Enter a name' },
        { line: 3, column: 'Contact 2 Email', value: 'nobody', reason: 'Email must be a valid address' },
        { line: 4, column: 'Contact 2 Reminders', value: 'perhaps', reason: 'Must be yes or no' },
        { line: 5, column: 'Contact 3 Phone', reason: 'Must be at most 50 characters' },
      ],
    })
  })

  test('are imported up to the 20 that a customer can have, and no further', async () => {
    const request = await anAccount(world)
    const numbers = Array.from({ length: 21 }, (_, n) => n + 2)
    const file = `Name,${numbers.map((n) => `Contact ${n} Name`).join(',')}\nAcme,${numbers.map((n) => `N${n}`).join(',')}\n`
    expect((await importCustomers(request, file)).body).toMatchObject({
      created: 1,
      ignoredColumns: ['Contact 22 Name'],
    })
    const [acme] = await customersOf(request)
    const contacts = await contactsOf(request, Number(acme?.id))
    expect(contacts.map(({ name }: { name: string }) => name).slice(1)).toEqual(
      numbers.slice(0, 20).map((n) => `N${n}`),
    )
  })

  test('are offered for columns whose headings are not known, and remembered', async () => {
    const request = await anAccount(world)
    const file = 'Name,Buyer\nAcme,Ben\n'
    const asked = await importCustomers(request, file, '?mapping=ask')
    const offered = asked.body.question.columns.fields.map(({ field }: { field: string }) => field)
    expect(offered).toContain('contact3Reminders')
    expect(offered).not.toContain('contact4Name')
    const mapping = encodeURIComponent(JSON.stringify({ name: 'Name', contact2Name: 'Buyer' }))
    expect((await importCustomers(request, file, `?mapping=${mapping}`)).body).toMatchObject({ created: 1 })
    expect((await importCustomers(request, 'Name,Buyer\nMill,Dan\n', '?mapping=ask')).body).toMatchObject({
      created: 1,
    })
    const [, mill] = await customersOf(request)
    expect(await contactsOf(request, Number(mill?.id))).toMatchObject([{ isFirst: true }, { name: 'Dan' }])
    const { body } = await call(server, { url: '/imports/mappings', headers: bearer(request) })
    expect(body[0].columns).toContainEqual({ field: 'contact2Name', label: 'Contact 2 Name', heading: 'Buyer' })
  })

  test.each(['contact1Name', 'contact22Name', 'contacts', 'constructor'])(
    '%s is no field of a mapping',
    async (field) => {
      const mapping = encodeURIComponent(JSON.stringify({ name: 'Name', [field]: 'Buyer' }))
      const answer = await importCustomers(await anAccount(world), 'Name,Buyer\nAcme,Ben\n', `?mapping=${mapping}`)
      expect(answer).toMatchObject({ status: 400, body: { fields: { mapping: expect.any(String) } } })
    },
  )
})

describe('the term in a file', () => {
  const head = `${CONTRACT_HEAD},Term Number,Term Start`
  const row = (number: string, start: string) => `C-1,10,2024-01-31,yearly,2027-01-31,active,${number},${start}`

  test('is the current one, and begins one cycle before the renewal date unless the file says when', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1' })
    const rows = [row('', ''), row('1', '2025-01-01'), row('3', ''), row('3', '2026-02-15'), row('', '2026-02-15')]
    expect((await importContracts(request, [head, ...rows].join('\n'))).body).toMatchObject({ created: 5, failed: 0 })
    const terms = (await contractsOf(request)).map(({ term, termStart }) => [term, termStart])
    expect(terms).toEqual([
      [1, '2026-01-31'],
      [1, '2026-01-31'],
      [3, '2026-01-31'],
      [3, '2026-02-15'],
      [1, '2026-01-31'],
    ])
    const third = (await contractsOf(request))[2]
    const url = `/contracts/${third?.id}`
    const listed = await call(server, { url: `${url}/terms`, headers: bearer(request) })
    expect(listed.body).toMatchObject([{ number: 3, startDate: '2026-01-31', renewalDate: '2027-01-31' }])
    const renewed = await call(server, { method: 'POST', url: `${url}/renew`, headers: bearer(request), payload: {} })
    expect(renewed.body).toMatchObject({ term: 4, termStart: '2027-01-31', renewalDate: '2028-01-31' })
    const late = { startDate: '2026-02-01' }
    const answer = await call(server, { method: 'PUT', url, headers: bearer(request), payload: late })
    expect(answer).toMatchObject({ status: 400, body: { refusal: 'START_AFTER_TERM' } })
  })

  test.each([
    ['0', '', 'Term Number', 'Term Number must be a whole number from 1 to 1200'],
    ['1201', '', 'Term Number', 'Term Number must be a whole number from 1 to 1200'],
    ['second', '', 'Term Number', 'Must be a whole number'],
    ['2', '2027-01-31', 'Term Start', 'Term Start must be after the start date and before the renewal date'],
    ['2', '2024-01-31', 'Term Start', 'Term Start must be after the start date and before the renewal date'],
    ['2', 'once', 'Term Start', 'Must be a date, such as 2026-01-31'],
  ])('of number "%s" and start "%s" fails its row', async (number, start, column, reason) => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1' })
    const { body } = await importContracts(request, `${head}\n${row(number, start)}\n`)
    expect(body).toMatchObject({ created: 0, errors: [{ line: 2, column, reason }] })
  })
})

test.each([
  [
    'customers',
    'Name,Address,Phone,Customer Number,Email,Notifications\r\nAcme Ltd,"1 Main Street, Springfield",555 0142,C-1001,office@acme.example,Yes\r\n',
  ],
  [
    'contracts',
    'Customer,Customer Number,Amount,Start Date,Renewal Cycle,Renewal Date,Status\r\nAcme Ltd,C-1001,1200.00,2026-01-31,yearly,2027-01-31,active\r\n',
  ],
] as const)('the earlier template of %s imports as before', async (kind, content) => {
  const request = await anAccount(world)
  if (kind === 'contracts') await aCustomer(request, { customerNumber: 'C-1001' })
  const send = kind === 'customers' ? importCustomers : importContracts
  const query = kind === 'customers' ? '?mapping=ask&duplicates=ask' : '?mapping=ask&duplicates=ask&existing=ask'
  expect(await send(request, `\uFEFF${content}`, query)).toMatchObject({
    status: 200,
    body: { created: 1, updated: 0, unchanged: 0, failed: 0, ignoredColumns: [] },
  })
  const [row] = kind === 'customers' ? await customersOf(request) : await contractsOf(request)
  expect(row).toMatchObject(
    kind === 'customers'
      ? { name: 'Acme Ltd', contactName: null, contactRole: null, tags: [] }
      : { amount: 1200, title: null, reference: null, renews: 'by_agreement', noticePeriod: null, tags: [], term: 1 },
  )
})
