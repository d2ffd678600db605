import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { TestAuthScreen } from './test-auth-screen.tsx'

/** A server that answers this to whatever it is asked. */
function answering(answer: () => Promise<Response>) {
  const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(answer)
  vi.stubGlobal('fetch', fetched)
  return fetched
}

test('GET /dashboard is called with the bearer token and nothing else is, and its figures are shown', async () => {
  const fetched = answering(async () =>
    Response.json({ totalContracts: 12, months: [], overdueContracts: [{ id: 1 }, { id: 2 }], other: 'text' }),
  )
  const { user } = renderRouted(<TestAuthScreen />)
  expect(await screen.findByText('200')).toBeVisible()
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'totalContracts',
    'months',
    'overdueContracts',
  ])
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['12', '0', '2'])
  await user.click(screen.getByRole('button', { name: 'Call Again' }))
  const call = ['/dashboard', { method: 'GET', headers: { authorization: 'Bearer token', accept: 'application/json' } }]
  expect(fetched.mock.calls).toEqual([call, call])
})

test.each([
  [401, '{"error":"You are not logged in"}', 'You are not logged in'],
  [402, '{"error":"An active or trialing subscription is required"}', 'An active or trialing subscription is required'],
  [502, '<html>', 'Something went wrong'],
])('an answer of %i is shown with its error', async (status, body, text) => {
  answering(async () => new Response(body, { status }))
  renderRouted(<TestAuthScreen />)
  expect(await screen.findByText(String(status))).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent(text)
})

test('where there is no response that is said', async () => {
  answering(() => Promise.reject(new TypeError('Failed to fetch')))
  renderRouted(<TestAuthScreen />)
  expect(await screen.findByText('No response')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Network error')
})

test('without a token nothing is called', async () => {
  const fetched = answering(async () => Response.json({}))
  renderRouted(<TestAuthScreen />, { getToken: async () => null })
  expect(await screen.findByRole('alert')).toHaveTextContent('Unable to get authentication token')
  expect(fetched).not.toHaveBeenCalled()
})
