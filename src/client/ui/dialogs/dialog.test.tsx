import { MantineProvider } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/render.tsx'
import { Dialog } from './dialog.tsx'

test('a dialog is named by its title, and the focus starts in its content', async () => {
  render(
    <Dialog opened title="An apple" onClose={vi.fn()}>
      <input aria-label="Name" />
    </Dialog>,
  )
  expect(screen.getByRole('dialog', { name: 'An apple' })).toBeVisible()
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus())
})

test('the focus starts on the cross of a dialog that is read', async () => {
  render(
    <Dialog opened reading title="An apple" onClose={vi.fn()}>
      <button type="button">Eat it</button>
    </Dialog>,
  )
  await waitFor(() => expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus())
})

test('Escape closes a dialog, and the focus returns to what opened it', async () => {
  const { user } = render(<Opener />)
  await user.click(screen.getByRole('button', { name: 'Look at it' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Look at it' })).toHaveFocus())
})

test('the focus returns also where it came into the dialog only while that was closing', async () => {
  // It takes its time to fade, and Mantine puts the focus into it a moment after it has come.
  const { user } = render(
    <MantineProvider env="default">
      <Opener />
    </MantineProvider>,
  )
  await user.click(screen.getByRole('button', { name: 'Look at it' }))
  screen.getByRole('button', { name: 'Look at it' }).focus()
  await user.keyboard('{Escape}')
  screen.getByRole('button', { name: 'Close' }).focus()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(screen.getByRole('button', { name: 'Look at it' })).toHaveFocus())
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
