import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { RefusalKey } from '#shared/errors.ts'
import { START } from '#client/list/list-position.ts'
import { aContract, aPage } from '#support/records.ts'
import { renderRouted, renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { ContractPage } from '#client/contracts/contract-page.tsx'
import { ContractsScreen } from '#client/contracts/contracts-screen.tsx'

const DELETE = 'Delete PDF of the contract with Harbor Bakery'
const PATH = '/contracts/31/pdf'
const FIGURES = { total: 1, active: 1, expiring: 0, revenue: 0 }

/** The screen with one contract and its PDF; `answer` is what the server says to a DELETE or GET of that. */
function openContracts(answer: () => Promise<Response>, token: string | null = 'token') {
  const stored: { pdfPath: string | null } = { pdfPath: PATH }
  trpcServer({
    contracts: {
      list: () => aPage([aContract(stored)]),
      figures: () => FIGURES,
      restorePdf: () => {
        stored.pdfPath = PATH
        return { pdfPath: PATH }
      },
    },
  })
  const forTrpc = fetch
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (!path.endsWith('/pdf')) return forTrpc(path, init)
    asked.push(`${init.method} ${path}`)
    const answered = await answer()
    if (init.method === 'DELETE' && answered.ok) stored.pdfPath = null
    return answered
  })
  const search = { ...START, sort: 'openFirst', direction: 'asc', size: 10 } as const
  const shown = renderScreen(<ContractsScreen search={search} onSearch={() => {}} onOpen={() => {}} />, {
    getToken: async () => token,
  })
  return { asked, ...shown }
}

const row = async () => (await screen.findByText('$1,200.50')).closest('tr') ?? document.body
const button = async (name: string) => within(await row()).findByRole('button', { name })
const refusal = (status: number, error: string, key: RefusalKey) => async () =>
  Response.json({ error, refusal: key }, { status })

test('a PDF is deleted at once, which makes room for another, and undoing brings it back', async () => {
  const { asked, user } = openContracts(async () => new Response(null, { status: 204 }))
  await user.click(await button(DELETE))
  expect(await screen.findByText('PDF deleted successfully')).toBeVisible()
  expect(asked).toEqual(['DELETE /contracts/31/pdf'])
  expect(await button('Upload PDF for the contract with Harbor Bakery')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('PDF restored')).toBeVisible()
  expect(await button(DELETE)).toBeVisible()
})

test('from its page it is deleted as well', async () => {
  const stored: { pdfPath: string | null } = { pdfPath: PATH }
  trpcServer({ contracts: { get: () => aContract(stored), terms: () => [] } })
  const forTrpc = fetch
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (!path.endsWith('/pdf')) return forTrpc(path, init)
    stored.pdfPath = null
    return new Response(null, { status: 204 })
  })
  const shown = (
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
  const { user } = renderRouted(shown, { getToken: async () => 'token' })
  const pdf = await screen.findByRole('group', { name: 'PDF' })
  await user.click(within(pdf).getByRole('button', { name: DELETE }))
  expect(await within(pdf).findByText('No PDF yet')).toBeVisible()
})

test.each([
  ['the last payment failed', refusal(402, 'Your last payment failed', 'PAYMENT_OVERDUE'), 'Your last payment failed'],
  ['it is gone already', refusal(404, 'This contract has no PDF', 'PDF_NOT_FOUND'), 'This contract has no PDF'],
  ['the server fails', refusal(500, 'Something went wrong', 'FAULT'), 'Failed to delete PDF'],
  ['nobody answers', () => Promise.reject(new TypeError('Failed to fetch')), 'Network error during PDF deletion'],
])('where %s, the page says so', async (_what, answer, text) => {
  const { user } = openContracts(answer)
  await user.click(await button(DELETE))
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(await button(DELETE)).toBeVisible()
})

test('without a token nothing is deleted', async () => {
  const { asked, user } = openContracts(refusal(404, 'This contract has no PDF', 'PDF_NOT_FOUND'), null)
  await user.click(await button(DELETE))
  expect(await screen.findByRole('alert')).toHaveTextContent('Unable to get authentication token')
  expect(asked).toEqual([])
})

test('a PDF is asked for anew each time it is viewed, and its failures are told', async () => {
  const close = vi.fn()
  vi.stubGlobal('open', () => ({ close, document: {}, location: {} }))
  const { asked, user } = openContracts(refusal(502, 'Failed to load PDF', 'FAULT'))
  const view = await button('View PDF of the contract with Harbor Bakery')
  await user.click(view)
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load PDF')
  await user.click(view)
  await waitFor(() => expect(close).toHaveBeenCalledTimes(2))
  expect(asked).toEqual(['GET /contracts/31/pdf', 'GET /contracts/31/pdf'])
})
