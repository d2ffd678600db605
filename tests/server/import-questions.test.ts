import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { bearer, call, useApp } from '#support/app.ts'
import { CONTRACT_HEAD, contractsOf, customersOf, useImports } from '#support/imports.ts'
import { upload } from '#support/upload.ts'
import { aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const { importCustomers, importContracts } = useImports(server)

describe('questions', () => {
  const row = (start: string, amount = '5.00') => `C-1,"${amount}",${start},monthly,2027-01-01,active`
  const file = (...rows: string[]) => [CONTRACT_HEAD, ...rows].join('\n')

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
        error: 'Amounts such as 1,234 can be read in two ways. Is the decimal separator a period or a comma?',
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

describe('what cannot be imported is refused in words', () => {
  test.each([
    ['a PDF', '%PDF-1.7', 422, 'This file cannot be read as a CSV or Excel file'],
    ['an open quotation mark', 'Name\nA\n"B\n', 422, 'on line 3 is missing a closing quotation mark'],
    ['no rows', 'Name,Phone\n', 422, 'The file has no rows'],
    ['nothing', '', 422, 'The file has no rows'],
    ['other columns', 'Foo,Bar\n1,2\n', 422, 'These are missing: Name'],
  ])('%s', async (_what, content, status, text) => {
    const answer = await importCustomers(await anAccount(world), content)
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(text) } })
  })

  test('missing columns are named, beside the headings that were found', async () => {
    const { body } = await importContracts(await anAccount(world), 'Customer,Amount,Foo\nA,1,2\n')
    expect(body).toMatchObject({
      error:
        'One of the first ten lines must contain the column headings. These are missing: Start Date, Renewal Cycle, Renewal Date',
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

  const csv = 'Content-Type: text/csv\r\n\r\nName\nA\n'
  const file = `Content-Disposition: form-data; name="file"; filename="a.csv"\r\n${csv}`
  const second = `Content-Disposition: form-data; name="file"; filename="b.csv"\r\n${csv}`
  const note = 'Content-Disposition: form-data; name="note"\r\n\r\nsigned'
  const heading = `X-Long: ${'x'.repeat(100_000)}\r\n`
  const UNREADABLE = 'The upload could not be read'

  test.each([
    ['two files', [file, second], 'Send one file, in the field "file"'],
    [
      'a file and one of another field',
      [file, second.replace('"file"', '"more"')],
      'Send one file, in the field "file"',
    ],
    ['500 fields behind the file', [file, ...Array.from({ length: 500 }, () => note)], UNREADABLE],
    ['500 fields before the file', [...Array.from({ length: 500 }, () => note), file], UNREADABLE],
    ['headings of 100 kB', [file.replace('Content-Type', `${heading}Content-Type`)], UNREADABLE],
    ['fields of 100 kB', [file, note + 'x'.repeat(100_000)], UNREADABLE],
  ])('%s are refused, and nothing is imported', async (_what, parts, error) => {
    const request = await anAccount(world)
    const payload = `${parts.map((part) => `--mark\r\n${part}\r\n`).join('')}--mark--\r\n`
    const headers = {
      ...bearer(request),
      'content-type': 'multipart/form-data; boundary=mark',
      'content-length': String(payload.length),
    }
    const answer = await call(server, { method: 'POST', url: '/customers/bulk-upload', headers, payload })
    expect(answer).toMatchObject({ status: 400, body: { error } })
    expect(await customersOf(request)).toEqual([])
  })

  test('other fields of its form are ignored', async () => {
    const request = await anAccount(world)
    const payload = `${[note, file, note].map((part) => `--mark\r\n${part}\r\n`).join('')}--mark--\r\n`
    const headers = { ...bearer(request), 'content-type': 'multipart/form-data; boundary=mark' }
    const answer = await call(server, { method: 'POST', url: '/customers/bulk-upload', headers, payload })
    expect(answer).toMatchObject({ status: 200, body: { created: 1 } })
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
    // Its own: other test files store uploads in the same folder at the same time.
    const folder = mkdtempSync(join(tmpdir(), 'traxx-refused-'))
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => {
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true })
    })
    await importCustomers(request, '%PDF-1.7')
    expect((await call(server, { url: '/imports', headers: bearer(request) })).body).toEqual([])
    expect(readdirSync(folder)).toEqual([])
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

  test('an import is not undone without a subscription', async () => {
    const headers = bearer(await anAccount(world, { status: 'unpaid' }))
    expect(await call(server, { method: 'DELETE', url: '/imports/1', headers })).toMatchObject({ status: 402 })
    expect(await call(server, { url: '/imports', headers })).toMatchObject({ status: 200, body: [] })
  })

  test('nobody without a token', async () => {
    expect(await call(server, { method: 'POST', url: '/customers/bulk-upload' })).toMatchObject({ status: 401 })
    expect(await call(server, { url: '/imports' })).toMatchObject({ status: 401 })
  })
})
