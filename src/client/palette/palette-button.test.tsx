import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { aServer, noServer, refused, type Answers } from '#support/wire.ts'
import { PaletteButton } from './palette-button.tsx'

const HARBOR = { id: 7, name: 'Harbor Bakery', customerNumber: 'C-7' }
const CONTRACT = {
  id: 31,
  customerName: 'Harbor Bakery',
  amount: 120,
  renewalCycle: 'yearly',
  renewalDate: '2027-03-01',
}

const page = (rows: object[]) => ({ rows, total: rows.length, first: null, last: null })
const field = () => screen.findByRole('combobox', { name: 'Search or jump to' })

const isAbout = (input: unknown, search: string) =>
  typeof input === 'object' && input !== null && Reflect.get(input, 'search') === search

async function aPalette(answers: Answers = {}) {
  const server = aServer({
    'customers.list': () => page([HARBOR]),
    'contracts.list': () => page([CONTRACT]),
    ...answers,
  })
  const onGo = vi.fn()
  const { user } = renderRouted(<PaletteButton onGo={onGo} />)
  await screen.findByRole('button', { name: 'Search' })
  return { server, user, onGo }
}

test.each(['{Control>}k{/Control}', '{Meta>}k{/Meta}'])(
  '%s opens it on the screens and what can be added',
  async (keys) => {
    const { user } = await aPalette()
    await user.keyboard(keys)
    expect(await field()).toHaveFocus()
    const names = screen.getAllByRole('option').map((option) => option.textContent?.trim())
    expect(names).toEqual([
      'Dashboard',
      'Customers',
      'Contracts',
      'Notifications',
      'Settings',
      'Add Customer',
      'Add Contract',
    ])
  },
)

test('what is typed finds customers and contracts, and Enter leads to the one chosen', async () => {
  const { user, onGo, server } = await aPalette()
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'harb')
  const contracts = await screen.findByRole('group', { name: 'Contracts' })
  expect(within(contracts).getByRole('option')).toHaveTextContent('$120.00 yearly, renews Mar 1, 2027')
  expect(server.calls).toContainEqual(
    expect.objectContaining({ path: 'customers.list', input: expect.objectContaining({ search: 'harb', limit: 5 }) }),
  )
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('2 results'))
  expect(await field()).toHaveAttribute(
    'aria-activedescendant',
    screen.getByRole('option', { name: /Harbor Bakery C-7/ }).id,
  )
  await user.keyboard('{ArrowDown}{Enter}')
  expect(onGo).toHaveBeenCalledExactlyOnceWith({ to: '/contracts', open: 31 })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('what was found before is not chosen for another text', async () => {
  const { user, onGo } = await aPalette({
    'customers.list': (input) => page(isAbout(input, 'harb') ? [HARBOR] : []),
    'contracts.list': () => page([]),
  })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'harb')
  await screen.findByRole('option', { name: /Harbor Bakery C-7/ })
  await user.clear(await field())
  await user.type(await field(), 'zeta{Enter}')
  expect(onGo).not.toHaveBeenCalled()
  expect(screen.queryByRole('option')).toBeNull()
  await user.clear(await field())
  await user.type(await field(), 'harbor{Enter}')
  expect(onGo).toHaveBeenCalledExactlyOnceWith({ to: '/customers', open: 7 })
})

test('arrows go round, and a click chooses too', async () => {
  const { user, onGo } = await aPalette()
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await field()
  await user.keyboard('{ArrowUp}')
  expect(screen.getByRole('option', { name: 'Add Contract' })).toHaveAttribute('aria-selected', 'true')
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('option', { name: 'Dashboard' })).toHaveAttribute('aria-selected', 'true')
  await user.click(screen.getByRole('option', { name: 'Add Customer' }))
  expect(onGo).toHaveBeenCalledExactlyOnceWith({ to: '/customers', open: 'new' })
})

test('Escape closes it, and the focus is where it was', async () => {
  const { user } = await aPalette()
  screen.getByRole('button', { name: 'Search' }).focus()
  await user.keyboard('{Control>}k{/Control}')
  await field()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('button', { name: 'Search' })).toHaveFocus()
})

test('where nothing is found it says so', async () => {
  const { user } = await aPalette({ 'customers.list': () => page([]), 'contracts.list': () => page([]) })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'zzz')
  expect(await screen.findByText('Nothing found for ‘zzz’')).toBeVisible()
})

test('a search that fails says why, and is tried again', async () => {
  const { user, server } = await aPalette({
    'customers.list': () => refused({ refusal: 'FAULT', message: 'Something went wrong' }),
  })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'harb')
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to search')
  server.answers['customers.list'] = () => page([HARBOR])
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('option', { name: /Harbor Bakery C-7/ })).toBeVisible()
})

test('without a network the screens are still found', async () => {
  const { user } = await aPalette()
  noServer()
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'contr')
  expect(screen.getByRole('option', { name: 'Contracts' })).toBeVisible()
  expect(await screen.findByRole('alert')).toHaveTextContent('Network error')
})
