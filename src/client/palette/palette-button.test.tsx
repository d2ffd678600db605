import { MantineProvider } from '@mantine/core'
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { aContract, aCustomer, aPage } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { PROTECTED } from '#support/screens.ts'
import { noServer, trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { PaletteButton } from './palette-button.tsx'
import { knownSections } from './palette-entry.ts'

const HARBOR = aCustomer({ id: 7, name: 'Harbor Bakery', customerNumber: 'C-7' })
const CONTRACT = aContract({ id: 31, amount: 120, renewalCycle: 'yearly', renewalDate: toDay('2027-03-01') })

const field = () => screen.findByRole('combobox', { name: 'Search or jump to' })

async function aPalette(answers: FakeAnswers = {}) {
  const server = trpcServer({
    customers: { list: () => aPage([HARBOR]) },
    contracts: { list: () => aPage([CONTRACT]) },
    ...answers,
  })
  const onGo = vi.fn()
  const leave = vi.fn(async () => undefined)
  const { user } = renderRouted(<PaletteButton onGo={onGo} />, { leave })
  await screen.findByRole('button', { name: 'Search' })
  return { server, user, onGo, leave }
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
      'Calendar',
      'Reminders',
      'Answers',
      'Notices',
      'Notifications',
      'Email Templates',
      'Notification Settings',
      'Company',
      'Tags',
      'Trash',
      'Profile',
      'Security',
      'Add Customer',
      'Add Contract',
      'Export Everything',
      'Import an Archive',
      'Switch to Dark Mode',
      'Sign Out',
    ])
  },
)

test('what is typed before the palette has come is in its field, and nowhere else', async () => {
  const { user } = await aPalette()
  const before = document.createElement('input')
  document.body.append(before)
  onTestFinished(() => before.remove())
  before.focus()
  await user.keyboard('{Control>}k{/Control}contr')
  expect(await field()).toHaveFocus()
  await user.keyboard('acts')
  expect(await field()).toHaveValue('contracts')
  expect(before).toHaveValue('')
})

test('what is typed finds customers and contracts, and Enter leads to the one chosen', async () => {
  const { user, onGo, server } = await aPalette()
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'harb')
  const contracts = await screen.findByRole('group', { name: 'Contracts' })
  expect(within(contracts).getByRole('option')).toHaveTextContent('$120.00 yearly, renews Mar 1, 2027')
  expect(server.callsOf('customers.list')).toContainEqual(expect.objectContaining({ search: 'harb', limit: 5 }))
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('2 results'))
  expect(await field()).toHaveAttribute(
    'aria-activedescendant',
    screen.getByRole('option', { name: /Harbor Bakery C-7/ }).id,
  )
  await user.keyboard('{ArrowDown}{Enter}')
  expect(onGo).toHaveBeenCalledExactlyOnceWith({ to: '/contracts', open: 31 })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a customer is found by a contact, whose name it does not have', async () => {
  const { user, onGo } = await aPalette({
    customers: { list: ({ search }) => aPage(search === 'lovelace' ? [HARBOR] : []) },
    contracts: { list: () => aPage([]) },
  })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'lovelace')
  expect(await screen.findByRole('option', { name: /Harbor Bakery C-7/ })).toBeVisible()
  await user.keyboard('{Enter}')
  expect(onGo).toHaveBeenCalledExactlyOnceWith({ to: '/customers', open: 7 })
})

test('what was found before is not chosen for another text', async () => {
  const { user, onGo } = await aPalette({
    customers: { list: ({ search }) => aPage(search === 'harb' ? [HARBOR] : []) },
    contracts: { list: () => aPage([]) },
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
  expect(screen.getByRole('option', { name: 'Sign Out' })).toHaveAttribute('aria-selected', 'true')
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

test('over a dialog it stays away, and once that fades out it opens', async () => {
  trpcServer({})
  const { user } = renderRouted(
    <>
      <PaletteButton onGo={() => {}} />
      <MantineProvider env="default">
        <Opener />
      </MantineProvider>
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'Look at it' }))
  await screen.findByRole('dialog', { name: 'An apple' })
  await user.keyboard('{Control>}k{/Control}')
  expect(screen.queryByRole('combobox', { name: 'Search or jump to' })).not.toBeInTheDocument()
  // Both keys before it has faded.
  await user.keyboard('{Escape}{Control>}k{/Control}')
  expect(await field()).toBeVisible()
})

function Opener() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Look at it
      </button>
      <Dialog opened={opened} title="An apple" onClose={() => setOpened(false)}>
        Red and round
      </Dialog>
    </>
  )
}

test('where nothing is found it says so', async () => {
  const { user } = await aPalette({ customers: { list: () => aPage([]) }, contracts: { list: () => aPage([]) } })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'zzz')
  expect(await screen.findByText('No results for "zzz"')).toBeVisible()
})

test('a search that fails says why, and is tried again', async () => {
  const customers: FakeAnswers['customers'] = { list: () => Promise.reject(new AppError('FAULT')) }
  const { user } = await aPalette({ customers })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'harb')
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to search')
  customers.list = () => aPage([HARBOR])
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

test('every screen of the app is an entry, but those of one row and the one that tests sign-in', () => {
  const reached = knownSections('', 'dark').flatMap(({ entries }) =>
    entries.flatMap(({ destination }) => (typeof destination === 'object' ? [destination.to] : [])),
  )
  const screens = Object.entries(PROTECTED).flatMap(([path, title]) => (title && path !== '/test-auth' ? [path] : []))
  expect(new Set<string>(reached)).toEqual(new Set(screens))
})

test.each([
  ['remind', 'Reminders', { to: '/reminders' }],
  ['letter', 'Notices', { to: '/notices' }],
  ['texts', 'Email Templates', { to: '/notifications/texts' }],
  ['account settings', 'Profile', { to: '/profile' }],
  ['import', 'Contracts', { to: '/contracts' }],
  ['deleted', 'Trash', { to: '/trash' }],
  ['labels', 'Tags', { to: '/tags' }],
  ['password', 'Security', { to: '/profile/security' }],
  ['billing', 'Profile', { to: '/profile' }],
  ['export', 'Export Everything', { to: '/profile', hash: 'your-data' }],
  ['archive', 'Import an Archive', { to: '/profile', hash: 'your-data' }],
])('"%s" finds %s', async (text, name, destination) => {
  const { user, onGo } = await aPalette({ customers: { list: () => aPage([]) }, contracts: { list: () => aPage([]) } })
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), text)
  await user.click(screen.getByRole('option', { name }))
  expect(onGo).toHaveBeenCalledExactlyOnceWith(destination)
})

test('"theme" switches it, and the palette closes', async () => {
  const { user, onGo } = await aPalette()
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'theme')
  await user.click(screen.getByRole('option', { name: 'Switch to Dark Mode' }))
  expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark')
  expect(screen.queryByRole('combobox', { name: 'Search or jump to' })).not.toBeInTheDocument()
  expect(onGo).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'theme')
  await user.click(screen.getByRole('option', { name: 'Switch to Light Mode' }))
  expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'light')
})

test('"sign out" signs out', async () => {
  const { user, leave } = await aPalette()
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.type(await field(), 'sign out')
  await user.click(screen.getByRole('option', { name: 'Sign Out' }))
  expect(leave).toHaveBeenCalledExactlyOnceWith('/')
})
