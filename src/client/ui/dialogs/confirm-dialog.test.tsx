import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/render.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

const texts = { title: 'Eat the apple', confirmLabel: 'Eat', children: 'This cannot be undone.' }
const handlers = () => ({ onConfirm: vi.fn(), onCancel: vi.fn() })

test('the dialog says what will happen and waits for a decision', async () => {
  const { onConfirm, onCancel } = handlers()
  const { user } = render(<ConfirmDialog opened {...texts} onConfirm={onConfirm} onCancel={onCancel} />)
  expect(screen.getByRole('dialog', { name: 'Eat the apple' })).toHaveTextContent('This cannot be undone.')

  await user.click(screen.getByRole('button', { name: 'Eat' }))
  expect(onConfirm).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onCancel).toHaveBeenCalledOnce()
})

test('what cannot be undone is not what Enter does first', async () => {
  const { onConfirm, onCancel } = handlers()
  render(<ConfirmDialog opened danger {...texts} onConfirm={onConfirm} onCancel={onCancel} />)
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus())
})

test('a refusal is read out in the dialog', () => {
  render(<ConfirmDialog opened {...texts} {...handlers()} error="The apple is not yours" />)
  expect(screen.getByRole('alert')).toHaveTextContent('The apple is not yours')
})

test('a dialog at work can be neither confirmed again nor closed', async () => {
  const { onConfirm, onCancel } = handlers()
  const { user } = render(<ConfirmDialog opened busy {...texts} onConfirm={onConfirm} onCancel={onCancel} />)
  await user.keyboard('{Escape}')
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  expect(screen.getByRole('button', { name: 'Eat' })).toBeDisabled()
  expect(onCancel).not.toHaveBeenCalled()
})

test('the focus returns to the button that asked', async () => {
  const { user } = render(<Asking />)
  await user.click(screen.getByRole('button', { name: 'Eat it' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Eat it' })).toHaveFocus())
})

function Asking() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Eat it
      </button>
      <ConfirmDialog opened={opened} {...texts} onConfirm={vi.fn()} onCancel={() => setOpened(false)} />
    </>
  )
}
