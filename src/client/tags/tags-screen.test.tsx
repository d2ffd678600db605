import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { TagsScreen } from './tags-screen.tsx'

function open(answers: object = {}) {
  const stored = [
    { name: 'North', contracts: 3, customers: 1 },
    { name: 'VIP', contracts: 0, customers: 2 },
  ]
  const server = trpcServer({
    tags: {
      list: () => stored,
      rename: ({ tag, name }: { tag: string; name: string }) => {
        const renamed = stored.find((one) => one.name === tag)
        if (!renamed) throw new AppError('TAG_NOT_FOUND')
        return Object.assign(renamed, { name })
      },
      remove: ({ tag }: { tag: string }) => {
        stored.splice(
          stored.findIndex(({ name }) => name === tag),
          1,
        )
      },
      ...answers,
    },
  })
  return { server, ...renderRouted(<TagsScreen />) }
}

test('shows the tags and leads to what has each', async () => {
  open()
  const list = within(await screen.findByRole('list', { name: 'Tags' }))
  expect(list.getAllByRole('listitem')).toHaveLength(2)
  expect(list.getByRole('link', { name: '3 contracts' })).toHaveAttribute('href', '/contracts?tag=North')
  expect(list.getByRole('link', { name: '2 customers' })).toHaveAttribute('href', '/customers?tag=VIP')
  expect(list.queryByRole('link', { name: '0 contracts' })).toBeNull()
})

test('renames a tag, and undoing renames it back', async () => {
  const { server, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Rename North' }))
  const form = within(await screen.findByRole('dialog', { name: 'Rename Tag' }))
  await user.clear(form.getByRole('textbox', { name: 'Tag' }))
  await user.click(form.getByRole('button', { name: 'Rename' }))
  expect(await form.findByText('Enter a tag')).toBeVisible()
  await user.type(form.getByRole('textbox', { name: 'Tag' }), 'South')
  await user.click(form.getByRole('button', { name: 'Rename' }))
  expect(await screen.findByText('South')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await expect
    .poll(() => server.callsOf('tags.rename'))
    .toEqual([
      { tag: 'North', name: 'South' },
      { tag: 'South', name: 'North' },
    ])
})

test('says beforehand that two tags become one', async () => {
  const { server, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Rename North' }))
  const form = within(await screen.findByRole('dialog', { name: 'Rename Tag' }))
  await user.clear(form.getByRole('textbox', { name: 'Tag' }))
  await user.type(form.getByRole('textbox', { name: 'Tag' }), 'vip')
  expect(form.getByRole('status')).toHaveTextContent(
    'You already have "VIP". 3 contracts and 1 customer tagged "North" will be tagged "VIP" instead.',
  )
  await user.click(form.getByRole('button', { name: 'Merge Tags' }))
  await expect.poll(() => server.callsOf('tags.rename')).toEqual([{ tag: 'North', name: 'vip' }])
})

test('asks before it removes a tag, and says from how many', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Remove North' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Tag' }))
  expect(dialog.getByText(/from 3 contracts and 1 customer/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Tag "North" removed')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Rename North' })).toBeNull())
})

test('says that there are none, and that they could not be fetched', async () => {
  const { unmount } = open({ list: () => [] })
  expect(await screen.findByText('No tags yet')).toBeVisible()
  unmount()
  open({
    list: () => {
      throw new AppError('FAULT')
    },
  })
  expect(await screen.findByText('Failed to fetch tags')).toBeVisible()
})
