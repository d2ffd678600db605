import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { EditViewsDialog } from './edit-views-dialog.tsx'

function Opener() {
  const [opened, setOpened] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Edit
      </button>
      <EditViewsDialog opened={opened} onClose={() => setOpened(false)} />
    </>
  )
}

function open(isRefused = false) {
  const views = [
    { id: 1, name: 'Late', position: 1, search: {} },
    { id: 2, name: 'Large', position: 2, search: {} },
  ]
  const update = ({ id, name = '' }: { id: number | string; name?: string | undefined }) => {
    const view = views.find((one) => one.id === Number(id))
    if (isRefused || !view) throw new AppError('FAULT')
    view.name = name.trim()
    return view
  }
  const server = trpcServer({ views: { list: () => views.map((view) => ({ ...view })), update } })
  return { server, ...renderRouted(<Opener />) }
}

const dialog = () => screen.findByRole('dialog', { name: 'Edit Views' })
const field = async (name: string) => within(await dialog()).findByRole('textbox', { name: `Name of ${name}` })

test('Escape asks first while a name that was typed is not saved', async () => {
  const { server, user } = open()
  await user.type(await field('Late'), '!')
  await user.keyboard('{Escape}')
  const question = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
  await user.click(question.getByRole('button', { name: 'Keep Editing' }))
  await waitFor(async () => expect(await field('Late')).toHaveValue('Late!'))
  expect(server.callsOf('views.update')).toEqual([])
})

test('the rest of a double click does not move the view that took the place', async () => {
  const { server, user } = open()
  await field('Late')
  await user.click(screen.getByRole('button', { name: 'Move Late down' }))
  fireEvent.click(screen.getByRole('button', { name: 'Move Large up' }), { detail: 2 })
  await user.click(screen.getByRole('button', { name: 'Move Large up' }))
  await expect
    .poll(() => server.callsOf('views.update'))
    .toEqual([
      { id: 1, position: 2 },
      { id: 2, position: 1 },
    ])
})

test('a name is saved by Enter, which keeps the focus, and then nothing is asked', async () => {
  const { server, user } = open()
  await user.type(await field('Late'), '!{Enter}')
  await waitFor(async () => expect(await field('Late!')).toHaveFocus())
  expect(server.callsOf('views.update')).toEqual([{ id: 1, name: 'Late!' }])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a name is saved by leaving its field for the cross, which closes the dialog without a question', async () => {
  const { server, user } = open()
  await user.type(await field('Late'), '!')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.callsOf('views.update')).toEqual([{ id: 1, name: 'Late!' }])
})

test('an emptied name comes back, and is no change', async () => {
  const { server, user } = open()
  await user.clear(await field('Late'))
  await user.click(await field('Large'))
  expect(await field('Late')).toHaveValue('Late')
  expect(server.callsOf('views.update')).toEqual([])
})

test('a name that could not be saved stays, and is asked about, also after another field', async () => {
  const { user } = open(true)
  await user.type(await field('Late'), '!')
  await user.type(await field('Large'), '?')
  await user.clear(await field('Large'))
  await user.click(await field('Late'))
  await screen.findByText('Failed to change the view')
  expect(await field('Late')).toHaveValue('Late!')
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('dialog', { name: 'Discard changes?' })).toBeVisible()
})
