import { readdirSync } from 'node:fs'
import { listNotifications } from '#server/notifications/notifications.service.ts'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { ListContracts } from '#shared/schemas/contracts.ts'
import { ListCustomers } from '#shared/schemas/customers.ts'
import type { RequestContext } from '#server/context.ts'
import { listContracts } from '#server/contracts/contracts.service.ts'
import { listCustomers } from '#server/customers/customers.service.ts'
import { lockImports } from '#server/imports/import-record.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aSpreadsheet } from '#support/spreadsheet.ts'
import { upload } from '#support/upload.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

const HEAD = 'Customer Number,Amount,Start Date,Renewal Cycle,Renewal Date,Status'

const importCustomers = (request: RequestContext, content: string | Buffer, query = '') =>
  upload(server, request, { url: `/customers/bulk-upload${query}`, content })
const importContracts = (request: RequestContext, content: string | Buffer, query = '') =>
  upload(server, request, { url: `/contracts/bulk-upload${query}`, content })

async function customersOf(request: RequestContext) {
  return (await listCustomers(requireReader(request), ListCustomers.parse({ sort: 'createdAt', limit: 100 }))).rows
}

async function contractsOf(request: RequestContext) {
  return (await listContracts(requireReader(request), ListContracts.parse({ limit: 100 }))).rows
}

/** The same archive, whose directory says that its files are so large when they are unpacked. */
function claiming(archive: Buffer, size: number): Buffer {
  const signature = Buffer.from('PK\u0001\u0002')
  for (let at = archive.indexOf(signature); at >= 0; at = archive.indexOf(signature, at + 1)) {
    archive.writeUInt32LE(size, at + 24)
  }
  return archive
}

describe('customers from CSV', () => {
  test('whose readers unsubscribed are created, get no mail, and the owner is told', async () => {
    const request = await anAccount(world)
    const { accountId } = requireReader(request)
    await world.db.writeAs(accountId, (em) =>
      em.execute(`insert into closed_addresses values (${accountId}, 'orders@harbor.test', 'unsubscribed', now())`),
    )
    const answer = await importCustomers(request, 'Name,Email\nA,Orders@harbor.test\nB,b@harbor.test\n')
    expect(answer.body).toMatchObject({ created: 2, failed: 0 })
    expect(await customersOf(request)).toMatchObject([
      { name: 'A', sendNotifications: false, mailClosed: { reason: 'unsubscribed' } },
      { name: 'B', sendNotifications: true, mailClosed: null },
    ])
    const notices = await listNotifications(requireReader(request), { unread: false, limit: 10 })
    expect(notices).toMatchObject([
      {
        title: 'Some imported customers get no emails',
        message:
          '1 customer of the import has an email address whose reader unsubscribed or reported a message. Nothing is sent there.',
      },
    ])
  })

  test('whose names have line breaks are on one line, and found so by their contracts', async () => {
    const request = await anAccount(world)
    const customers = await importCustomers(request, 'Name,Phone\r\n"Acme\r\nLtd","555\n1"\r\n')
    expect(customers.body).toMatchObject({ created: 1, failed: 0 })
    expect(await customersOf(request)).toMatchObject([{ name: 'Acme Ltd', phone: '555 1' }])
    const head = HEAD.replace('Customer Number', 'Customer')
    const contracts = await importContracts(request, `${head}\n"Acme\nLtd",100,2026-01-01,monthly,2026-05-01,active\n`)
    expect(contracts.body).toMatchObject({ created: 1, failed: 0, createdCustomers: 0 })
    expect(await contractsOf(request)).toMatchObject([{ customerName: 'Acme Ltd' }])
  })

  test('are created, as many as the answer says', async () => {
    const request = await anAccount(world)
    const answer = await importCustomers(
      request,
      'Email,Customer No.,Name,Phone,Address,Notifications,Notes\r\na@example.com,C-1,"Acme, Inc.",555 1,"1 Main\r\nSpringfield",no,x\r\n,,Beta,,,,\r\n',
    )
    expect(answer).toMatchObject({
      status: 200,
      body: { created: 2, failed: 0, errors: [], note: null, createdCustomers: 0, ignoredColumns: ['Notes'] },
    })
    expect(await customersOf(request)).toMatchObject([
      {
        name: 'Acme, Inc.',
        customerNumber: 'C-1',
        email: 'a@example.com',
        phone: '555 1',
        address: '1 Main\r\nSpringfield',
        sendNotifications: false,
      },
      { name: 'Beta', customerNumber: null, email: null, phone: null, address: null, sendNotifications: true },
    ])
  })

  test('may have a title above the headings, and rows of blanks, which count for nothing', async () => {
    const request = await anAccount(world)
    const rows = [
      'Our customers;;',
      'As of 11/21/2026;;',
      '',
      'Name;Phone;Email',
      'Acme, Inc.;1;',
      ' ; ;',
      ';;not mail',
    ]
    const answer = await importCustomers(request, rows.join('\n'))
    expect(answer.body).toMatchObject({
      created: 1,
      failed: 1,
      errors: [
        { line: 7, column: 'Name' },
        { line: 7, column: 'Email' },
      ],
      ignoredColumns: [],
    })
    expect(await customersOf(request)).toMatchObject([{ name: 'Acme, Inc.', phone: '1' }])
  })

  test('fail by the row, each with its line, column, value and reason', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Old', customerNumber: 'c-1' })
    const answer = await importCustomers(
      request,
      [
        'Name,Customer Number,E-mail,Notifications',
        'Good,G-1,,',
        '   ,B-1,,',
        'Taken,C-1,,',
        'Twice,g-1,,',
        'Mail,M-1,not an address,perhaps',
        `${'x'.repeat(201)},L-1,,`,
        'NU\u0000L,N-1,,',
        'Be\u0007ll,N-2,,',
        'Wide,W-1,,yes,more,cells',
      ].join('\n'),
    )
    expect(answer.body).toMatchObject({ created: 1, failed: 8 })
    expect(answer.body.errors).toEqual([
      { line: 3, column: 'Name', value: '', reason: 'Must not be blank' },
      {
        line: 4,
        column: 'Customer Number',
        value: 'C-1',
        reason: 'Another customer already has this customer number',
      },
      {
        line: 5,
        column: 'Customer Number',
        value: 'g-1',
        reason: 'Another customer already has this customer number',
      },
      { line: 6, column: 'Notifications', value: 'perhaps', reason: 'Must be yes or no' },
      { line: 6, column: 'E-mail', value: 'not an address', reason: 'Email must be a valid address' },
      { line: 7, column: 'Name', value: 'x'.repeat(200), reason: 'Must be at most 200 characters' },
      { line: 8, column: 'Name', value: 'NU\uFFFDL', reason: 'Must not contain control characters' },
      { line: 9, column: 'Name', value: 'Be\u0007ll', reason: 'Must not contain control characters' },
      { line: 10, column: '', value: 'more, cells', reason: 'The row has more values than the first row has columns' },
    ])
    expect((await customersOf(request)).map((row) => row.name)).toEqual(['Old', 'Good'])
  })

  test('fail in words also where what they hold cannot be stored', async () => {
    const request = await anAccount(world)
    const content = `Name,Na\u0000me,Email\n${'x'.repeat(199)}😀😀,1,\n,\u0000,a\u0000@example.com\n`
    const { body } = await upload(server, request, { url: '/customers/bulk-upload', content, name: 'a\u0001b.csv' })
    expect(body).toMatchObject({ created: 0, failed: 2, errors: { length: 3 } })
    expect(body.errors[0].value).toBe(`${'x'.repeat(199)}\uFFFD`)
    const file = await server.app.inject({ url: `/imports/${body.importId}/errors.csv`, headers: bearer(request) })
    expect(file.body).toContain(`${'x'.repeat(199)}😀😀`)
  })

  test('fail alone where a byte of theirs is damaged: the rest stays UTF-8', async () => {
    const request = await anAccount(world)
    const content = Buffer.concat([Buffer.from('Name\nÄrger GmbH\nZoë\nB'), Buffer.from([0xff]), Buffer.from('\n')])
    const { body } = await importCustomers(request, content)
    expect(body).toMatchObject({ created: 2, failed: 1 })
    expect(body.errors).toMatchObject([{ line: 4, column: 'Name', reason: 'Has characters that cannot be read' }])
    expect((await customersOf(request)).map((row) => row.name)).toEqual(['Ärger GmbH', 'Zoë'])
  })

  test('of several batches are all there', async () => {
    const request = await anAccount(world)
    const rows = Array.from({ length: 4500 }, (_, n) => `Customer ${n},N-${n}`)
    const answer = await importCustomers(request, ['Name,Customer Number', ...rows].join('\n'))
    expect(answer.body).toMatchObject({ created: 4500, failed: 0 })
    const { total } = await listCustomers(requireReader(request), ListCustomers.parse({}))
    expect(total).toBe(4500)
  })

  test('beyond a thousand errors the answer notes where the others are, and the file has all of them', async () => {
    const request = await anAccount(world)
    const rows = Array.from({ length: 2500 }, (_, n) => `,${n}`)
    const { body } = await importCustomers(request, ['Name,Phone', ...rows].join('\n'))
    expect(body).toMatchObject({ created: 0, failed: 2500, errors: { length: 1000 } })
    expect(body.note).toContain(`/imports/${body.importId}/errors.csv`)
    const file = await server.app.inject({ url: `/imports/${body.importId}/errors.csv`, headers: bearer(request) })
    expect(file.body.trim().split('\r\n')).toHaveLength(2501)
  })
})

describe('contracts from CSV', () => {
  test('find their customer by number, by name or by ID, in any case', async () => {
    const request = await anAccount(world)
    const acme = await aCustomer(request, { name: 'Acme', customerNumber: 'C-1' })
    const beta = await aCustomer(request, { name: 'Beta' })
    const terms = '100.00,2026-01-01,monthly,2026-02-01,Active'
    const answer = await importContracts(
      request,
      `Customer Number,Client,Customer ID,Amount,Start,Cycle,Renewal,Status\nc-1,Whatever,,${terms}\n,BETA,,${terms}\n,,${beta.id},${terms}\n,Acme,${acme.id},${terms}\n,c-1,,${terms}\n`,
    )
    expect(answer.body).toMatchObject({ created: 5, failed: 0 })
    const ids = (await contractsOf(request)).map((row) => row.customerId)
    expect(ids).toEqual([acme.id, beta.id, beta.id, acme.id, acme.id])
  })

  test('keep their terms', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1' })
    const rows = [
      'C-1,"$1,234.50",01/31/2026,Annual,2027-01-31,',
      'C-1,$1 234,46023,QUARTERLY,31.12.2026,Canceled',
      'C-1,9999999999.99,"Jan 5, 2026",monthly,02/05/2026,pending',
    ]
    expect((await importContracts(request, [HEAD, ...rows].join('\n'))).body).toMatchObject({ created: 3, failed: 0 })
    expect(await contractsOf(request)).toMatchObject([
      { amount: 1234.5, startDate: '2026-01-31', renewalCycle: 'yearly', renewalDate: '2027-01-31', status: 'active' },
      {
        amount: 1234,
        startDate: '2026-01-01',
        renewalCycle: 'quarterly',
        renewalDate: '2026-12-31',
        status: 'cancelled',
      },
      {
        amount: 9_999_999_999.99,
        startDate: '2026-01-05',
        renewalCycle: 'monthly',
        renewalDate: '2026-02-05',
        status: 'pending',
      },
    ])
  })

  test('fail where the terms or the customer are wrong', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Acme', customerNumber: 'C-1' })
    await aCustomer(request, { name: 'Twin' })
    await aCustomer(request, { name: 'twin' })
    const ok = '2026-01-01,monthly,2026-02-01'
    const { body } = await importContracts(
      request,
      [
        'Customer Number,Customer,Amount,Start Date,Renewal Cycle,Renewal Date',
        `X-9,Acme,5.00,${ok}`,
        `,Nobody,5.00,${ok}`,
        `,Twin,5.00,${ok}`,
        `,,5.00,${ok}`,
        `C-1,,0,${ok}`,
        `C-1,,5.005,${ok}`,
        `C-1,,5.00,2026-02-30,monthly,2026-03-01`,
        `C-1,,5.00,2026-02-01,weekly,2026-01-01`,
        `C-1,,5.00,2026-02-01,monthly,2026-01-01`,
      ].join('\n'),
    )
    expect(body).toMatchObject({ created: 0, failed: 9 })
    expect(body.errors).toEqual([
      { line: 2, column: 'Customer Number', value: 'X-9', reason: 'No such customer' },
      { line: 3, column: 'Customer', value: 'Nobody', reason: 'No such customer' },
      {
        line: 4,
        column: 'Customer',
        value: 'Twin',
        reason: 'More than one customer has this name. Give the customer number',
      },
      { line: 5, column: 'Customer', value: '', reason: 'Must name the customer by number, name or ID' },
      { line: 6, column: 'Amount', value: '0', reason: 'Amount must be a positive number' },
      { line: 7, column: 'Amount', value: '5.005', reason: 'Amount must have at most two decimals' },
      { line: 8, column: 'Start Date', value: '2026-02-30', reason: 'Must be a date, such as 2026-01-31' },
      { line: 9, column: 'Renewal Cycle', value: 'weekly', reason: 'Cycle must be monthly, quarterly or yearly' },
      {
        line: 10,
        column: 'Renewal Date',
        value: '2026-01-01',
        reason: 'Renewal date must not be before the start date',
      },
    ])
  })

  test('bring their customers along when asked, each once', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Known' })
    const ok = '5.00,2026-01-01,monthly,2026-02-01'
    const rows = [`N-1,New One,${ok}`, `n-1,New One again,${ok}`, `,Another,${ok}`, `,ANOTHER,${ok}`, `,known,${ok}`]
    const file = ['Customer Number,Customer,Amount,Start Date,Renewal Cycle,Renewal Date', ...rows, `X-1,,${ok}`]
    const { body } = await importContracts(request, file.join('\n'), '?createCustomers=true')
    expect(body).toMatchObject({ created: 5, createdCustomers: 2, failed: 1 })
    expect(body.errors[0].reason).toBe('No such customer, and without a name none can be created')
    const customers = await customersOf(request)
    expect(customers.map((row) => [row.name, row.customerNumber])).toEqual([
      ['Known', null],
      ['New One', 'N-1'],
      ['Another', null],
    ])
  })

  test("never find another account's customer", async () => {
    const theirs = await aCustomer(await anAccount(world), { name: 'Theirs', customerNumber: 'T-1' })
    const request = await anAccount(world)
    const ok = '5.00,2026-01-01,monthly,2026-02-01'
    const { body } = await importContracts(
      request,
      `Customer Number,Customer,Customer ID,Amount,Start,Cycle,Renewal\nT-1,,,${ok}\n,Theirs,,${ok}\n,,${theirs.id},${ok}\n`,
    )
    expect(body).toMatchObject({ created: 0, failed: 3 })
  })
})

describe('questions', () => {
  const row = (start: string, amount = '5.00') => `C-1,"${amount}",${start},monthly,2027-01-01,active`
  const file = (...rows: string[]) => [HEAD, ...rows].join('\n')

  test('an ambiguous date is asked about, nothing is written, and the answer decides', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1' })
    const content = file(row('2026-01-01'), row('03/04/2026'))
    const asked = await importContracts(request, content)
    expect(asked).toMatchObject({
      status: 409,
      body: {
        error: 'Dates such as 03/04/2026 can be read in two ways. Which comes first, the month or the day?',
        question: {
          parameter: 'dateOrder',
          choices: [{ value: 'mdy' }, { value: 'dmy' }],
          example: { line: 3, column: 'Start Date', value: '03/04/2026' },
        },
      },
    })
    expect(await contractsOf(request)).toEqual([])
    const answered = await importContracts(request, content, '?dateOrder=dmy')
    expect(answered).toMatchObject({ status: 200, body: { created: 2 } })
    expect((await contractsOf(request))[1]).toMatchObject({ startDate: '2026-04-03' })
  })

  test.each([
    ['12/31/2026', '2026-03-04'],
    ['31/12/2026', '2026-04-03'],
  ])('a file in which %s stands proves its order and asks nothing', async (proof, day) => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1' })
    expect(await importContracts(request, file(row('03/04/2026'), row(proof)))).toMatchObject({ status: 200 })
    expect((await contractsOf(request))[0]).toMatchObject({ startDate: day })
  })

  test.each([
    [2, 1, 409],
    [2, 2, 200],
    [40, 2, 200],
    [41, 2, 409],
    [41, 3, 200],
  ])(
    'of %i dates that can be read in two ways and %i that proves the order, the answer is %i',
    async (unclear, proofs, status) => {
      const request = await anAccount(world)
      await aCustomer(request, { customerNumber: 'C-1' })
      const [two, one] = [unclear, proofs].map((length) => Array.from({ length }))
      const content = file(...(two ?? []).map(() => row('03/04/2026')), ...(one ?? []).map(() => row('13/04/2026')))
      expect(await importContracts(request, content)).toMatchObject({ status })
      expect(await importContracts(request, content, '?dateOrder=dmy&again=true')).toMatchObject({
        body: { created: unclear + proofs },
      })
    },
  )

  test.each([
    [2, 1, 409],
    [2, 2, 200],
  ])(
    'of %i amounts that can be read in two ways and %i with a decimal mark, the answer is %i',
    async (unclear, proofs, status) => {
      const request = await anAccount(world)
      await aCustomer(request, { customerNumber: 'C-1' })
      const amounts = [
        ...Array.from({ length: unclear }, () => '1,234'),
        ...Array.from({ length: proofs }, () => '2,50'),
      ]
      const content = file(...amounts.map((amount) => row('2026-01-01', amount)))
      expect(await importContracts(request, content)).toMatchObject({ status })
    },
  )

  test('a file that proves both orders is asked about as well', async () => {
    const request = await anAccount(world)
    const content = file(row('12/31/2026'), row('31/12/2026'), row('03/04/2026'))
    expect(await importContracts(request, content)).toMatchObject({
      status: 409,
      body: { question: { parameter: 'dateOrder' } },
    })
  })

  test('an ambiguous amount is asked about unless the file proves its decimal mark', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1' })
    const content = file(row('2026-01-01', '1,234'))
    const asked = await importContracts(request, content)
    expect(asked).toMatchObject({
      status: 409,
      body: {
        error: 'Amounts such as 1,234 can be read in two ways. Is the decimal mark a dot or a comma?',
        question: { parameter: 'decimalMark', choices: [{ value: 'dot' }, { value: 'comma' }] },
      },
    })
    expect(await importContracts(request, content, '?decimalMark=dot')).toMatchObject({ body: { created: 1 } })
    const proven = file(row('2026-01-01', '1.234'), row('2026-01-01', '2,50'))
    expect(await importContracts(request, proven)).toMatchObject({ status: 200, body: { created: 2 } })
    expect((await contractsOf(request)).map((one) => one.amount)).toEqual([1234, 1234, 2.5])
  })

  test('the same file is recognised, and imported again when asked to', async () => {
    const request = await anAccount(world)
    const first = await importCustomers(request, 'Name\nA\n')
    const again = await importCustomers(request, 'Name\nA\n')
    expect(again).toMatchObject({
      status: 409,
      body: {
        error: 'This file has been imported before. Import it again?',
        question: { parameter: 'again', earlier: { id: first.body.importId, created: 1, failed: 0 } },
      },
    })
    expect(await customersOf(request)).toHaveLength(1)
    expect(await importCustomers(request, 'Name\nA\n', '?again=true')).toMatchObject({ status: 200 })
    expect(await importCustomers(await anAccount(world), 'Name\nA\n')).toMatchObject({ status: 200 })
  })

  test('of two uploads of the same file at the same time one is asked', async () => {
    const request = await anAccount(world)
    const content = ['Name', ...Array.from({ length: 50 }, (_, n) => `C${n}`)].join('\n')
    const answers = await Promise.all([1, 2].map(() => importCustomers(request, content)))
    expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect(await customersOf(request)).toHaveLength(50)
  })

  test('an answer that does not exist is refused', async () => {
    const request = await anAccount(world)
    expect(await importContracts(request, 'x', '?dateOrder=ydm')).toMatchObject({
      status: 400,
      body: { fields: { dateOrder: 'Must be mdy or dmy' } },
    })
  })
})

describe('Excel files', () => {
  test('may have a title above the headings, and rows of blanks', async () => {
    const request = await anAccount(world)
    const content = aSpreadsheet([['Our customers'], ['Name', 'Phone'], ['Acme', '1'], [' ', '  ']])
    expect((await importCustomers(request, content)).body).toMatchObject({ created: 1, failed: 0 })
  })

  test('are read as they are shown: dates, numbers, truths and text', async () => {
    const request = await anAccount(world)
    const customers = aSpreadsheet([
      ['Name', 'Phone', 'Customer Number', 'Notifications'],
      ['Acme & <Sons>', 5_550_142, 1001, false],
      [null, null, null, null],
      ['Beta', null, 'C-2', true],
    ])
    const first = await upload(server, request, { url: '/customers/bulk-upload', content: customers, name: 'c.xlsx' })
    expect(first).toMatchObject({ status: 200, body: { created: 2, failed: 0 } })
    expect(await customersOf(request)).toMatchObject([
      { name: 'Acme & <Sons>', phone: '5550142', customerNumber: '1001', sendNotifications: false },
      { name: 'Beta', phone: null, customerNumber: 'C-2', sendNotifications: true },
    ])
    const contracts = aSpreadsheet([
      ['Customer Number', 'Amount', 'Start Date', 'Renewal Cycle', 'Renewal Date', 'Status'],
      [1001, 1234.567 - 0.067, new Date('2026-01-31'), 'yearly', new Date('2027-01-31'), 'Active'],
      ['C-2', 'much', new Date('2026-01-31'), 'yearly', 46_388, 'Active'],
    ])
    const { body } = await upload(server, request, {
      url: '/contracts/bulk-upload',
      content: contracts,
      name: 'k.XLSX',
    })
    expect(body).toMatchObject({ created: 1, failed: 1 })
    expect(body.errors).toEqual([
      { line: 3, column: 'Amount', value: 'much', reason: 'Must be an amount, such as 1234.50' },
    ])
    expect(await contractsOf(request)).toMatchObject([
      { amount: 1234.5, startDate: '2026-01-31', renewalDate: '2027-01-31' },
    ])
  })

  test('are recognised by their content, also where they are called .csv', async () => {
    const request = await anAccount(world)
    expect((await importCustomers(request, aSpreadsheet([['Name'], ['A']]))).body).toMatchObject({ created: 1 })
  })

  test('that are archives of something else, broken or endless are refused', async () => {
    const request = await anAccount(world)
    const broken = aSpreadsheet([['Name'], ['A']]).subarray(0, 300)
    expect(await importCustomers(request, broken)).toMatchObject({ status: 422 })
    expect(await importCustomers(request, claiming(aSpreadsheet([['Name'], ['A']]), 200_000_000))).toMatchObject({
      status: 413,
      body: { error: 'The spreadsheet is too large to be read. Save it as CSV and import that' },
    })
  })
})

describe('what cannot be imported is refused in words', () => {
  test.each([
    ['a PDF', '%PDF-1.7', 422, 'This is not a CSV or Excel file that can be read'],
    ['an open quotation mark', 'Name\nA\n"B\n', 422, 'on line 3 opens a quotation mark that is never closed'],
    ['no rows', 'Name,Phone\n', 422, 'The file has no rows'],
    ['nothing', '', 422, 'The file has no rows'],
    ['other columns', 'Foo,Bar\n1,2\n', 422, 'these are missing: Name'],
  ])('%s', async (_what, content, status, text) => {
    const answer = await importCustomers(await anAccount(world), content)
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(text) } })
  })

  test('missing columns are named, beside the headings that were found', async () => {
    const { body } = await importContracts(await anAccount(world), 'Customer,Amount,Foo\nA,1,2\n')
    expect(body).toMatchObject({
      error: 'The first row must name the columns, and these are missing: Start Date, Renewal Cycle, Renewal Date',
      missing: ['Start Date', 'Renewal Cycle', 'Renewal Date'],
      headings: ['Customer', 'Amount', 'Foo'],
    })
  })

  test('another kind of file is 415, a form without the file 400, no form 415', async () => {
    const request = await anAccount(world)
    const url = '/customers/bulk-upload'
    expect(await upload(server, request, { url, content: 'Name\nA\n', name: 'a.xls' })).toMatchObject({
      status: 415,
      body: { error: 'Please select a CSV file or an Excel file (.xlsx)' },
    })
    expect(await upload(server, request, { url, content: 'Name\nA\n', field: 'pdf' })).toMatchObject({ status: 400 })
    const json = await call(server, { method: 'POST', url, headers: bearer(request), payload: { name: 'A' } })
    expect(json).toMatchObject({
      status: 415,
      body: { error: 'Send the file as multipart/form-data, in the field "file"' },
    })
  })

  test('more than 50 MB is 413', async () => {
    const content = Buffer.alloc(50 * 1024 * 1024 + 1, 'Name\n')
    expect(await importCustomers(await anAccount(world), content)).toMatchObject({
      status: 413,
      body: { error: 'The file is larger than 50 MB' },
    })
  })

  test('more than 200,000 rows are 413, and none of them is imported', async () => {
    const request = await anAccount(world)
    expect(await importCustomers(request, `Name\n${'A\n'.repeat(200_001)}`)).toMatchObject({
      status: 413,
      body: { error: 'The file has more than 200,000 rows. Split it into smaller files' },
    })
    expect(await customersOf(request)).toEqual([])
  })

  test('a refused file is not recorded, and nothing of it stays on the disk', async () => {
    const request = await anAccount(world)
    await importCustomers(request, '%PDF-1.7')
    expect((await call(server, { url: '/imports', headers: bearer(request) })).body).toEqual([])
    expect(readdirSync(tmpdir()).filter((name) => /^traxx-[0-9a-f]{8}-/.test(name))).toEqual([])
  })
})

describe('who may import', () => {
  test.each(['/customers/bulk-upload', '/contracts/bulk-upload'])('%s is 402 where one may only read', async (url) => {
    const request = await anAccount(world, { status: 'unpaid' })
    expect(await upload(server, request, { url, content: 'Name\nA\n' })).toMatchObject({
      status: 402,
      body: { error: expect.stringContaining('read-only') },
    })
  })

  test('what was imported is not taken back where one may only read', async () => {
    const headers = bearer(await anAccount(world, { status: 'unpaid' }))
    expect(await call(server, { method: 'DELETE', url: '/imports/1', headers })).toMatchObject({ status: 402 })
    expect(await call(server, { url: '/imports', headers })).toMatchObject({ status: 200, body: [] })
  })

  test('nobody without a token', async () => {
    expect(await call(server, { method: 'POST', url: '/customers/bulk-upload' })).toMatchObject({ status: 401 })
    expect(await call(server, { url: '/imports' })).toMatchObject({ status: 401 })
  })
})

describe('templates', () => {
  test.each(['customers', 'contracts'])('of %s are CSV that imports without an error or a question', async (kind) => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: kind === 'contracts' ? 'C-1001' : 'other' })
    const file = await server.app.inject({ url: `/${kind}/bulk-template`, headers: bearer(request) })
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${kind}-template.csv"`,
    })
    const { body } = await upload(server, request, { url: `/${kind}/bulk-upload`, content: file.rawPayload })
    expect(body).toMatchObject({ created: 1, failed: 0, ignoredColumns: [] })
  })
})

describe('the record of imports', () => {
  test('lists the latest first, with what became of them', async () => {
    const request = await anAccount(world)
    await importCustomers(request, 'Name\nA\n\nB\n')
    await upload(server, request, { url: '/customers/bulk-upload', content: 'Name,Phone\n,\n,5\n', name: 'übel.csv' })
    const { body } = await call(server, { url: '/imports', headers: bearer(request) })
    expect(body).toMatchObject([
      { kind: 'customers', fileName: 'übel.csv', rows: 1, created: 0, failed: 1, throughLine: 3, status: 'finished' },
      { kind: 'customers', fileName: 'file.csv', rows: 2, created: 2, failed: 0, throughLine: 4, status: 'finished' },
    ])
    const one = await call(server, { url: `/imports/${body[0].id}`, headers: bearer(request) })
    expect(one).toMatchObject({ status: 200, body: body[0] })
  })

  test('gives the failed rows back with the reasons, ready to be mended and imported', async () => {
    const request = await anAccount(world)
    const { body } = await importCustomers(request, 'Name,Phone,Email\nGood,1,\n=Bad,"+1, 2",nope\n,3,\n')
    const file = await server.app.inject({ url: `/imports/${body.importId}/errors.csv`, headers: bearer(request) })
    expect(file.headers['content-disposition']).toBe(`attachment; filename="import-${body.importId}-errors.csv"`)
    expect(file.body).toBe(
      '\uFEFFLine,Reason,Name,Phone,Email\r\n3,Email: Email must be a valid address,\'=Bad,"\'+1, 2",nope\r\n4,Name: Must not be blank,,3,\r\n',
    )
    const mended = file.body.replace('nope', 'yes@example.com').replace('blank,,3', 'blank,Third,3')
    expect((await importCustomers(request, mended)).body).toMatchObject({ created: 2, failed: 0 })
    expect((await customersOf(request)).map((row) => [row.name, row.phone])).toEqual([
      ['Good', '1'],
      ['=Bad', '+1, 2'],
      ['Third', '3'],
    ])
  })

  test('is nobody else’s', async () => {
    const { body } = await importCustomers(await anAccount(world), 'Name,Phone\n,1\n')
    const headers = bearer(await anAccount(world))
    expect((await call(server, { url: '/imports', headers })).body).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/errors.csv'],
      ['DELETE', ''],
    ] as const) {
      const answer = await call(server, { method, url: `/imports/${body.importId}${path}`, headers })
      expect(answer).toMatchObject({ status: 404, body: { error: 'Import not found' } })
    }
  })
})

describe('taking back', () => {
  const takeBack = (request: RequestContext, id: number) =>
    call(server, { method: 'DELETE', url: `/imports/${id}`, headers: bearer(request) })
  const row = 'C-1,5.00,2026-01-01,monthly,2026-02-01,active'

  test('removes what the import created, and the file may come again', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Mine', customerNumber: 'C-1' })
    const customers = await importCustomers(request, 'Name\nA\nB\n')
    const contracts = await importContracts(request, `${HEAD}\n${row}\n`)
    expect(await takeBack(request, contracts.body.importId)).toMatchObject({
      status: 200,
      body: { removedContracts: 1, removedCustomers: 0, keptCount: 0, kept: [] },
    })
    expect(await takeBack(request, customers.body.importId)).toMatchObject({ body: { removedCustomers: 2 } })
    expect((await customersOf(request)).map((one) => one.name)).toEqual(['Mine'])
    expect((await call(server, { url: '/imports', headers: bearer(request) })).body).toEqual([])
    expect(await takeBack(request, customers.body.importId)).toMatchObject({ status: 404 })
    expect(await importCustomers(request, 'Name\nA\nB\n')).toMatchObject({ status: 200 })
  })

  test('keeps and names rows edited since, and customers who got other contracts', async () => {
    const request = await anAccount(world)
    const headers = bearer(request)
    const { body } = await importCustomers(request, 'Name,Customer Number\nEdited,C-1\nUsed,C-2\nFree,C-3\n')
    const [edited, used] = await customersOf(request)
    await call(server, { method: 'PUT', url: `/customers/${edited?.id}`, headers, payload: { phone: '5' } })
    const contract = await aContract(request, { customerId: Number(used?.id) })
    const taken = await takeBack(request, body.importId)
    expect(taken.body).toEqual({
      removedContracts: 0,
      removedCustomers: 1,
      keptCount: 2,
      kept: [
        { kind: 'customer', id: edited?.id, name: 'Edited', reason: 'edited' },
        { kind: 'customer', id: used?.id, name: 'Used', reason: 'hasContracts' },
      ],
    })
    const [record] = (await call(server, { url: '/imports', headers })).body
    expect(record).toMatchObject({ id: body.importId, takenBackAt: expect.any(String) })
    await call(server, { method: 'DELETE', url: `/contracts/${contract.id}`, headers })
    expect((await takeBack(request, body.importId)).body).toMatchObject({ removedCustomers: 1, keptCount: 1 })
  })

  test('takes customers back that contracts brought along, but for those of contracts that stay', async () => {
    const request = await anAccount(world)
    const file = `Customer,Amount,Start,Cycle,Renewal\nA,5.00,2026-01-01,monthly,2026-02-01\nB,5.00,2026-01-01,monthly,2026-02-01\n`
    const { body } = await importContracts(request, file, '?createCustomers=true')
    const [first] = await contractsOf(request)
    const url = `/contracts/${first?.id}`
    await call(server, { method: 'PUT', url, headers: bearer(request), payload: { amount: 6 } })
    expect((await takeBack(request, body.importId)).body).toMatchObject({
      removedContracts: 1,
      removedCustomers: 1,
      keptCount: 2,
      kept: [
        { kind: 'contract', id: first?.id, name: 'A', reason: 'edited' },
        { kind: 'customer', name: 'A', reason: 'hasContracts' },
      ],
    })
  })

  test('keeps and names contracts that were given reminder settings of their own', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'C-1', name: 'Acme' })
    const { body } = await importContracts(request, `${HEAD}\n${row}\n${row}\n${row}\n`)
    const [own, asBefore] = await contractsOf(request)
    const none = { enableNotifications: null, reminderDays: null, followUpDays: null, email: null, inApp: null }
    const save = (id: number, settings: object) =>
      call(server, { method: 'PUT', url: `/contracts/${id}/reminders`, headers: bearer(request), payload: settings })
    expect(await save(Number(own?.id), { ...none, reminderDays: [] })).toMatchObject({ status: 200 })
    expect(await save(Number(asBefore?.id), none)).toMatchObject({ status: 200 })
    expect((await takeBack(request, body.importId)).body).toMatchObject({
      removedContracts: 2,
      kept: [{ kind: 'contract', id: own?.id, name: 'Acme', reason: 'edited' }],
    })
  })

  test('waits for a batch that is being written, and a batch for it, so that neither waits for the other', async () => {
    const request = await anAccount(world)
    const { body } = await importCustomers(request, 'Name\nA\n')
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const turn = asSubscriber(request, async (ctx) => {
      await lockImports(ctx)
      begun.resolve()
      await done.promise
    })
    await begun.promise
    const both = [takeBack(request, body.importId), importCustomers(request, 'Name\nB\n')]
    const text = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await world.db.system.query(text)).rowCount).toBe(2)
    done.resolve()
    await turn
    expect(await Promise.all(both)).toMatchObject([{ status: 200 }, { status: 200, body: { created: 1 } }])
  })

  test('a change that changes nothing is no edit', async () => {
    const request = await anAccount(world)
    const { body } = await importCustomers(request, 'Name\nA\n')
    const [one] = await customersOf(request)
    await call(server, {
      method: 'PUT',
      url: `/customers/${one?.id}`,
      headers: bearer(request),
      payload: { name: 'A' },
    })
    expect((await takeBack(request, body.importId)).body).toMatchObject({ removedCustomers: 1, keptCount: 0 })
  })
})
