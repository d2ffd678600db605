import { notificationsOf } from '#support/notifications.ts'
import { describe, expect, test } from 'vitest'
import { ListCustomers } from '#shared/schemas/filters.ts'
import { listCustomers } from '#server/customers/customers.service.ts'
import { bearer, useApp } from '#support/app.ts'
import { CONTRACT_HEAD, contractsOf, customersOf, useImports } from '#support/imports.ts'
import { aSpreadsheet, aWorkbook, sheetXml } from '#support/spreadsheet.ts'
import { upload } from '#support/upload.ts'
import { aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const { importCustomers, importContracts } = useImports(server)

/** The same archive, whose directory says that its files are so large when they are unpacked. */
function claiming(archive: Buffer, size: number): Buffer {
  const signature = Buffer.from('PK\u0001\u0002')
  for (let at = archive.indexOf(signature); at >= 0; at = archive.indexOf(signature, at + 1)) {
    archive.writeUInt32LE(size, at + 24)
  }
  return archive
}

/** As Excel writes errors of formulas. */
const WITH_ERRORS = `${sheetXml([
  ['Name', 'Phone'],
  ['Acme', '1'],
])}
  <row r="3"><c r="A3" t="str"><v>Mill</v></c><c r="B3" t="e"><f>C9</f><v>#REF!</v></c></row>
  <row r="4"><c r="A4" t="e"><v>#N/A</v></c></row>`

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
    const notices = await notificationsOf(request)
    expect(notices).toMatchObject([
      {
        title: 'Some imported customers will not get emails',
        message:
          '1 imported customer has unsubscribed or reported an email as spam. No emails will be sent to their addresses.',
      },
    ])
  })

  test('whose names have line breaks are on one line, and found so by their contracts', async () => {
    const request = await anAccount(world)
    const customers = await importCustomers(request, 'Name,Phone\r\n"Acme\r\nLtd","555\n1"\r\n')
    expect(customers.body).toMatchObject({ created: 1, failed: 0 })
    expect(await customersOf(request)).toMatchObject([{ name: 'Acme Ltd', phone: '555 1' }])
    const head = CONTRACT_HEAD.replace('Customer Number', 'Customer')
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
      { line: 10, column: '', value: 'more, cells', reason: 'The row has more values than there are column headings' },
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

  test.each([
    ['CSV', Buffer.from('Name,Phone\nAcme,1\nMill,#REF!\n#N/A,\n')],
    ['Excel', aWorkbook(WITH_ERRORS)],
  ])('fail by the cell where a formula of theirs has an error, in %s', async (_kind, content) => {
    const request = await anAccount(world)
    const { body } = await importCustomers(request, content)
    const reason = 'The spreadsheet has an error in this cell'
    expect(body).toMatchObject({
      created: 1,
      failed: 2,
      errors: [
        { line: 3, column: 'Phone', value: '#REF!', reason },
        { line: 4, column: 'Name', value: '#N/A', reason },
      ],
    })
    expect(body.errors).toHaveLength(2)
  })

  test('fail alone where a byte of theirs is damaged: the rest stays UTF-8', async () => {
    const request = await anAccount(world)
    const content = Buffer.concat([Buffer.from('Name\nÄrger GmbH\nZoë\nB'), Buffer.from([0xff]), Buffer.from('\n')])
    const { body } = await importCustomers(request, content)
    expect(body).toMatchObject({ created: 2, failed: 1 })
    expect(body.errors).toMatchObject([{ line: 4, column: 'Name', reason: 'Contains unreadable characters' }])
    expect((await customersOf(request)).map((row) => row.name)).toEqual(['Ärger GmbH', 'Zoë'])
  })

  test.each([
    ['at the beginning', ''],
    ['far below, after a long blank row', `${' '.repeat(70_000)}\n`],
  ])(
    'fail alone where the only letter beyond ASCII is an emoji written as two surrogates %s',
    async (_where, above) => {
      const request = await anAccount(world)
      const emoji = Buffer.from('eda0bdedb880', 'hex')
      const content = Buffer.concat([Buffer.from(`Name,Phone\n${above}Acme `), emoji, Buffer.from(',1\nMill,2\n')])
      const { body } = await importCustomers(request, content)
      expect(body).toMatchObject({ created: 1, failed: 1 })
      expect(body.errors).toMatchObject([{ column: 'Name', reason: 'Contains unreadable characters' }])
    },
  )

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
    expect((await importContracts(request, [CONTRACT_HEAD, ...rows].join('\n'))).body).toMatchObject({
      created: 3,
      failed: 0,
    })
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
        reason: 'More than one customer has this name. Use the customer number instead',
      },
      { line: 5, column: 'Customer', value: '', reason: 'Must identify the customer by number, name, or ID' },
      { line: 6, column: 'Amount', value: '0', reason: 'Amount must be a positive number' },
      { line: 7, column: 'Amount', value: '5.005', reason: 'Amount must have at most two decimals' },
      { line: 8, column: 'Start Date', value: '2026-02-30', reason: 'Must be a date, such as 2026-01-31' },
      { line: 9, column: 'Renewal Cycle', value: 'weekly', reason: 'Cycle must be monthly, quarterly, or yearly' },
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
    expect(body.errors[0].reason).toBe('No such customer, and it cannot be created without a name')
    const customers = await customersOf(request)
    expect(customers.map((row) => [row.name, row.customerNumber])).toEqual([
      ['Known', null],
      ['New One', 'N-1'],
      ['Another', null],
    ])
  })

  test('say once what to do where the ID column has names', async () => {
    const request = await anAccount(world)
    const file = 'Firma,Amount,Start Date,Renewal Cycle,Renewal Date\nAcme,5.00,2026-01-01,monthly,2026-02-01\n'
    const mapping = encodeURIComponent('{"customerId":"Firma","customerName":null}')
    const { body } = await importContracts(request, file, `?mapping=${mapping}`)
    expect(body.errors).toEqual([
      {
        line: 2,
        column: 'Firma',
        value: 'Acme',
        reason: 'A customer ID is a whole number. If this column has names, import it as Customer',
      },
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

describe('Excel files', () => {
  test('may have a title above the headings, and rows of blanks', async () => {
    const request = await anAccount(world)
    const content = aSpreadsheet([['Our customers'], ['Name', 'Phone'], ['Acme', '1'], [' ', '  ']])
    expect((await importCustomers(request, content)).body).toMatchObject({ created: 1, failed: 0 })
  })

  test('are read as they are shown: dates, numbers, booleans and text', async () => {
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
      body: { error: 'The spreadsheet is too large. Save it as a CSV file and upload that' },
    })
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
