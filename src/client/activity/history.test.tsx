import { Link } from '@tanstack/react-router'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, whenTold } from '#support/trpc-server.ts'
import { History } from './history.tsx'

type Activity = Outputs['activity']['list']
type Note = Outputs['notes']['list'][number]

const AT = new Date('2026-03-10T12:00:00Z')
const ANN = { kind: 'person', name: 'Ann Lee' } as const
const NOTE: Note = { id: 1, text: 'Call in May', createdAt: AT, by: ANN, editedAt: null, isOwn: true }
const CREATED: Activity['rows'][number] = { id: 0, action: 'created', at: AT, by: ANN, changes: [] }
const RAISED: Activity['rows'][number] = {
  id: 9,
  action: 'changed',
  at: AT,
  by: { kind: 'key', name: 'Billing' },
  changes: [{ field: 'amount', before: 100, after: 120 }],
}

interface Answers {
  notes?: Note[]
  add?: () => Note | Promise<Note>
  remove?: () => void
  list?: (input: { cursor?: string | undefined }) => Activity
}

function pageOf(rows: Activity['rows'], last: string | null = null): Activity {
  return { total: 2, rows, first: 'a', last: last ?? 'z', more: last !== null }
}

function open({ notes = [NOTE], add, remove, list = () => pageOf([CREATED]) }: Answers = {}) {
  let stored = notes
  const server = trpcServer({
    activity: { list },
    notes: {
      list: () => stored,
      add: async ({ text }) => {
        const added = (await add?.()) ?? { ...NOTE, id: 2, text }
        stored = [added, ...stored]
        return added
      },
      update: ({ id, text }) => {
        const changed = { ...NOTE, id: Number(id), text, editedAt: AT }
        stored = stored.map((one) => (one.id === id ? changed : one))
        return changed
      },
      remove: ({ id }) => {
        remove?.()
        stored = stored.filter((one) => one.id !== id)
      },
    },
  })
  const page = (
    <>
      <History about="contract" id={31} />
      <Link to="/customers">Away</Link>
    </>
  )
  return { server, ...renderRouted(page) }
}

const notes = async () => within(await screen.findByRole('list', { name: 'Notes' })).getAllByRole('listitem')
const activity = async () => within(await screen.findByRole('list', { name: 'Activity' })).getAllByRole('listitem')

describe('notes', () => {
  test('are listed with who wrote them and when', async () => {
    open({ notes: [{ ...NOTE, editedAt: AT }] })
    expect((await notes())[0]).toHaveTextContent('Call in MayAnn Lee, Mar 10, 2026, edited')
  })

  test('that others wrote cannot be changed', async () => {
    open({ notes: [{ ...NOTE, isOwn: false }] })
    expect((await notes())[0]).toHaveTextContent('Call in May')
    expect(screen.queryByRole('button', { name: 'Edit' })).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Delete' })).not.toBeInTheDocument()
  })

  test('are added, and the focus returns to the button', async () => {
    const { server, user } = open({ notes: [] })
    expect(await screen.findByText('No notes yet')).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Add Note' }))
    const field = screen.getByRole('textbox', { name: 'New note' })
    expect(field).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Save Note' }))
    expect(field).toHaveAccessibleDescription('Write a note')
    await user.type(field, 'Wants a quote')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect((await notes())[0]).toHaveTextContent('Wants a quote')
    expect(screen.getByRole('button', { name: 'Add Note' })).toHaveFocus()
    expect(server.callsOf('notes.add')).toEqual([{ about: 'contract', id: 31, text: 'Wants a quote' }])
  })

  test('stay in their form until they are stored', async () => {
    const { answer, tell } = whenTold<Note>()
    const { user } = open({ notes: [NOTE], add: answer })
    await user.click(await screen.findByRole('button', { name: 'Add Note' }))
    await user.type(screen.getByRole('textbox', { name: 'New note' }), 'Wants a quote')
    await user.dblClick(screen.getByRole('button', { name: 'Save Note' }))
    expect(screen.getByRole('textbox', { name: 'New note' })).toHaveValue('Wants a quote')
    tell({ ...NOTE, id: 2, text: 'Wants a quote' })
    await waitFor(() => expect(screen.queryByRole('textbox')).not.toBeInTheDocument())
  })

  test('that are being written are not lost without a question by who leaves the page', async () => {
    const { user, address } = open()
    const leave = () => user.click(screen.getByRole('link', { name: 'Away' }))
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    await user.type(screen.getByRole('textbox', { name: 'Note' }), ' at noon')
    await leave()
    const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    expect(address()).toBe('/here')
    expect(screen.getByRole('textbox', { name: 'Note' })).toHaveValue('Call in May at noon')
    await user.click(screen.getByRole('button', { name: 'Save Note' }))
    await waitFor(() => expect(screen.queryByRole('textbox')).not.toBeInTheDocument())
    await leave()
    await waitFor(() => expect(address()).toBe('/customers'))
  })

  test('of which two are being written are asked about once by who leaves the page', async () => {
    const { user, address } = open({ notes: [NOTE, { ...NOTE, id: 2, text: 'Call in June' }] })
    const [first, second] = await screen.findAllByRole('button', { name: 'Edit' })
    for (const edit of [first, second]) if (edit) await user.click(edit)
    for (const field of screen.getAllByRole('textbox', { name: 'Note' })) await user.type(field, ' at noon')
    await user.click(screen.getByRole('link', { name: 'Away' }))
    const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
    await user.click(question.getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(address()).toBe('/customers'))
  })

  test('of which one was stored are asked about for the other', async () => {
    const { user, address } = open({ notes: [NOTE, { ...NOTE, id: 2, text: 'Call in June' }] })
    const [first, second] = await screen.findAllByRole('button', { name: 'Edit' })
    for (const edit of [first, second]) if (edit) await user.click(edit)
    for (const field of screen.getAllByRole('textbox', { name: 'Note' })) await user.type(field, ' at noon')
    const [save] = screen.getAllByRole('button', { name: 'Save Note' })
    if (save) await user.click(save)
    await waitFor(() => expect(screen.getAllByRole('textbox')).toHaveLength(1))
    await user.click(screen.getByRole('link', { name: 'Away' }))
    expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
    expect(address()).toBe('/here')
  })

  test('whose deletion is refused come back', async () => {
    const { user } = open({
      remove: () => {
        throw new AppError('FAULT')
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Failed to delete note')).toBeVisible()
    expect((await notes())[0]).toHaveTextContent('Call in May')
  })

  test('that are deleted by keyboard leave the focus on the next one, the one before, and then on the button that adds', async () => {
    const others = { ...NOTE, isOwn: false }
    const listed = [
      { ...NOTE, id: 1, text: 'First' },
      { ...others, id: 2, text: 'Of somebody else' },
      { ...NOTE, id: 3, text: 'Third' },
      { ...NOTE, id: 4, text: 'Fourth' },
    ]
    const { user } = open({ notes: listed })
    const deletionOf = async (text: string) => {
      const entry = (await notes()).find(({ textContent }) => textContent.includes(text))
      return within(entry ?? document.body).getByRole('button', { name: 'Delete' })
    }
    const deleteFocused = async () => {
      await user.keyboard('{Enter}')
      const dialog = within(await screen.findByRole('dialog', { name: 'Delete Note' }))
      act(() => dialog.getByRole('button', { name: 'Delete' }).focus())
      await user.keyboard('{Enter}')
    }
    const first = await deletionOf('First')
    act(() => first.focus())
    await deleteFocused()
    await waitFor(async () => expect(await deletionOf('Third')).toHaveFocus())
    const last = await deletionOf('Fourth')
    act(() => last.focus())
    await deleteFocused()
    await waitFor(async () => expect(await deletionOf('Third')).toHaveFocus())
    await deleteFocused()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add Note' })).toHaveFocus())
    expect(await notes()).toHaveLength(1)
  })

  test('are not lost by Escape or by a save that fails', async () => {
    const { user } = open({
      add: () => {
        throw new AppError('FAULT')
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Add Note' }))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'Add Note' }))
    const field = screen.getByRole('textbox', { name: 'New note' })
    await user.type(field, 'Wants a quote{Escape}')
    expect(field).toHaveValue('Wants a quote')
    await user.click(screen.getByRole('button', { name: 'Save Note' }))
    expect(await screen.findByText('Failed to save note')).toBeVisible()
    expect(await screen.findByRole('textbox', { name: 'New note' })).toHaveValue('Wants a quote')
    expect(screen.queryByRole('list', { name: 'Notes' })).toHaveTextContent(/^Call in May/)
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
  })

  test('are changed in their place, and deleted after a question', async () => {
    const { server, user } = open()
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const field = screen.getByRole('textbox', { name: 'Note' })
    await user.clear(field)
    await user.type(field, 'Call in June')
    await user.click(screen.getByRole('button', { name: 'Save Note' }))
    expect(await screen.findByText('Call in June')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Note' }))
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('No notes yet')).toBeVisible()
    expect(server.callsOf('notes.remove')).toEqual([{ id: 1 }])
  })
})

describe('activity', () => {
  test('says what was changed, by whom and when; more is shown on demand', async () => {
    const { server, user } = open({ list: ({ cursor }) => (cursor ? pageOf([CREATED]) : pageOf([RAISED], 'a')) })
    expect((await activity())[0]).toHaveTextContent(
      /^ChangedAPI key Billing, Mar 10, 2026, .*Amount: \$100.00 to \$120.00$/,
    )
    await user.click(screen.getByRole('button', { name: 'Show More' }))
    await expect.poll(async () => (await activity()).length).toBe(2)
    expect((await activity())[1]).toHaveTextContent(/^AddedAnn Lee, Mar 10, 2026/)
    expect(screen.queryByRole('button', { name: 'Show More' })).not.toBeInTheDocument()
    expect(server.callsOf('activity.list')).toMatchObject([{ id: 31 }, { id: 31, cursor: 'a' }])
  })

  test('that cannot be fetched says so', async () => {
    open({
      list: () => {
        throw new AppError('FAULT')
      },
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch activity')
  })
})
