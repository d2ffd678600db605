import { describe, expect, test } from 'vitest'
import { bearer, call, useApp } from '#support/app.ts'
import { CONTRACT_HEAD, contractsOf, customersOf, useImports } from '#support/imports.ts'
import { aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const { importCustomers, importContracts } = useImports(server)

const query = (mapping: object) => `?mapping=${encodeURIComponent(JSON.stringify(mapping))}`

describe('headings', () => {
  test.each([
    [
      'German',
      'Kunde;Betrag;Vertragsbeginn;Zyklus;Verlängerung;Status',
      'Café;1.200,50;31.01.2026;jährlich;31.01.2027;aktiv',
    ],
    [
      'French',
      'Client;Montant;Date de début;Périodicité;Échéance;Statut',
      'Café;1 200,50;31/01/2026;annuel;31/01/2027;actif',
    ],
    [
      'Spanish',
      'Cliente;Importe;Fecha de inicio;Periodicidad;Renovación;Estado',
      'Café;1.200,50;31/01/2026;anual;31/01/2027;activo',
    ],
  ])('of contracts are known in %s', async (_language, head, row) => {
    const request = await anAccount(world)
    const answer = await importContracts(request, `${head}\n${row}\n`, '?createCustomers=true&mapping=ask')
    expect(answer).toMatchObject({ status: 200, body: { created: 1, failed: 0, ignoredColumns: [] } })
    expect(await contractsOf(request)).toMatchObject([
      { customerName: 'Café', amount: 1200.5, startDate: '2026-01-31', renewalCycle: 'yearly', status: 'active' },
    ])
  })

  test.each([
    ['Kunde;Straße;Telefon;Kunden-Nr.;E-Mail-Adresse;Erinnerungen', 'Ja'],
    ['Raison sociale;Adresse;Téléphone;N° client;Courriel;Rappels', 'Oui'],
    ['Razón social;Dirección;Teléfono;Número de cliente;Correo electrónico;Avisos', 'Sí'],
  ])('of customers are known: %s', async (head, yes) => {
    const request = await anAccount(world)
    const file = `${head}\nCafé;1 Main St;555;K-1;ann@example.com;${yes}\n`
    expect(await importCustomers(request, file, '?mapping=ask')).toMatchObject({ status: 200, body: { created: 1 } })
    expect(await customersOf(request)).toMatchObject([
      { name: 'Café', address: '1 Main St', phone: '555', customerNumber: 'K-1', email: 'ann@example.com' },
    ])
  })
})

describe('headings that are not known', () => {
  const FILE = 'List of 2026\nFantasy,Wire,Notes\nAcme,555,x\nBeta,,y\nAcme,556,\n'

  test('are asked about with their first values, before anything is written', async () => {
    const request = await anAccount(world)
    const asked = await importCustomers(request, FILE, '?mapping=ask')
    expect(asked).toMatchObject({
      status: 409,
      body: {
        error: 'Check what each column contains',
        question: {
          parameter: 'mapping',
          choices: [],
          columns: {
            line: 2,
            found: [
              { number: 1, heading: 'Fantasy', samples: ['Acme', 'Beta'], field: null },
              { number: 2, heading: 'Wire', samples: ['555', '556'], field: null },
              { number: 3, heading: 'Notes', samples: ['x', 'y'], field: null },
            ],
            needed: [{ label: 'Name', fields: ['name'] }],
          },
        },
      },
    })
    expect(asked.body.question.columns.fields).toContainEqual({ field: 'customerNumber', label: 'Customer Number' })
    expect(await customersOf(request)).toEqual([])
  })

  test('are imported as they are mapped, which is remembered for the account and for these headings', async () => {
    const request = await anAccount(world)
    const mapping = query({ name: 1, phone: 2, address: null, email: null })
    const first = await importCustomers(request, FILE, mapping)
    expect(first).toMatchObject({ status: 200, body: { created: 3, ignoredColumns: ['Notes'] } })
    expect(await customersOf(request)).toMatchObject([{ phone: '555' }, { phone: null }, { phone: '556' }])

    const next = await importCustomers(request, 'Wire,Notes,Fantasy\n777,n,Gamma\n', '?mapping=ask')
    expect(next).toMatchObject({ status: 200, body: { created: 1 } })
    expect((await customersOf(request)).at(-1)).toMatchObject({ name: 'Gamma', phone: '777' })

    expect(await importCustomers(await anAccount(world), FILE, '?mapping=ask')).toMatchObject({ status: 409 })
    expect(await importCustomers(request, 'Fantasy,Wire\nDelta,1\n', '?mapping=ask')).toMatchObject({ status: 409 })
    expect(await importContracts(request, FILE, '?mapping=ask')).toMatchObject({ status: 409 })
  })

  test('are looked for on the line that somebody has chosen, which is asked about in any case', async () => {
    const request = await anAccount(world)
    const file = 'Name,Phone\nexport of,2026\nCompany,Tel\nAcme,555\n'
    const wrong = await importCustomers(request, file)
    expect(wrong).toMatchObject({ status: 200, body: { created: 3 } })
    await call(server, { method: 'DELETE', url: `/imports/${wrong.body.importId}`, headers: bearer(request) })
    const asked = await importCustomers(request, file, '?mapping=ask&headingLine=3')
    expect(asked).toMatchObject({
      status: 409,
      body: {
        question: {
          columns: {
            line: 3,
            lines: [
              { line: 1, text: 'Name · Phone' },
              { line: 2, text: 'export of · 2026' },
              { line: 3, text: 'Company · Tel' },
              { line: 4, text: 'Acme · 555' },
            ],
            found: [
              { heading: 'Company', samples: ['Acme'], field: 'name' },
              { heading: 'Tel', samples: ['555'], field: 'phone' },
            ],
          },
        },
      },
    })
    const answer = await importCustomers(request, file, `${query({ name: 1, phone: 2 })}&headingLine=3`)
    expect(answer).toMatchObject({ status: 200, body: { created: 1 } })
    expect(await customersOf(request)).toMatchObject([{ name: 'Acme', phone: '555' }])
    expect(await importCustomers(request, `${file}Beta,556\n`, '?mapping=ask')).toMatchObject({ body: { created: 2 } })
  })

  test('give way to known ones that are complete and stand above them, which is asked about', async () => {
    const request = await anAccount(world)
    await importCustomers(request, 'Fantasy,Wire\nAcme,555\n', query({ name: 1, phone: 2 }))
    const file = 'Name,Phone\nFantasy,Wire\nDelta,557\n'
    expect(await importCustomers(request, file)).toMatchObject({ status: 200, body: { created: 2 } })
    expect((await customersOf(request)).slice(-2)).toMatchObject([
      { name: 'Fantasy', phone: 'Wire' },
      { name: 'Delta' },
    ])
    expect(await importCustomers(request, file, '?mapping=ask&again=true')).toMatchObject({
      status: 409,
      body: { question: { parameter: 'mapping', columns: { line: 1 } } },
    })
  })

  test.each([
    ['Name,Phone\nexport of,2026\nCompany,Tel\nAcme,555\n', 1],
    ['Name:,Contoso\nCompany,Tel\nAcme,555\n', 2],
    ['Name:\nFantasy,Wire\nAcme,555\n', 1],
    ['Customers\nName,\nFantasy,Wire\nAcme,555\n', 2],
  ])('are asked about where more than one line may have them: %j', async (file, line) => {
    const request = await anAccount(world)
    const asked = await importCustomers(request, file, '?mapping=ask')
    expect(asked).toMatchObject({
      status: 409,
      body: { error: 'Check what each column contains', question: { parameter: 'mapping', columns: { line } } },
    })
    expect(await customersOf(request)).toEqual([])
    expect(await importCustomers(request, file)).toMatchObject({ status: 200 })
  })

  test.each([
    ',Name,Phone\n1,Acme,555\n2,Beta,556\n',
    'Customers of 2026\nName,Phone\nAcme,555\n',
    'Name,Phone\nAcme,555,more\n',
  ])('are not asked about where one line alone has them: %j', async (file) => {
    const answer = await importCustomers(await anAccount(world), file, '?mapping=ask')
    expect(answer).toMatchObject({ status: 200 })
  })

  test.each([
    ['2', 'The headings must be on one of the first 10 lines that are not blank'],
    ['0', 'Must be between 1 and 2147483647'],
    ['two', 'Must be a number'],
  ])('are not looked for on line %s', async (line, error) => {
    const answer = await importCustomers(await anAccount(world), 'Name\n\nAcme\n', `?headingLine=${line}`)
    expect([400, 422]).toContain(answer.status)
    expect(answer.body.error).toBe(error)
  })

  test('and their choice are listed, until somebody forgets them', async () => {
    const request = await anAccount(world)
    const headers = bearer(request)
    await importCustomers(request, FILE, query({ name: 1, phone: 2 }))
    const { body } = await call(server, { url: '/imports/mappings', headers })
    expect(body).toEqual([
      {
        kind: 'customers',
        key: expect.stringMatching(/^[0-9a-f]{64}$/),
        updatedAt: expect.any(String),
        columns: expect.arrayContaining([
          { field: 'name', label: 'Name', heading: 'Fantasy' },
          { field: 'phone', label: 'Phone', heading: 'Wire' },
          { field: 'address', label: 'Address', heading: null },
        ]),
      },
    ])
    const url = `/imports/mappings/customers/${body[0].key}`
    expect(await call(server, { method: 'DELETE', url, headers })).toMatchObject({ status: 204 })
    expect(await call(server, { url: '/imports/mappings', headers })).toMatchObject({ body: [] })
    expect(await importCustomers(request, `${FILE}Gamma,1,z\n`, '?mapping=ask')).toMatchObject({ status: 409 })
    expect(await call(server, { method: 'DELETE', url, headers })).toMatchObject({
      status: 404,
      body: { error: 'Saved columns not found' },
    })
  })

  test('are remembered for the file of failed rows as well', async () => {
    const request = await anAccount(world)
    const sent = await importCustomers(
      request,
      'Fantasy,Post\nAcme,none\nBeta,\n',
      query({ name: 'fantasy', email: 'POST' }),
    )
    expect(sent).toMatchObject({ status: 200, body: { created: 1, failed: 1 } })
    const url = `/imports/${sent.body.importId}/errors.csv`
    const errors = await server.app.inject({ url, headers: bearer(request) })
    const mended = errors.body.replace(',none', ',ann@example.com')
    expect(await importCustomers(request, mended, '?mapping=ask')).toMatchObject({ status: 200, body: { created: 1 } })
  })

  test('are asked about again after the import was undone, or brought no row', async () => {
    const request = await anAccount(world)
    const file = 'Fantasy,Wire\nAcme,5\n'
    const { body } = await importCustomers(request, file, query({ name: 1 }))
    await call(server, { method: 'DELETE', url: `/imports/${body.importId}`, headers: bearer(request) })
    expect(await importCustomers(request, file, '?mapping=ask')).toMatchObject({ status: 409 })
    const wrong = await importCustomers(request, file, query({ name: 2, email: 1 }))
    expect(wrong).toMatchObject({ status: 200, body: { created: 0, failed: 1 } })
    expect(await importCustomers(request, file, '?mapping=ask&again=true')).toMatchObject({ status: 409 })
  })

  test('can be mapped by heading in part: the others are found by their headings', async () => {
    const request = await anAccount(world)
    const file = 'Company,Contact,Phone\nAcme,Ann,555\n'
    const answer = await importCustomers(request, file, query({ name: 'Contact' }))
    expect(answer).toMatchObject({ status: 200, body: { created: 1, ignoredColumns: ['Company'] } })
    expect(await customersOf(request)).toMatchObject([{ name: 'Ann', phone: '555' }])
  })

  test('that leave required fields open are a question only where that is asked for', async () => {
    const request = await anAccount(world)
    const file = 'Betrag,Foo\n1,x\n'
    expect(await importContracts(request, file)).toMatchObject({
      status: 422,
      body: { missing: ['Customer (or Customer Number)', 'Start Date', 'Renewal Cycle', 'Renewal Date'] },
    })
    const { body } = await importContracts(request, file, '?mapping=ask')
    expect(body.question.columns.found).toMatchObject([{ field: 'amount' }, { field: null }])
    expect(body.question.columns.needed[0]).toEqual({
      label: 'Customer (or Customer Number)',
      fields: ['customerName', 'customerNumber', 'customerId'],
    })
  })

  test('of columns without values, of an export, and of what is not imported are not asked about', async () => {
    const request = await anAccount(world)
    expect(await importCustomers(request, 'Name,Notes\nAcme,\n', '?mapping=ask')).toMatchObject({ status: 200 })
    const head = `ID,Contract,PDF,${CONTRACT_HEAD}`
    const file = `${head}\n1,Cleaning,yes,K-1,5,2026-01-01,monthly,2027-01-01,active\n`
    expect(await importContracts(request, file, '?mapping=ask')).toMatchObject({ status: 200 })
  })

  test.each([
    [{ name: 'Nothing' }, 422, 'The file has no column Nothing'],
    [{ name: 9 }, 422, 'The file has no column 9'],
    [{ name: 1, phone: 'fantasy' }, 422, 'The column fantasy is mapped to more than one field'],
    [{ phone: 1 }, 422, 'One of the first ten lines must contain the column headings. These are missing: Name'],
    [{ amount: 1 }, 400, /^Must be ask, or JSON of fields/],
    [{ name: 0 }, 400, /^Must be ask, or JSON of fields/],
  ])('mapped as %j answer %d', async (mapping, status, error) => {
    const request = await anAccount(world)
    const answer = await importCustomers(request, 'Fantasy,Wire\nAcme,5\n', query(mapping))
    expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(error) } })
    expect(await customersOf(request)).toEqual([])
  })

  test.each(['{"name"', '[]', 'all'])('mapped as %s are refused', async (mapping) => {
    const answer = await importCustomers(
      await anAccount(world),
      'Fantasy\nA\n',
      `?mapping=${encodeURIComponent(mapping)}`,
    )
    expect(answer).toMatchObject({ status: 400, body: { fields: { mapping: expect.stringContaining('JSON') } } })
  })
})

describe('rows that repeat earlier ones', () => {
  const CUSTOMERS = 'Name,Phone,Notes\nAcme,555,a\nBeta,,b\n Acme ,555,c\nAcme,556,d\nAcme,555,e\n'

  test('are asked about, before anything is written', async () => {
    const request = await anAccount(world)
    expect(await importCustomers(request, CUSTOMERS, '?duplicates=ask')).toMatchObject({
      status: 409,
      body: {
        error: 'Some rows of this file are repeated. Import each of them once, or every time?',
        question: {
          parameter: 'duplicates',
          choices: [{ value: 'once' }, { value: 'all' }],
          repeated: {
            rows: 2,
            first: [
              { line: 4, earlierLine: 2, text: 'Acme, 555' },
              { line: 6, earlierLine: 2, text: 'Acme, 555' },
            ],
          },
        },
      },
    })
    expect(await customersOf(request)).toEqual([])
  })

  test.each([
    ['?duplicates=once', { created: 3, failed: 0, repeated: 2 }],
    ['?duplicates=all', { created: 5, failed: 0, repeated: 0 }],
    ['', { created: 5, failed: 0, repeated: 0 }],
  ])('with "%s" are imported so often', async (answer, outcome) => {
    const request = await anAccount(world)
    expect(await importCustomers(request, CUSTOMERS, answer)).toMatchObject({ status: 200, body: outcome })
    expect(await customersOf(request)).toHaveLength(outcome.created)
  })

  test('of contracts are left out as well, and count as no rows of the import', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { customerNumber: 'K-1' })
    const row = 'K-1,5.00,2026-01-01,monthly,2027-01-01,active'
    const file = [CONTRACT_HEAD, row, row, row.replace('5.00', '6.00')].join('\n')
    const { body } = await importContracts(request, file, '?duplicates=once')
    expect(body).toMatchObject({ created: 2, repeated: 1 })
    const record = await call(server, { method: 'GET', url: `/imports/${body.importId}`, headers: bearer(request) })
    expect(record.body).toMatchObject({ rows: 2, created: 2, failed: 0, throughLine: 4 })
  })

  test('do not stop a file without any', async () => {
    const request = await anAccount(world)
    expect(await importCustomers(request, 'Name\nA\nB\n', '?duplicates=ask')).toMatchObject({ status: 200 })
  })

  test('are found in a file that is read in a thread as well', async () => {
    const request = await anAccount(world)
    // Few rows, of more than 2 MB.
    const names = Array.from({ length: 30 }, (_, index) => `Customer ${index % 29}${' '.repeat(80_000)}`)
    const answer = await importCustomers(request, `Name\n${names.join('\n')}\n`, '?duplicates=once&mapping=ask')
    expect(answer).toMatchObject({ status: 200, body: { created: 29, repeated: 1 } })
  })
})
