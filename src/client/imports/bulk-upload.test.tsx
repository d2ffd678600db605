import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { Outputs as Calls } from '#client/api/trpc.ts'
import { anImport, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { uploadServer } from '#support/upload-server.ts'
import { BulkActions } from './bulk-actions.tsx'

type Import = Calls['imports']['get']
type Imports = NonNullable<FakeAnswers['imports']>

const DONE = {
  importId: 5,
  created: 2,
  updated: 0,
  unchanged: 0,
  failed: 0,
  createdCustomers: 0,
  missingCustomers: 0,
  repeated: 0,
  errors: [],
  note: null,
  ignoredColumns: [],
}
const ASKING = { reminders: 'ask', mapping: 'ask', duplicates: 'ask', existing: 'ask' }
const ASKED = {
  error: 'Dates such as 03/04/2026 can be read in two ways. Which comes first, the month or the day?',
  question: {
    parameter: 'dateOrder',
    choices: [
      { value: 'mdy', label: 'Month first (MM/DD/YYYY)' },
      { value: 'dmy', label: 'Day first (DD/MM/YYYY)' },
    ],
    example: { line: 3, column: 'Start Date', value: '03/04/2026' },
  },
}
const REPEATED = {
  error: 'This file has been imported before. Import it again?',
  question: {
    parameter: 'again',
    choices: [{ value: 'true', label: 'Import it again' }],
    earlier: {
      id: 4,
      createdAt: '2026-11-20T12:00:00Z',
      created: 12,
      updated: 0,
      failed: 1,
      status: 'finished',
      throughLine: 14,
    },
  },
}

const MAILING = {
  error: 'Send emails to customers about these contracts?',
  question: {
    parameter: 'reminders',
    choices: [
      { value: 'on', label: 'Send emails' },
      { value: 'off', label: 'Do not send emails' },
    ],
    mail: {
      emails: 1200,
      customers: 71,
      isAll: true,
      first: [
        { customerName: 'Acme', day: '2026-11-23' },
        { customerName: 'Harbor Bakery', day: '2026-11-24' },
      ],
    },
  },
}

/** The header's buttons, and the dialog that opens from them. */
async function openDialog(kind: ImportKind = 'contracts', imports: Imports = {}) {
  const server = trpcServer({ imports: { list: () => aPage<Import>([]), ...imports } })
  const uploads = uploadServer()
  const shown = renderScreen(<BulkActions kind={kind} filter={{}} />)
  await shown.user.click(screen.getByRole('button', { name: 'Bulk Upload' }))
  await screen.findByRole('dialog')
  return { server, uploads, ...shown }
}

type Opened = Awaited<ReturnType<typeof openDialog>>

const aFile = (name = 'contracts.csv') => new File(['Customer,Amount'], name, { type: 'text/csv' })

async function send({ user, uploads }: Opened, file = aFile()) {
  const before = uploads.length
  await user.upload(screen.getByLabelText('File to upload'), file)
  await user.click(screen.getByRole('button', { name: 'Upload' }))
  return sent(uploads, before)
}

/** The upload that comes next. */
async function sent(uploads: Opened['uploads'], index: number) {
  await waitFor(() => expect(uploads).toHaveLength(index + 1))
  const upload = uploads[index]
  if (!upload) throw new Error('Nothing was sent')
  return upload
}

/** The answers that were sent with a file. */
const answersOf = ({ sent: { url } }: Opened['uploads'][number]) => Object.fromEntries(url.searchParams)

test('the header offers the template, the upload and the export', () => {
  trpcServer({})
  renderScreen(<BulkActions kind="customers" filter={{}} />)
  for (const name of ['Download Template', 'Bulk Upload', 'Export CSV']) {
    expect(screen.getByRole('button', { name })).toBeVisible()
  }
})

test.each([
  ['customers', 'Download Template', '/customers/bulk-template'],
  ['contracts', 'Export CSV', '/contracts/export.csv?status=active&direction=asc'],
] as const)('of %s "%s" asks for %s and says what was saved', async (kind, name, address) => {
  const fetched = vi.fn<(path: string) => Promise<Response>>(
    async () => new Response('a,b', { headers: { 'content-disposition': 'attachment; filename="saved.csv"' } }),
  )
  vi.stubGlobal('fetch', fetched)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const filter = { status: 'active', search: undefined, direction: 'asc' }
  const { user } = renderScreen(<BulkActions kind={kind} filter={filter} />)
  await user.click(screen.getByRole('button', { name }))
  expect(await screen.findByRole('status')).toHaveTextContent('Downloaded saved.csv')
  expect(fetched.mock.calls[0]?.[0]).toBe(address)
})

test.each([
  ['Download Template', 'Failed to download template'],
  ['Export CSV', 'Failed to export contracts'],
])('where "%s" fails the page says so', async (name, text) => {
  vi.stubGlobal('fetch', async () => new Response('{"error":"Something went wrong"}', { status: 500 }))
  const { user } = renderScreen(<BulkActions kind="contracts" filter={{}} />)
  await user.click(screen.getByRole('button', { name }))
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
})

test('in the menu of a small screen the same can be done', async () => {
  trpcServer({})
  const { user } = renderScreen(<BulkActions kind="contracts" filter={{}} />)
  await user.click(screen.getByRole('button', { name: 'More actions', hidden: true }))
  await user.click(await screen.findByRole('menuitem', { name: 'Bulk Upload', hidden: true }))
  expect(await screen.findByRole('dialog', { name: 'Bulk Upload Contracts' })).toBeVisible()
})

test('only a CSV or Excel file is sent', async () => {
  const { user, uploads } = await openDialog()
  const refusal = 'Please select a CSV file or an Excel file (.xlsx)'
  await user.click(screen.getByRole('button', { name: 'Upload' }))
  expect(screen.getByRole('alert')).toHaveTextContent(refusal)
  const field = screen.getByLabelText('File to upload')
  await user.upload(field, aFile('contracts.xlsx'))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  field.removeAttribute('accept')
  await user.upload(field, aFile('contracts.pdf'))
  expect(screen.getByRole('alert')).toHaveTextContent(refusal)
  await user.click(screen.getByRole('button', { name: 'Upload' }))
  expect(uploads).toEqual([])
})

test('a file is sent, its progress shown, and the rows counted', async () => {
  const opened = await openDialog('contracts', {
    list: () => aPage([anImport({ status: 'running', created: 1500, failed: 500, rows: 10_000 })]),
  })
  await opened.user.click(screen.getByRole('checkbox', { name: 'Create missing customers' }))
  const upload = await send(opened)
  expect(upload.sent.url.pathname + upload.sent.url.search).toBe(
    '/contracts/bulk-upload?mapping=ask&duplicates=ask&existing=ask&reminders=ask&createCustomers=true',
  )
  upload.progress(40, 100)
  const bar = await screen.findByRole('progressbar', { name: 'Uploading the file...' })
  await waitFor(() => expect(bar).toHaveAttribute('aria-valuenow', '40'))
  upload.progress(100, 100)
  expect(await screen.findByText('2,000 of 10,000 rows')).toBeVisible()
  expect(screen.getByText(/The import will continue/)).toBeVisible()
  expect(screen.getByRole('progressbar', { name: 'Importing rows...' })).toHaveAttribute('aria-valuenow', '20')
  upload.answer(200, { ...DONE, createdCustomers: 1, ignoredColumns: ['Notes'] })
  expect(await screen.findByText('Bulk upload complete: 2 created, 0 failed.')).toBeVisible()
  expect(screen.getByText('Also created 1 customer.')).toBeVisible()
  expect(screen.getByText('Columns not imported: Notes')).toBeVisible()
})

test('customers are not asked whether missing ones shall be created', async () => {
  const opened = await openDialog('customers')
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument()
  const upload = await send(opened)
  expect(upload.sent.url.pathname + upload.sent.url.search).toBe('/customers/bulk-upload?mapping=ask&duplicates=ask')
})

test('what is being sent can be stopped, and the file stays chosen', async () => {
  const opened = await openDialog()
  const upload = await send(opened)
  upload.progress(40, 100)
  const stopped = vi.spyOn(upload, 'abort')
  await opened.user.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(stopped).toHaveBeenCalledOnce()
  expect(await screen.findByText('contracts.csv')).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('the question after an interrupted import says how far it got', async () => {
  const opened = await openDialog()
  const earlier = { ...REPEATED.question.earlier, status: 'interrupted', throughLine: 2001 }
  const first = await send(opened)
  first.answer(409, { ...REPEATED, question: { ...REPEATED.question, earlier } })
  expect(await screen.findByText(/Rows up to line 2,001 were imported, the rest were not\./)).toBeVisible()
})

test('an ambiguous date is asked about with its example, and the answer sends the file again', async () => {
  const opened = await openDialog()
  const first = await send(opened)
  first.answer(409, ASKED)
  const choices = within(await screen.findByRole('group', { name: ASKED.error }))
  expect(screen.getByText('For example on line 3, in the column "Start Date": 03/04/2026')).toBeVisible()
  await opened.user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(screen.getByRole('alert')).toHaveTextContent('Please choose one')
  await opened.user.click(choices.getByRole('radio', { name: 'Day first (DD/MM/YYYY)' }))
  await opened.user.click(screen.getByRole('button', { name: 'Continue' }))
  const second = await sent(opened.uploads, 1)
  expect(answersOf(second)).toEqual({ ...ASKING, dateOrder: 'dmy' })
  second.answer(409, REPEATED)
  expect(await screen.findByText(REPEATED.error)).toBeVisible()
  expect(screen.getByText(/^Imported on Nov 20, 2026, .*: 12 rows created, 1 failed\.$/)).toBeVisible()
  await opened.user.click(screen.getByRole('button', { name: 'Import it again' }))
  expect(answersOf(await sent(opened.uploads, 2))).toEqual({ ...ASKING, dateOrder: 'dmy', again: 'true' })
})

const REPEATS = {
  error: 'Some rows of this file are repeated. Import each of them once, or every time?',
  question: {
    parameter: 'duplicates',
    choices: [
      { value: 'once', label: 'Import each row once' },
      { value: 'all', label: 'Import every row' },
    ],
    repeated: { rows: 3, first: [{ line: 5, earlierLine: 2, text: 'Acme, 555' }] },
  },
}

test('repeated rows are shown and asked about, and the result counts those left out', async () => {
  const opened = await openDialog('customers')
  const first = await send(opened)
  expect(answersOf(first)).toEqual({ mapping: 'ask', duplicates: 'ask' })
  first.answer(409, REPEATS)
  const choices = within(await screen.findByRole('group', { name: REPEATS.error }))
  expect(screen.getByText('3 rows are the same as an earlier row:')).toBeVisible()
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Line 5, same as line 2: Acme, 555',
    'and 2 more',
  ])
  await opened.user.click(choices.getByRole('radio', { name: 'Import each row once' }))
  await opened.user.click(screen.getByRole('button', { name: 'Continue' }))
  const second = await sent(opened.uploads, 1)
  expect(answersOf(second)).toEqual({ mapping: 'ask', duplicates: 'once' })
  second.answer(200, { ...DONE, repeated: 3 })
  expect(await screen.findByText('3 repeated rows were left out.')).toBeVisible()
})

const COLUMNS = {
  error: 'Check what each column contains',
  question: {
    parameter: 'mapping',
    choices: [],
    columns: {
      line: 2,
      lines: [
        { line: 2, text: 'Fantasy · Phone' },
        { line: 3, text: 'Acme · 555' },
      ],
      found: [
        { number: 1, heading: 'Fantasy', samples: ['Acme', 'Beta'], field: null },
        { number: 2, heading: 'Phone', samples: ['555'], field: 'phone' },
        { number: 4, heading: '', samples: [], field: null },
      ],
      fields: [
        { field: 'name', label: 'Name' },
        { field: 'phone', label: 'Phone' },
      ],
      needed: [{ label: 'Name', fields: ['name'] }],
      enough: null,
    },
  },
}

const column = (name: string) => screen.getByRole('combobox', { name: `What ${name} contains` })

test('columns are mapped one by one, with their first values, and sent with the file', async () => {
  const opened = await openDialog('customers')
  const first = await send(opened)
  first.answer(409, COLUMNS)
  expect(await screen.findByText(COLUMNS.error)).toBeVisible()
  expect(screen.getByText('Acme · Beta')).toBeVisible()
  expect(column('Phone')).toHaveDisplayValue('Phone')
  expect(column('Column 4')).toHaveDisplayValue('Do not import')
  expect(screen.getByRole('status')).toHaveTextContent('Still needed: Name')
  await opened.user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(opened.uploads).toHaveLength(1)
  expect(screen.getByRole('alert')).toHaveTextContent('Still needed: Name')

  await opened.user.selectOptions(column('Fantasy'), 'Phone')
  expect(column('Phone')).toHaveDisplayValue('Do not import')
  await opened.user.selectOptions(column('Fantasy'), 'Name')
  expect(screen.queryByText(/Still needed/)).not.toBeInTheDocument()
  await opened.user.click(screen.getByRole('button', { name: 'Continue' }))
  const second = await sent(opened.uploads, 1)
  expect(answersOf(second)).toEqual({ mapping: '{"name":1,"phone":null}', duplicates: 'ask' })
  second.answer(200, DONE)
  expect(await screen.findByText('Bulk upload complete: 2 created, 0 failed.')).toBeVisible()
})

test('what is still needed is said above the buttons, and announced each time that Continue is pressed', async () => {
  const opened = await openDialog('customers')
  const first = await send(opened)
  first.answer(409, COLUMNS)
  const proceed = await screen.findByRole('button', { name: 'Continue' })
  await opened.user.click(proceed)
  const alert = screen.getByRole('alert')
  expect(alert.compareDocumentPosition(proceed)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await opened.user.click(proceed)
  expect(screen.getByRole('alert')).not.toBe(alert)
  expect(screen.getByRole('alert')).toHaveTextContent('Still needed: Name')
})

const EXISTING = {
  error: 'Some rows have the reference of a contract you already have. Update these contracts?',
  question: {
    parameter: 'existing',
    choices: [
      { value: 'update', label: 'Update these contracts' },
      { value: 'add', label: 'Add them as new contracts' },
      { value: 'skip', label: 'Leave these rows out' },
    ],
    existing: {
      rows: 37,
      changed: 35,
      amountBefore: 12_000,
      amount: 13_500.5,
      failing: 1,
      fields: [
        { field: 'amount', contracts: 30 },
        { field: 'renewalDate', contracts: 5 },
      ],
      first: [
        {
          line: 3,
          reference: 'A-1',
          customerName: 'Acme',
          changes: [
            { field: 'amount', before: 100, after: 120 },
            { field: 'renewalDate', before: '2026-12-01', after: '2027-01-01' },
          ],
        },
      ],
    },
  },
}

test('contracts with the same reference are shown with what would change, and the result counts those updated', async () => {
  const opened = await openDialog()
  const first = await send(opened)
  first.answer(409, EXISTING)
  const choices = within(await screen.findByRole('group', { name: EXISTING.error }))
  expect(
    screen.getByText(
      '37 rows match. Updating changes 35 contracts: amount (30), renewal date (5). Their amounts go from $12,000.00 to $13,500.50 in total.',
    ),
  ).toBeVisible()
  expect(screen.getByText('1 row cannot update a contract and will fail. The result will say why.')).toBeVisible()
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Line 3, A-1 for Acme: Amount: $100.00 to $120.00; Renewal date: Dec 1, 2026 to Jan 1, 2027',
    'and 34 more',
  ])
  await opened.user.click(choices.getByRole('radio', { name: 'Update these contracts' }))
  await opened.user.click(screen.getByRole('button', { name: 'Continue' }))
  const second = await sent(opened.uploads, 1)
  expect(answersOf(second)).toEqual({ ...ASKING, existing: 'update' })
  second.answer(200, { ...DONE, created: 12, updated: 35, unchanged: 1, failed: 1, errors: [] })
  expect(await screen.findByText(/Bulk upload complete: 12 created, 35 updated, 1 failed\./)).toBeVisible()
  expect(screen.getByText('1 contract you already have stayed as it was.')).toBeVisible()
  await opened.user.click(screen.getByRole('button', { name: 'Undo Import' }))
  const text = 'Remove the 12 contracts imported from contracts.csv and put back the 35 contracts it changed?'
  expect(await screen.findByText(text)).toBeVisible()
})

test('a file that can only update contracts offers nothing else', async () => {
  const opened = await openDialog()
  const [update] = EXISTING.question.choices
  const existing = { ...EXISTING.question.existing, rows: 1, changed: 0, failing: 0, fields: [], first: [] }
  const first = await send(opened)
  first.answer(409, { ...EXISTING, question: { ...EXISTING.question, choices: [update], existing } })
  await opened.user.click(await screen.findByRole('button', { name: 'Update these contracts' }))
  expect(answersOf(await sent(opened.uploads, 1))).toEqual({ ...ASKING, existing: 'update' })
})

test('with a reference, the columns of a new contract are not needed', async () => {
  const opened = await openDialog()
  const found = [{ number: 1, heading: 'Wire', samples: ['A-1'], field: null }]
  const columns = {
    ...COLUMNS.question.columns,
    found,
    fields: [{ field: 'reference', label: 'Reference' }],
    needed: [{ label: 'Amount', fields: ['amount'] }],
    enough: 'reference',
  }
  const first = await send(opened)
  first.answer(409, { ...COLUMNS, question: { ...COLUMNS.question, columns } })
  expect(await screen.findByText('Still needed: Amount')).toBeVisible()
  await opened.user.selectOptions(column('Wire'), 'Reference')
  expect(screen.getByText('Without Amount, rows can only update contracts you have')).toBeVisible()
  await opened.user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(answersOf(await sent(opened.uploads, 1))).toEqual({ ...ASKING, mapping: '{"reference":1}' })
})

test('missing customers are created, and the same file is imported again, by one press', async () => {
  const opened = await openDialog()
  const first = await send(opened)
  const errors = [{ line: 2, column: 'Customer', value: 'Acme', reason: 'No such customer' }]
  first.answer(200, { ...DONE, created: 0, failed: 2, missingCustomers: 2, errors })
  expect(await screen.findByText("2 rows name customers you don't have yet.")).toBeVisible()
  expect(screen.getByText(/0 created, 2 failed\. Some rows failed\. Nothing was imported\.$/)).toBeVisible()
  await opened.user.click(screen.getByRole('button', { name: 'Create Missing Customers and Import Again' }))
  const second = await sent(opened.uploads, 1)
  expect(answersOf(second)).toEqual({ ...ASKING, createCustomers: 'true', retryOf: '5' })
  second.answer(200, { ...DONE, createdCustomers: 2 })
  expect(await screen.findByText('Also created 2 customers.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /Create Missing/ })).not.toBeInTheDocument()
  expect(screen.queryByText(/Nothing was imported/)).not.toBeInTheDocument()
})

const READ = 'Read Headings from This Line'

test('another line can have the headings: its columns are asked about, and it is sent with the choices', async () => {
  const opened = await openDialog('customers')
  const first = await send(opened)
  first.answer(409, COLUMNS)
  const line = await screen.findByRole('combobox', { name: 'Line with the headings' })
  expect(line).toHaveDisplayValue('2: Fantasy · Phone')
  expect(screen.queryByRole('button', { name: READ })).not.toBeInTheDocument()
  await opened.user.selectOptions(column('Fantasy'), 'Name')
  await opened.user.selectOptions(line, '3: Acme · 555')
  expect(column('Fantasy')).toHaveDisplayValue('Name')
  await opened.user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(screen.getByRole('alert')).toHaveTextContent('Read the headings from line 3 first')
  expect(opened.uploads).toHaveLength(1)
  await opened.user.click(screen.getByRole('button', { name: READ }))
  const second = await sent(opened.uploads, 1)
  expect(answersOf(second)).toEqual({ mapping: 'ask', duplicates: 'ask', headingLine: '3' })
  const { columns } = COLUMNS.question
  const found = [{ number: 1, heading: 'Acme', samples: ['Beta'], field: 'name' }]
  second.answer(409, { ...COLUMNS, question: { ...COLUMNS.question, columns: { ...columns, line: 3, found } } })
  expect(await screen.findByText('Check what each column contains')).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Line with the headings' })).toHaveDisplayValue('3: Acme · 555')
  await opened.user.click(screen.getByRole('button', { name: 'Continue' }))
  const third = await sent(opened.uploads, 2)
  expect(answersOf(third)).toEqual({ mapping: '{"name":1,"phone":null}', duplicates: 'ask', headingLine: '3' })
})

test('saved columns of this kind are listed and can be forgotten', async () => {
  const column = { field: 'name', label: 'Name', heading: 'Betrieb' }
  const row = { columns: [column, { field: 'phone', label: 'Phone', heading: null }], updatedAt: new Date() }
  const kept = [
    { ...row, kind: 'customers', key: 'a' },
    { ...row, kind: 'contracts', key: 'b', columns: [{ ...column, heading: 'Kunde' }] },
  ] as const
  let mappings: Calls['imports']['mappings'] = kept.map((mapping) => ({ ...mapping, columns: [...mapping.columns] }))
  let isFailing = true
  const removeMapping = vi.fn(({ key }: { key: string }) => {
    if (isFailing) throw new AppError('FAULT')
    mappings = mappings.filter((mapping) => mapping.key !== key)
  })
  const { user } = await openDialog('customers', { mappings: () => mappings, removeMapping })
  await user.click(screen.getByRole('tab', { name: 'Saved columns' }))
  const list = within(await screen.findByRole('list', { name: 'Saved columns' }))
  expect(list.getAllByRole('listitem')).toHaveLength(1)
  expect(list.getByText(/is Name/)).toHaveTextContent('Betrieb is Name')
  const forget = list.getByRole('button', { name: 'Forget Betrieb' })
  await user.click(forget)
  expect(await screen.findByText('Failed to forget the columns')).toBeVisible()
  expect(forget).toHaveFocus()
  isFailing = false
  await user.click(forget)
  expect(await screen.findByText('No saved columns')).toBeVisible()
  expect(document.body).not.toHaveFocus()
  expect(removeMapping).toHaveBeenLastCalledWith({ kind: 'customers', key: 'a' })
  expect(screen.getByText(/^Columns forgotten/)).toBeVisible()
})

test.each([
  ['Send emails', 'on', 'Customers will get emails about these renewal dates.'],
  ['Do not send emails', 'off', 'Customers will not get emails about these renewal dates.'],
])('what customers will be sent is shown before anything is imported: "%s"', async (label, reminders, text) => {
  const opened = await openDialog()
  const first = await send(opened)
  first.answer(409, MAILING)
  const choices = within(await screen.findByRole('group', { name: MAILING.error }))
  expect(screen.getByText('1,200 emails to 71 customers in the next 90 days:')).toBeVisible()
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Acme, on Nov 23, 2026',
    'Harbor Bakery, on Nov 24, 2026',
    'and 1,198 more',
  ])
  await opened.user.click(choices.getByRole('radio', { name: label }))
  await opened.user.click(screen.getByRole('button', { name: 'Import' }))
  const second = await sent(opened.uploads, 1)
  expect(answersOf(second)).toEqual({ ...ASKING, reminders })
  second.answer(200, DONE)
  expect(await screen.findByText(text)).toBeVisible()
})

test('of a file whose contracts are too many to count, the least is told', async () => {
  const opened = await openDialog()
  const mail = { emails: 2, customers: 1, isAll: false, first: MAILING.question.mail.first }
  const upload = await send(opened)
  upload.answer(409, { ...MAILING, question: { ...MAILING.question, mail } })
  const text = 'At least 2 emails to at least 1 customer in the next 90 days:'
  expect(await screen.findByText(text)).toBeVisible()
  expect(screen.queryByText(/^and .* more$/)).not.toBeInTheDocument()
})

test('where nothing was asked about emails, the result says nothing of them', async () => {
  const opened = await openDialog()
  const upload = await send(opened)
  upload.answer(200, DONE)
  await screen.findByText('Bulk upload complete: 2 created, 0 failed.')
  expect(screen.queryByText(/emails/)).not.toBeInTheDocument()
})

test('a question that comes while the dialog is closed is told on the page, and waits in the dialog', async () => {
  const opened = await openDialog()
  const upload = await send(opened)
  upload.progress(100, 100)
  await opened.user.click((await screen.findAllByRole('button', { name: 'Close' }))[0] ?? document.body)
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  upload.answer(409, MAILING)
  const text = `Your bulk upload has a question: ${MAILING.error}`
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  await opened.user.click(screen.getByRole('button', { name: 'Answer' }))
  expect(await screen.findByRole('group', { name: MAILING.error })).toBeVisible()
})

test('a question can be left unanswered', async () => {
  const opened = await openDialog()
  const upload = await send(opened)
  upload.answer(409, REPEATED)
  await screen.findByText(REPEATED.error)
  await opened.user.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('contracts.csv')).toBeVisible()
  expect(opened.uploads).toHaveLength(1)
})

test('failed rows are shown with line, column, value and reason, and how many more there are', async () => {
  const opened = await openDialog()
  const errors = Array.from({ length: 12 }, (_, index) => ({
    line: index + 2,
    column: 'Amount',
    value: `minus ${index}`,
    reason: 'Must be an amount',
  }))
  const upload = await send(opened)
  upload.answer(200, { ...DONE, created: 1, failed: 1512, errors })
  const text = 'Bulk upload complete: 1 created, 1,512 failed. Some rows failed.'
  expect(await screen.findByText(text)).toBeVisible()
  expect(screen.getByRole('row', { name: 'Line 2 Amount minus 0 Must be an amount' })).toBeVisible()
  expect(screen.getAllByRole('row')).toHaveLength(11)
  expect(
    screen.getByText('And 1,502 more. Download the failed rows, correct them, and upload that file.'),
  ).toBeVisible()
  expect(screen.getByRole('button', { name: 'Download Errors' })).toBeVisible()
})

test.each([
  [422, { error: 'The file has no rows', refusal: 'IMPORT_EMPTY' }, 'The file has no rows'],
  [402, { error: 'Please update the card' }, 'Please update the card'],
  [500, { error: 'Something went wrong' }, 'Bulk upload failed.'],
  [502, '<html>', 'Bulk upload failed.'],
])('an upload refused with %i says why', async (status, body, text) => {
  const opened = await openDialog()
  const upload = await send(opened)
  upload.answer(status, body)
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(screen.getByText('contracts.csv')).toBeVisible()
})

test('an upload that nobody answers says "Bulk upload failed."', async () => {
  const opened = await openDialog()
  const upload = await send(opened)
  upload.break()
  expect(await screen.findByRole('alert')).toHaveTextContent('Bulk upload failed.')
})

test('once the file is there the dialog may be closed, and the page tells what came of it', async () => {
  const opened = await openDialog()
  const upload = await send(opened)
  upload.progress(100, 100)
  expect(await screen.findByText('Reading the file...')).toBeVisible()
  expect(screen.queryByText(/The import will continue/)).not.toBeInTheDocument()
  await opened.user.click(screen.getAllByRole('button', { name: 'Close' })[0] ?? document.body)
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  upload.answer(200, DONE)
  expect(await screen.findByRole('status')).toHaveTextContent('Bulk upload complete: 2 created, 0 failed.')
})

test('an upload can be undone at once', async () => {
  const opened = await openDialog('contracts', {
    undo: () => ({ removedContracts: 2, removedCustomers: 0, restoredContracts: 0, keptCount: 0, kept: [] }),
  })
  const upload = await send(opened)
  upload.answer(200, DONE)
  await opened.user.click(await screen.findByRole('button', { name: 'Undo Import' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo Import' }))
  expect(dialog.getByText('Remove the 2 contracts imported from contracts.csv?')).toBeVisible()
  expect(opened.server.callsOf('imports.undo')).toEqual([])
  await opened.user.click(dialog.getByRole('button', { name: 'Undo Import' }))
  expect(await dialog.findByText('Removed 2 contracts.')).toBeVisible()
  expect(opened.server.callsOf('imports.undo')).toEqual([{ id: 5 }])
})

async function openEarlier(imports: Imports) {
  const opened = await openDialog('contracts', imports)
  await opened.user.click(screen.getByRole('tab', { name: 'Earlier imports' }))
  return opened
}

test('earlier imports are listed with what came of them', async () => {
  await openEarlier({
    list: () =>
      aPage([
        anImport(),
        anImport({ id: 4, fileName: 'going.csv', status: 'running', created: 4, failed: 1 }),
        anImport({ id: 3, fileName: 'cut.csv', status: 'interrupted', throughLine: 2001 }),
        anImport({
          id: 2,
          fileName: 'cut-at-once.csv',
          status: 'interrupted',
          created: 0,
          createdCustomers: 0,
          failed: 0,
          throughLine: 0,
        }),
        anImport({ id: 1, fileName: 'undone.csv', undoneAt: new Date('2026-11-20T13:00:00Z') }),
      ]),
  })
  const list = await screen.findByRole('list', { name: 'Earlier imports' })
  const [done, going, cut, cutAtOnce, undone] = within(list).getAllByRole('listitem')
  expect(done).toHaveTextContent('2 contracts and 1 customer created, 3 failed')
  expect(going).toHaveTextContent('5 of 10 rows')
  expect(cut).toHaveTextContent('It was interrupted. Rows up to line 2,001 were imported, the rest were not.')
  expect(cutAtOnce).toHaveTextContent('It was interrupted before any rows were imported.')
  expect(undone).toHaveTextContent(/Undone on Nov 20, 2026/)
  expect(screen.queryByRole('button', { name: 'Undo going.csv' })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Undo cut-at-once.csv' })).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Download Errors for contracts.csv' })).toBeVisible()
})

test.each([
  [20_000, 'Only the first 20,000 failed rows are available', 1],
  [0, 'The failed rows are no longer available', 0],
])('an earlier import says so when only %i of its failed rows are available', async (failedKept, text, downloads) => {
  await openEarlier({ list: () => aPage([anImport({ failed: 150_000, failedKept })]) })
  expect(await screen.findByText(text)).toBeVisible()
  expect(screen.queryAllByRole('button', { name: 'Download Errors for contracts.csv' })).toHaveLength(downloads)
})

test('undoing an earlier import says what was kept, and why', async () => {
  const there = { current: [anImport()] }
  const { user } = await openEarlier({
    list: () => aPage(there.current),
    undo: () => {
      there.current = []
      return {
        removedContracts: 1,
        removedCustomers: 0,
        restoredContracts: 0,
        keptCount: 2,
        kept: [
          { kind: 'contract', id: 1, name: 'Acme', reason: 'edited' },
          { kind: 'customer', id: 2, name: 'Acme', reason: 'hasContracts' },
        ],
      }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Undo contracts.csv' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo Import' }))
  await user.click(dialog.getByRole('button', { name: 'Undo Import' }))
  expect(await dialog.findByText('Removed 1 contract.')).toBeVisible()
  expect(dialog.getByText('2 rows were kept:')).toBeVisible()
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Contract for Acme: edited since the import',
    'Acme: has contracts',
  ])
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] ?? document.body)
  expect(await screen.findByRole('heading', { name: 'No imports yet' })).toBeVisible()
})

test('an import that updated contracts says how many, and that they were put back', async () => {
  const updated = { created: 0, createdCustomers: 0, updated: 37, failed: 0 }
  const { user } = await openEarlier({
    list: () => aPage([anImport(updated), anImport({ ...updated, id: 4, fileName: 'old.csv', updatedKept: 0 })]),
    undo: () => ({ removedContracts: 0, removedCustomers: 0, restoredContracts: 37, keptCount: 0, kept: [] }),
  })
  const [recent, old] = within(await screen.findByRole('list', { name: 'Earlier imports' })).getAllByRole('listitem')
  expect(recent).toHaveTextContent('0 contracts created, 37 updated, 0 failed')
  expect(old).toHaveTextContent('The contracts that it updated can no longer be put back')
  expect(screen.queryByRole('button', { name: 'Undo old.csv' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Undo contracts.csv' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo Import' }))
  expect(dialog.getByText('Put back the 37 contracts that contracts.csv changed?')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Undo Import' }))
  expect(await dialog.findByText('Put back 37 contracts.')).toBeVisible()
})

test('an import that cannot be undone says why', async () => {
  const { user } = await openEarlier({
    list: () => aPage([anImport()]),
    undo: () => Promise.reject(new AppError('IMPORT_RUNNING')),
  })
  await user.click(await screen.findByRole('button', { name: 'Undo contracts.csv' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo Import' }))
  await user.click(dialog.getByRole('button', { name: 'Undo Import' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('This import is still running')
})

test('earlier imports that cannot be fetched leave a text and a Retry', async () => {
  const failing = { current: true }
  const { user } = await openEarlier({
    list: () => (failing.current ? Promise.reject(new AppError('FAULT')) : aPage([anImport()])),
  })
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch imports')
  failing.current = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('contracts.csv')).toBeVisible()
})
