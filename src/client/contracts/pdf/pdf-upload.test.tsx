import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { MAX_PDF_BYTES } from '#shared/domain/contract-pdf.ts'
import { START } from '#client/list/list-position.ts'
import { aContract, aPage } from '#support/records.ts'
import { renderRouted, renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { uploadServer, type AnUpload } from '#support/upload-server.ts'
import { ContractPage } from '#client/contracts/contract-page.tsx'
import { ContractsScreen } from '#client/contracts/contracts-screen.tsx'

const UPLOAD = 'Upload PDF for the contract with Harbor Bakery'
const REPLACE = 'Replace PDF of the contract with Harbor Bakery'
const CANCEL = 'Cancel the PDF upload for the contract with Harbor Bakery'
const BAR = 'PDF upload for the contract with Harbor Bakery'
const FIGURES = { total: 1, active: 1, expiring: 0, revenue: 0 }

/** The screen with one contract, which has a PDF once the server has said so. */
function openContracts(token: string | null = 'token') {
  const stored: { pdfPath: string | null } = { pdfPath: null }
  const uploads = uploadServer()
  const restored: object[] = []
  const restorePdf = (input: object) => {
    restored.push(input)
    return { pdfPath: '/contracts/31/pdf' }
  }
  trpcServer({ contracts: { list: () => aPage([aContract(stored)]), figures: () => FIGURES, restorePdf } })
  const search = { ...START, sort: 'openFirst', direction: 'asc', size: 10 } as const
  const shown = renderScreen(<ContractsScreen search={search} onSearch={() => {}} onOpen={() => {}} />, {
    getToken: async () => token,
  })
  return { uploads, restored, accept: acceptorOf(stored), ...shown }
}

/** The page of that contract. */
function openPage() {
  const stored: { pdfPath: string | null } = { pdfPath: null }
  const uploads = uploadServer()
  trpcServer({ contracts: { get: () => aContract(stored), terms: () => [] } })
  const page = (
    <ContractPage
      navigation={null}
      answers={null}
      notice={null}
      contacts={() => null}
      id={31}
      reminders={null}
      history={null}
      onDeleted={() => {}}
    />
  )
  const shown = renderRouted(page, { getToken: async () => 'token' })
  return { uploads, accept: acceptorOf(stored), ...shown }
}

/** Says of an upload that it has been taken. */
function acceptorOf(stored: { pdfPath: string | null }) {
  return (upload: AnUpload) => {
    stored.pdfPath = '/contracts/31/pdf'
    upload.answer(201, { pdfPath: stored.pdfPath })
  }
}

const row = async () => (await screen.findByText('$1,200.50')).closest('tr') ?? document.body
const button = async (name: string) => within(await row()).findByRole('button', { name })

function aPdfFile(size = 100, name = 'agreement.pdf'): File {
  return new File(['%PDF-1.7\n', new Uint8Array(Math.max(0, size - 9))], name, { type: 'application/pdf' })
}

function anotherFile(content: string): File {
  return new File([content], 'agreement.pdf', { type: 'application/pdf' })
}

async function choose(user: ReturnType<typeof renderScreen>['user'], file: File) {
  await user.click(await button(UPLOAD))
  await user.upload(screen.getByLabelText('PDF file'), file)
}

const carrying = (...files: File[]) => ({ dataTransfer: { files, types: ['Files'] } })

/** Holds a file over an element for as long as it takes to load what takes it. */
async function holdOver(element: HTMLElement) {
  await waitFor(() => {
    fireEvent.dragOver(element, carrying())
    expect(screen.getByText(/^Drop to (attach|replace) the PDF$/)).toBeVisible()
  })
}

async function begun(uploads: AnUpload[]): Promise<AnUpload> {
  await waitFor(() => expect(uploads.length).toBeGreaterThan(0))
  const [upload] = uploads.slice(-1)
  if (!upload) throw new Error('Nothing was sent')
  return upload
}

test('a PDF is sent to its contract, and can then be viewed, replaced or deleted', async () => {
  const { uploads, accept, user } = openContracts()
  await choose(user, aPdfFile())
  const upload = await begun(uploads)
  expect(upload.sent.url.pathname).toBe('/contracts/31/pdf')
  expect(upload.sent.headers).toMatchObject({ authorization: 'Bearer token' })
  expect(upload.sent.form.get('pdf')).toHaveProperty('name', 'agreement.pdf')
  accept(upload)
  expect(await screen.findByText('PDF uploaded successfully')).toBeVisible()
  for (const act of ['View', 'Replace', 'Delete']) {
    expect(await button(`${act} PDF of the contract with Harbor Bakery`)).toBeVisible()
  }
})

test('one that replaces another can be undone', async () => {
  const { uploads, accept, restored, user } = openContracts()
  await choose(user, aPdfFile())
  accept(await begun(uploads))
  await user.click(await button(REPLACE))
  await user.upload(screen.getByLabelText('PDF file'), aPdfFile())
  await waitFor(() => expect(uploads).toHaveLength(2))
  accept(await begun(uploads))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('PDF restored')).toBeVisible()
  expect(restored).toEqual([{ id: 31 }])
})

test('the keyboard leads to the choice of a file', async () => {
  const { user } = openContracts()
  const asked = vi.spyOn(HTMLInputElement.prototype, 'click')
  const opener = await button(UPLOAD)
  opener.focus()
  await user.keyboard('{Enter}')
  expect(asked).toHaveBeenCalledOnce()
  expect(asked.mock.contexts[0]).toBe(screen.getByLabelText('PDF file'))
})

test('how far an upload is, is seen and heard', async () => {
  const { uploads, accept, user } = openContracts()
  await choose(user, aPdfFile())
  const upload = await begun(uploads)
  upload.progress(45, 100)
  expect(await screen.findByText('45%')).toBeVisible()
  expect(screen.getByRole('progressbar', { name: BAR })).toHaveAttribute('value', '0.45')
  expect(screen.getByRole('status')).toHaveTextContent('Uploading the PDF of the contract with Harbor Bakery: 25%')
  upload.progress(100, 100)
  expect(await screen.findByText('Saving…')).toBeVisible()
  expect(screen.getByRole('progressbar', { name: BAR })).not.toHaveAttribute('value')
  expect(screen.getByRole('status')).toHaveTextContent('Saving the PDF of the contract with Harbor Bakery')
  accept(upload)
  await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument())
})

test('an upload is cancelled, and nothing is said to have failed', async () => {
  const { uploads, user } = openContracts()
  await choose(user, aPdfFile())
  await begun(uploads)
  await user.click(await button(CANCEL))
  expect(await screen.findByText('PDF upload canceled')).toHaveAttribute('role', 'status')
  expect(await button(UPLOAD)).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('who leaves the page during an upload is asked first', async () => {
  const leaving = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const { uploads, accept, user } = openContracts()
  await choose(user, aPdfFile())
  const upload = await begun(uploads)
  expect(leaving()).toBe(false)
  accept(upload)
  await button(REPLACE)
  expect(leaving()).toBe(true)
})

test.each([
  ['a page named .pdf', () => anotherFile('<html>'), 'Please select a PDF file'],
  ['an empty file', () => anotherFile(''), 'The PDF is empty'],
  ['more than 20 MB', () => aPdfFile(MAX_PDF_BYTES + 1), 'The PDF is larger than 20 MB'],
])('%s is refused before it is sent', async (_what, file, text) => {
  const { uploads, user } = openContracts()
  await choose(user, file())
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(uploads).toEqual([])
  expect(await button(UPLOAD)).toBeVisible()
})

test.each([
  [402, 'SUBSCRIPTION_REQUIRED', 'An active or trialing subscription is required'],
  [404, 'CONTRACT_NOT_FOUND', 'Contract not found'],
  [413, 'PDF_TOO_LARGE', 'The PDF is larger than 20 MB'],
  [415, 'NOT_A_PDF', 'Please select a PDF file'],
  [422, 'PDF_INCOMPLETE', 'The PDF is incomplete: the end of the file is missing'],
])('an answer of %i %s says "%s"', async (status, refusal, error) => {
  expect(await saidOf(status, { error, refusal })).toHaveTextContent(error)
})

test.each([
  [500, { error: 'Something went wrong', refusal: 'FAULT' }],
  [502, '<html>'],
])('an answer of %i says that the upload failed', async (status, answer) => {
  expect(await saidOf(status, answer)).toHaveTextContent('Failed to upload PDF')
})

async function saidOf(status: number, answer: object | string) {
  const { uploads, user } = openContracts()
  await choose(user, aPdfFile())
  ;(await begun(uploads)).answer(status, answer)
  const said = await screen.findByRole('alert')
  expect(await button(UPLOAD)).toBeVisible()
  return said
}

test('a read-only account reads why', async () => {
  const error = 'Your last payment failed, so TRAXX is read-only until you update your card'
  const { uploads, user } = openContracts()
  await choose(user, aPdfFile())
  ;(await begun(uploads)).answer(402, { error })
  expect(await screen.findByRole('alert')).toHaveTextContent(error)
})

test('without an answer the page says "Network error during PDF upload"', async () => {
  const { uploads, user } = openContracts()
  await choose(user, aPdfFile())
  ;(await begun(uploads)).break()
  expect(await screen.findByRole('alert')).toHaveTextContent('Network error during PDF upload')
})

test('without a token nothing is sent', async () => {
  const { uploads, user } = openContracts(null)
  await choose(user, aPdfFile())
  expect(await screen.findByRole('alert')).toHaveTextContent('Unable to get authentication token')
  expect(uploads).toEqual([])
})

test('a file is dropped on the row of its contract, which says what will happen', async () => {
  const { uploads, accept } = openContracts()
  await holdOver(await row())
  expect(screen.getByText('Drop to attach the PDF')).toBeVisible()
  fireEvent.dragOver(screen.getByRole('columnheader', { name: 'PDF' }), carrying())
  expect(screen.queryByText(/^Drop to/), 'beside the row').not.toBeInTheDocument()
  await holdOver(await row())
  fireEvent.dragLeave(document.documentElement)
  expect(screen.queryByText(/^Drop to/), 'outside the window').not.toBeInTheDocument()
  fireEvent.drop(await row(), carrying(aPdfFile(100, 'agreement')))
  const upload = await begun(uploads)
  fireEvent.dragOver(await row(), carrying())
  expect(screen.queryByText(/^Drop to/), 'while one is on its way').not.toBeInTheDocument()
  accept(upload)
  await button(REPLACE)
  await holdOver(await row())
  expect(screen.getByText('Drop to replace the PDF')).toBeVisible()
})

test('what is no file is not taken, and of two files at once it is said that they are too many', async () => {
  const { uploads } = openContracts()
  fireEvent.dragOver(await row(), { dataTransfer: { files: [], types: ['text/plain'] } })
  expect(screen.queryByText(/^Drop to/)).not.toBeInTheDocument()
  await holdOver(await row())
  fireEvent.drop(await row(), carrying(aPdfFile(), aPdfFile()))
  expect(await screen.findByRole('alert')).toHaveTextContent('A contract can have one PDF. Please drop a single file')
  expect(uploads).toEqual([])
})

test('a file that misses its place does not take the page away', async () => {
  openContracts()
  await row()
  expect(fireEvent.dragOver(document.body, carrying())).toBe(false)
  expect(fireEvent.drop(document.body, carrying(aPdfFile()))).toBe(false)
  expect(fireEvent.drop(document.body, { dataTransfer: { files: [], types: ['text/plain'] } })).toBe(true)
})

test('the page of a contract takes a PDF by button and by drop, and shows how far it is', async () => {
  const { uploads, accept } = openPage()
  const pdf = await screen.findByRole('group', { name: 'PDF' })
  expect(pdf).toHaveTextContent('No PDF yet')
  expect(within(pdf).getByRole('button', { name: UPLOAD })).toBeVisible()
  await holdOver(pdf)
  expect(screen.getByText('Drop to attach the PDF')).toBeVisible()
  fireEvent.drop(pdf, carrying(aPdfFile()))
  const upload = await begun(uploads)
  upload.progress(60, 100)
  expect(await within(pdf).findByText('60%')).toBeVisible()
  accept(upload)
  expect(await within(pdf).findByText('PDF attached')).toBeVisible()
  for (const act of ['View', 'Replace', 'Delete']) {
    expect(within(pdf).getByRole('button', { name: `${act} PDF of the contract with Harbor Bakery` })).toBeVisible()
  }
})

test('the focus stays with the PDF while its controls change', async () => {
  const { uploads, accept } = openContracts()
  const opener = await button(UPLOAD)
  opener.focus()
  await holdOver(await row())
  fireEvent.drop(await row(), carrying(aPdfFile()))
  expect(await button(CANCEL)).toHaveFocus()
  accept(await begun(uploads))
  expect(await button('View PDF of the contract with Harbor Bakery')).toHaveFocus()
})
