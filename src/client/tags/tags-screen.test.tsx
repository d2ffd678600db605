import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import { TagsScreen } from './tags-screen.tsx'

type Announce = NonNullable<NonNullable<FakeAnswers['reminders']>['announceTag']>

const NO_NOTICES: Announce = () => ({ notices: 0, isAll: true })

function open(answers: object = {}, announceTag = NO_NOTICES) {
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
    reminders: { announceTag },
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

const TWO = '2 notices to customers will go out by email today.'

/** The dialog in which North becomes the other tag, and that in which it is removed. */
async function merging(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'Rename North' }))
  const form = within(await screen.findByRole('dialog', { name: 'Rename Tag' }))
  await user.clear(form.getByRole('textbox', { name: 'Tag' }))
  await user.type(form.getByRole('textbox', { name: 'Tag' }), 'vip')
  return { dialog: form, act: () => user.click(form.getByRole('button', { name: 'Merge Tags' })) }
}

async function removing(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'Remove North' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Tag' }))
  return { dialog, act: () => user.click(dialog.getByRole('button', { name: 'Remove' })) }
}

describe.each([
  {
    what: 'two tags become one',
    start: merging,
    asked: { tag: 'North', name: 'VIP' },
    call: 'tags.rename',
    notYet: 'Not merged yet. Check which emails will be sent, then merge again.',
  },
  {
    what: 'a tag is removed',
    start: removing,
    asked: { tag: 'North' },
    call: 'tags.remove',
    notYet: 'Not removed yet. Check which emails will be sent, then press Remove again.',
  },
])('before $what', ({ start, asked, call, notYet }) => {
  test('it says how many notices go out today', async () => {
    const { server, user } = open({}, () => ({ notices: 2, isAll: true }))
    const { dialog, act } = await start(user)
    expect(await dialog.findByText(TWO)).toBeVisible()
    expect(server.callsOf('reminders.announceTag')).toEqual([asked])
    await act()
    await expect.poll(() => server.callsOf(call)).toHaveLength(1)
  })

  test('nothing is said where there are none', async () => {
    const { server, user } = open()
    const { dialog, act } = await start(user)
    await expect.poll(() => server.callsOf('reminders.announceTag')).toEqual([asked])
    expect(dialog.queryByText(/notice/)).not.toBeInTheDocument()
    await act()
    await expect.poll(() => server.callsOf(call)).toHaveLength(1)
  })

  test('it waits for the count, and shows it first', async () => {
    const { answer, tell } = whenTold<Awaited<ReturnType<Announce>>>()
    const { server, user } = open({}, answer)
    const { dialog, act } = await start(user)
    await act()
    tell({ notices: 2, isAll: true })
    expect(await dialog.findByText(notYet)).toBeVisible()
    expect(dialog.getByText(TWO)).toBeVisible()
    expect(server.callsOf(call)).toEqual([])
    await act()
    await expect.poll(() => server.callsOf(call)).toHaveLength(1)
  })

  test('it waits until it is known that there are none', async () => {
    const { answer, tell } = whenTold<Awaited<ReturnType<Announce>>>()
    const { server, user } = open({}, answer)
    const { act } = await start(user)
    await act()
    expect(server.callsOf(call)).toEqual([])
    tell({ notices: 0, isAll: true })
    await expect.poll(() => server.callsOf(call)).toHaveLength(1)
  })

  test('it waits for the count no longer than a while', async () => {
    const time = movableTime()
    const { server, user } = open({}, () => Promise.withResolvers<never>().promise)
    const { dialog, act } = await start(user)
    await act()
    await time.pass(5000)
    expect(await dialog.findByText('We could not check which emails customers will get.')).toBeVisible()
    expect(server.callsOf(call)).toEqual([])
    await act()
    await expect.poll(() => server.callsOf(call)).toHaveLength(1)
  })

  test('that they cannot be counted is said', async () => {
    const { user } = open({}, () => Promise.reject(new AppError('FAULT')))
    const { dialog } = await start(user)
    expect(await dialog.findByText('Failed to check which emails will be sent')).toBeVisible()
  })
})

test('a tag that only gets another name asks for no notices', async () => {
  const { server, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Rename North' }))
  const form = within(await screen.findByRole('dialog', { name: 'Rename Tag' }))
  await user.type(form.getByRole('textbox', { name: 'Tag' }), 'ern')
  await user.click(form.getByRole('button', { name: 'Rename' }))
  await expect.poll(() => server.callsOf('tags.rename')).toEqual([{ tag: 'North', name: 'Northern' }])
  expect(server.callsOf('reminders.announceTag')).toEqual([])
})

test('what a dialog said and was closed is not said of another tag, nor again without asking', async () => {
  const { server, user } = open({}, ({ tag }) => ({ notices: tag === 'North' ? 2 : 0, isAll: true }))
  const { dialog } = await removing(user)
  expect(await dialog.findByText(TWO)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Remove VIP' }))
  expect(await screen.findByRole('dialog', { name: 'Remove Tag' })).toBeVisible()
  expect(screen.queryByText(TWO)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await removing(user)
  await expect
    .poll(() => server.callsOf('reminders.announceTag'))
    .toEqual([{ tag: 'North' }, { tag: 'VIP' }, { tag: 'North' }])
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
