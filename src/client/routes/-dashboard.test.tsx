import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeSession } from '#client/identity/session.ts'
import { makeQueryClient } from '#client/query-client.ts'
import { routeTree } from '#client/routeTree.gen.ts'
import { makeTrpcClient, makeTrpcUtils, trpc } from '#client/trpc.ts'
import { aDashboard, aPage } from '#support/records.ts'
import { render } from '#support/render.tsx'
import { movableTime } from '#support/time.ts'
import { trpcServer } from '#support/trpc-server.ts'

const WELCOME = 'Welcome to TRAXX! Your free trial has started successfully.'
const SUBSCRIPTION = {
  status: 'trialing',
  access: 'full',
  screens: 'app',
  trialEnd: null,
  trialDaysLeft: 14,
  currentPeriodEnd: null,
  cancelAt: null,
  trialUsed: true,
} as const
/** The whole app takes longer to appear than one screen, on a machine with much else to do. */
const BUSY = { timeout: 20_000 }

/** The app at an address, for somebody who is signed in and may use it. */
function openApp(address: string) {
  trpcServer({
    billing: { subscription: () => SUBSCRIPTION },
    customers: { list: () => aPage([]) },
    dashboard: { get: () => aDashboard() },
    notifications: { unreadCount: () => ({ count: 0 }) },
  })
  const queryClient = makeQueryClient(() => {})
  const trpcClient = makeTrpcClient(async () => 'token')
  const session = { ...makeSession(), whoIsThere: async () => JSON.parse('{"id":"user_ada"}') }
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({ initialEntries: [address] }),
    context: { trpcClient, trpcUtils: makeTrpcUtils(trpcClient, queryClient), session },
  })
  const app = (
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </trpc.Provider>
  )
  return { address: () => router.history.location.href, ...render(app) }
}

test('session_id shows the welcome banner for 5 seconds and is then removed from the address', BUSY, async () => {
  const time = movableTime()
  const { address } = openApp('/dashboard?session_id=cs_test_1')
  expect(await screen.findByText(WELCOME)).toBeVisible()
  expect(address()).toContain('session_id')
  await time.pass(5000)
  await waitFor(() => expect(screen.queryByText(WELCOME)).not.toBeInTheDocument())
  expect(address()).toBe('/dashboard')
})

test(
  'the header of the dashboard opens the forms of a contract, pending and monthly, and of a customer',
  BUSY,
  async () => {
    const { user } = openApp('/dashboard')
    await user.click(await screen.findByRole('button', { name: 'Add Contract' }))
    const contract = within(await screen.findByRole('dialog', { name: 'Add Contract' }))
    expect(contract.getByRole('combobox', { name: 'Renewal Cycle' })).toHaveDisplayValue('Monthly')
    expect(contract.getByRole('combobox', { name: 'Status' })).toHaveDisplayValue('Pending')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await user.click(screen.getByRole('button', { name: 'Add Customer' }))
    expect(await screen.findByRole('dialog', { name: 'Add Customer' })).toBeVisible()
  },
)
