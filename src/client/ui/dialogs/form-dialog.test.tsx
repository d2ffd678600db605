import { MantineProvider, Textarea, TextInput } from '@mantine/core'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { SubmitEvent } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/render.tsx'
import { FormDialog } from './form-dialog.tsx'

const basics = () => ({
  opened: true,
  title: 'Add fruit',
  submitLabel: 'Save fruit',
  unsaved: false,
  children: <TextInput label="Name" />,
  onSubmit: vi.fn((event: SubmitEvent) => event.preventDefault()),
  onClose: vi.fn(),
})

test('a form dialog is named, and submits by Enter in a field', async () => {
  const props = basics()
  const { user } = render(<FormDialog {...props} />)
  expect(screen.getByRole('dialog', { name: 'Add fruit' })).toBeVisible()

  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Apple{Enter}')
  expect(props.onSubmit).toHaveBeenCalledOnce()
})

test('what went wrong is an alert in the form', () => {
  render(<FormDialog {...basics()} error="No such fruit" />)
  const form = screen.getByRole('form', { name: 'Add fruit' })
  expect(within(form).getByRole('alert')).toHaveTextContent('No such fruit')
})

test('a busy dialog neither submits again nor closes', async () => {
  const props = basics()
  const { user } = render(<FormDialog {...props} busy />)
  await user.keyboard('{Escape}')
  expect(screen.getByRole('button', { name: 'Save fruit' })).toBeDisabled()
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  expect(props.onClose).not.toHaveBeenCalled()
})

/** Presses its button; while it is busy, nothing has the focus, as where a browser disables the focused button. */
async function saveOnce(props: ReturnType<typeof basics>) {
  // With transitions: without them a dialog that closes is gone at once, with its button.
  const dialog = (changes: object) => (
    <MantineProvider env="default">
      <FormDialog {...props} {...changes} />
    </MantineProvider>
  )
  const { user, rerender } = render(dialog({}))
  const save = screen.getByRole('button', { name: 'Save fruit' })
  await user.click(save)
  rerender(dialog({ busy: true }))
  const name = screen.getByLabelText('Name')
  name.focus()
  name.blur()
  expect(document.body).toHaveFocus()
  return { save, rerender: (changes: object) => rerender(dialog(changes)) }
}

test('after a save that failed, the pressed button has the focus again', async () => {
  const { save, rerender } = await saveOnce(basics())
  rerender({})
  expect(save).toHaveFocus()
})

test('a dialog that closes after saving leaves the focus alone', async () => {
  const { save, rerender } = await saveOnce(basics())
  rerender({ opened: false })
  expect(save).toBeInTheDocument()
  expect(save).not.toHaveFocus()
})

test('Enter that is held down neither presses a button again nor submits again, and adds lines to a text', () => {
  const children = [<TextInput key="name" label="Name" />, <Textarea key="notes" label="Notes" />]
  render(<FormDialog {...basics()}>{children}</FormDialog>)
  for (const element of [screen.getByRole('button', { name: 'Save fruit' }), screen.getByLabelText('Name')]) {
    expect(fireEvent.keyDown(element, { key: 'Enter' })).toBe(true)
    expect(fireEvent.keyDown(element, { key: 'Enter', repeat: true })).toBe(false)
  }
  expect(fireEvent.keyDown(screen.getByLabelText('Notes'), { key: 'Enter', repeat: true })).toBe(true)
})

test('Escape and the cross ask before a dialog with changes closes, and Cancel discards them', async () => {
  const props = basics()
  const { user } = render(<FormDialog {...props} unsaved />)
  for (const close of [
    () => user.keyboard('{Escape}'),
    () => user.click(screen.getByRole('button', { name: 'Close' })),
  ]) {
    await close()
    const question = await screen.findByRole('dialog', { name: 'Discard changes?' })
    await user.click(within(question).getByRole('button', { name: 'Keep Editing' }))
    await waitFor(() => expect(question).not.toBeInTheDocument())
  }
  expect(props.onClose).not.toHaveBeenCalled()
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  expect(props.onClose).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(props.onClose).toHaveBeenCalledTimes(2)
})

test('Cancel, Escape and the cross close the dialog', async () => {
  const props = basics()
  const { user } = render(<FormDialog {...props} />)
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await user.keyboard('{Escape}')
  expect(props.onClose).toHaveBeenCalledTimes(3)
})
