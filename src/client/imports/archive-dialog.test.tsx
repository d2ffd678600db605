import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { uploadServer } from '#support/upload-server.ts'
import { ArchiveButton } from './archive-button.tsx'

const NOTHING = { emails: 0, customers: 0, isAll: true, first: [] }
const MAIL = { emails: 7, customers: 3, isAll: true, first: [{ customerName: 'Acme', day: '2026-11-23' }] }
const PREVIEW = {
  isPreview: true,
  counts: {
    customers: 1200,
    contracts: 30,
    inTrash: 2,
    contacts: 0,
    terms: 4,
    notes: 0,
    tags: 0,
    views: 0,
    pdfs: 5,
    changes: 9,
    messages: 0,
    closedAddresses: 1,
  },
  figures: { activeContracts: 20, totalRevenue: 1234.5, monthlyRevenue: 100, overdue: 3 },
  mail: NOTHING,
  leftOut: { missingPdfs: 1, waitingMessages: 2, views: 0, textsWithLinks: 0 },
  unconfirmedReplyTo: null,
  confirmsRenewals: false,
}
const FIGURES = { customers: { figures: () => ({ ...JSON.parse('{}'), total: 0 }) } }

async function openDialog(total = 0) {
  const figures = () => ({ ...JSON.parse('{}'), total })
  trpcServer({ ...FIGURES, contracts: { figures } })
  const uploads = uploadServer()
  const shown = renderRouted(<ArchiveButton />)
  await shown.user.click(await screen.findByRole('button', { name: 'Import an Archive' }))
  await screen.findByRole('dialog', { name: 'Import an Archive' })
  return { uploads, ...shown }
}

type Opened = Awaited<ReturnType<typeof openDialog>>

const aFile = (name = 'traxx.zip') => new File(['PK'], name, { type: 'application/zip' })

async function check({ user }: Opened) {
  await user.upload(screen.getByLabelText('Archive to import'), aFile())
  await user.click(screen.getByRole('button', { name: 'Check Archive' }))
}

async function sent({ uploads }: Opened, index: number) {
  await waitFor(() => expect(uploads).toHaveLength(index + 1))
  const upload = uploads[index]
  if (!upload) throw new Error('Nothing was sent')
  return upload
}

test('an archive that is chosen, or waits for an answer, is not dropped by Escape without a question', async () => {
  const opened = await openDialog()
  const { user } = opened
  await check(opened)
  const preview = await sent(opened, 0)
  preview.answer(200, PREVIEW)
  await screen.findByRole('row', { name: 'Customers 1,200' })
  await user.keyboard('{Escape}')
  const question = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
  await user.click(question.getByRole('button', { name: 'Keep Editing' }))
  expect(screen.getByRole('row', { name: 'Customers 1,200' })).toBeVisible()
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('row', { name: 'Customers 1,200' })).not.toBeInTheDocument())
})

test('an archive is checked, shown with what it brings, and then imported', async () => {
  const opened = await openDialog()
  await check(opened)
  const preview = await sent(opened, 0)
  expect(preview.sent.url.pathname + preview.sent.url.search).toBe('/imports/archive?preview=true')
  preview.progress(40, 100)
  expect(await screen.findByRole('progressbar', { name: 'Uploading the archive...' })).toBeVisible()
  preview.progress(100, 100)
  expect(await screen.findByRole('progressbar', { name: 'Checking the archive...' })).toBeVisible()
  expect(screen.getByText('Nothing has been imported yet.')).toBeVisible()
  preview.answer(200, PREVIEW)
  expect(await screen.findByRole('row', { name: 'Customers 1,200' })).toBeVisible()
  expect(screen.getByRole('row', { name: 'Total revenue $1,234.50' })).toBeVisible()
  expect(screen.getByRole('row', { name: 'Unsubscribed addresses 1' })).toBeVisible()
  expect(screen.queryByRole('row', { name: /^Notes/ })).not.toBeInTheDocument()
  expect(screen.getByText(/1 PDF is missing from the archive\. 2 messages were waiting/)).toBeVisible()
  await opened.user.click(screen.getByRole('button', { name: 'Import' }))
  const written = await sent(opened, 1)
  expect(written.sent.url.search).toBe('')
  written.progress(100, 100)
  expect(await screen.findByText(/Please keep this page open/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  written.answer(200, { ...PREVIEW, isPreview: false, unconfirmedReplyTo: 'office@alder.test' })
  expect(await screen.findByText('Imported 1,200 customers and 30 contracts.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard')
  expect(screen.getByText(/until you confirm office@alder\.test in the/)).toBeVisible()
})

test('where customers would get emails it has to be chosen whether they do', async () => {
  const opened = await openDialog()
  await check(opened)
  ;(await sent(opened, 0)).answer(200, { ...PREVIEW, mail: MAIL })
  expect(await screen.findByText('7 emails to 3 customers in the next 90 days:')).toBeVisible()
  await opened.user.click(screen.getByRole('button', { name: 'Import' }))
  expect(screen.getByRole('alert')).toHaveTextContent('Please choose one')
  await opened.user.click(screen.getByLabelText('Do not send emails about the current renewal dates'))
  await opened.user.click(screen.getByRole('button', { name: 'Import' }))
  expect((await sent(opened, 1)).sent.url.search).toBe('?reminders=off')
})

test.each([true, false])(
  'whether an archive turns on emails about renewals is said before and after: %s',
  async (isOn) => {
    const opened = await openDialog()
    await check(opened)
    const preview = { ...PREVIEW, confirmsRenewals: isOn }
    ;(await sent(opened, 0)).answer(200, preview)
    const text = isOn ? /will get no reminders about these/ : /will get no emails about these/
    expect(await screen.findByText(text)).toBeVisible()
    const sentences = () => screen.queryAllByText(/will get an email when their contracts are renewed/)
    expect(sentences()).toHaveLength(isOn ? 1 : 0)
    await opened.user.click(screen.getByRole('button', { name: 'Import' }))
    ;(await sent(opened, 1)).answer(200, { ...preview, isPreview: false })
    expect(await screen.findByRole('link', { name: 'Go to Dashboard' })).toBeVisible()
    expect(sentences()).toHaveLength(isOn ? 1 : 0)
  },
)

test('a file that is refused says why, and another can be chosen', async () => {
  const opened = await openDialog()
  await opened.user.click(screen.getByRole('button', { name: 'Check Archive' }))
  expect(screen.getByRole('alert')).toHaveTextContent('Please select the zip file of an exported account')
  await check(opened)
  const error = 'contracts.json in this archive has a mistake in row 3: amount: Amount must be a positive number'
  ;(await sent(opened, 0)).answer(422, { error, refusal: 'ARCHIVE_ROW_INVALID' })
  expect(await screen.findByRole('alert')).toHaveTextContent(error)
  expect(screen.getByText('traxx.zip')).toBeVisible()
})

test('an import whose connection breaks may still be running, and that is said', async () => {
  const opened = await openDialog()
  await check(opened)
  ;(await sent(opened, 0)).answer(200, PREVIEW)
  await opened.user.click(await screen.findByRole('button', { name: 'Import' }))
  ;(await sent(opened, 1)).break()
  expect(await screen.findByRole('alert')).toHaveTextContent('The import may still be running')
})

test('an account with contracts is told beforehand', async () => {
  await openDialog(3)
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'An archive can only be imported into an account that has no customers or contracts',
  )
  expect(screen.queryByLabelText('Archive to import')).not.toBeInTheDocument()
})
