import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderScreen } from '#support/render-screen.tsx'
import { ShortcutKeys } from './shortcut-keys.tsx'

beforeEach(() => localStorage.clear())

function open() {
  const onGo = vi.fn()
  const page = (
    <main>
      <input role="searchbox" aria-label="Search contracts" />
      <ShortcutKeys onGo={onGo} />
    </main>
  )
  return { onGo, ...renderScreen(page) }
}

test.each([
  ['d', '/dashboard'],
  ['c', '/contracts'],
  ['u', '/customers'],
  ['a', '/calendar'],
  ['r', '/reminders'],
  ['n', '/notifications'],
])('g and then %s leads to %s', async (second, to) => {
  const { onGo, user } = open()
  await user.keyboard('?')
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await user.keyboard(`g${second}`)
  expect(onGo.mock.calls).toEqual([[{ to }]])
})

test('n leads to the form of a contract, also before the shortcuts have loaded', async () => {
  const { onGo, user } = open()
  await user.keyboard('n')
  await expect.poll(() => onGo.mock.calls).toEqual([[{ to: '/contracts', open: 'new' }]])
})

test('a slash leads to the search of the list, and writes nothing there', async () => {
  const { user } = open()
  await user.keyboard('/')
  const field = screen.getByRole('searchbox')
  await expect.poll(() => document.activeElement === field).toBe(true)
  await user.keyboard('gd?n/')
  expect(field).toHaveValue('gd?n/')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('a question mark lists them, and they can be turned off but for itself', async () => {
  const { onGo, user } = open()
  await user.keyboard('?')
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard Shortcuts' }))
  expect(dialog.getByText('Go to contracts').nextElementSibling).toHaveTextContent('g c')
  await user.keyboard('n')
  expect(onGo).not.toHaveBeenCalled()
  await user.click(dialog.getByRole('switch', { name: /^Single-key shortcuts/ }))
  await user.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await user.keyboard('n')
  expect(onGo).not.toHaveBeenCalled()
  await user.keyboard('?')
  const again = within(await screen.findByRole('dialog', { name: 'Keyboard Shortcuts' }))
  expect(again.getByRole('switch', { name: /^Single-key shortcuts/ })).not.toBeChecked()
})
