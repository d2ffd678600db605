import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import type { Notification } from './notification-item.tsx'
import { NotificationsSearch } from './notifications-search.ts'
import { NotificationsScreen } from './notifications-screen.tsx'

type Answers = NonNullable<FakeAnswers['notifications']>

function aNotification(given: Partial<Notification> = {}): Notification {
  return {
    id: 5,
    type: 'renewal_reminder',
    title: 'Renewal in 7 days',
    message: 'Harbor Bakery renews on November 28.',
    isRead: false,
    createdAt: new Date(),
    actionUrl: '/contracts?search=Harbor',
    ...given,
  }
}

function openNotifications(list: Notification[], answers: Answers = {}) {
  const server = trpcServer({
    notifications: {
      list: ({ unread, skip }) =>
        pageOf(
          list.filter(({ isRead }) => !unread || !isRead),
          Number(skip ?? 0),
        ),
      markRead: () => undefined,
      ...answers,
    },
  })
  const onFollow = vi.fn()
  return { server, onFollow, ...renderScreen(<Address onFollow={onFollow} />) }
}

/** As the server pages them. */
function pageOf(list: Notification[], skip: number) {
  const page = aPage(list.slice(skip, skip + 10), list.length)
  return { ...page, first: null, last: null }
}

const CLEARED = { clearedAt: new Date('2026-03-10T09:00:00Z') }

/** An answer that says when it was cleared. */
const clearing = (change: () => void) => () => {
  change()
  return CLEARED
}

function Address({ onFollow }: { onFollow: (path: string) => void }) {
  const [search, setSearch] = useState(NotificationsSearch.parse({}))
  const change = (changes: Partial<NotificationsSearch>) => setSearch((before) => ({ ...before, ...changes }))
  return <NotificationsScreen search={search} onSearch={change} onFollow={onFollow} />
}

test('the tabs count all and unread notifications', async () => {
  openNotifications([aNotification(), aNotification({ id: 6, isRead: true, title: 'Welcome' })])
  expect(await screen.findByRole('tab', { name: 'All (2)' })).toHaveAttribute('aria-selected', 'true')
  expect(screen.getByRole('tab', { name: 'Unread (1)' })).toBeInTheDocument()
})

test('the unread tab shows what has not been read', async () => {
  const { user } = openNotifications([aNotification(), aNotification({ id: 6, isRead: true, title: 'Welcome' })])
  await screen.findByText('Welcome')
  await user.click(screen.getByRole('tab', { name: 'Unread (1)' }))
  expect(screen.getByText('Renewal in 7 days')).toBeVisible()
  expect(screen.queryByText('Welcome')).not.toBeInTheDocument()
})

test('a notification shows title, message, type, time and whether it is new', async () => {
  openNotifications([aNotification()])
  const item = await screen.findByRole('listitem')
  expect(item).toHaveTextContent('Renewal in 7 days')
  expect(item).toHaveTextContent('Harbor Bakery renews on November 28.')
  expect(item).toHaveTextContent('Renewal Reminder')
  expect(item).toHaveTextContent('Today at')
  expect(within(item).getByRole('img', { name: 'Unread' })).toBeInTheDocument()
})

test.each([
  ['overdue', 'Overdue Notice'],
  ['follow_up', 'Follow-up'],
  ['other', 'Notification'],
] as const)('the type %s is shown as "%s"', async (type, label) => {
  openNotifications([aNotification({ type })])
  expect(await within(await screen.findByRole('listitem')).findByText(label)).toBeVisible()
})

test('a click marks it read and follows where it leads', async () => {
  const list = [aNotification()]
  const { server, onFollow, user } = openNotifications(list, {
    markRead: () => {
      list[0] = aNotification({ isRead: true })
    },
  })
  await user.click(await screen.findByRole('button', { name: /^(Unread )?Renewal in 7 days/ }))
  expect(server.callsOf('notifications.markRead')).toEqual([{ id: 5 }])
  expect(onFollow).toHaveBeenCalledExactlyOnceWith('/contracts?search=Harbor')
  expect(await screen.findByRole('tab', { name: 'Unread (0)' })).toBeInTheDocument()
})

test.each(['//evil.test', 'https://evil.test/', 'javascript:alert(1)', '/\\evil.test', '/\t/evil.test', ''])(
  'the address %j leads nowhere, and is marked read all the same',
  async (actionUrl) => {
    const { server, onFollow, user } = openNotifications([aNotification({ actionUrl })])
    await user.click(await screen.findByRole('button', { name: /^(Unread )?Renewal in 7 days/ }))
    await waitFor(() => expect(server.callsOf('notifications.markRead')).toEqual([{ id: 5 }]))
    expect(onFollow).not.toHaveBeenCalled()
  },
)

test.each([
  [0, /^Today at \d+:\d\d [AP]M$/],
  [1, /^Yesterday at \d+:\d\d [AP]M$/],
  [2, /^2 days ago$/],
  [6, /^6 days ago$/],
  [7, /^[A-Z][a-z]{2} \d+, \d{4}$/],
])('what came %i days ago says when', async (days, text) => {
  openNotifications([aNotification({ createdAt: new Date(Date.now() - days * 86_400_000) })])
  const item = within(await screen.findByRole('listitem'))
  expect(item.getByText((words) => text.test(words.replaceAll('\u202f', ' ')))).toBeVisible()
})

test('one that is read and leads nowhere is no button', async () => {
  openNotifications([aNotification({ isRead: true, actionUrl: null })])
  await screen.findByText('Renewal in 7 days')
  expect(screen.queryByRole('button', { name: /^(Unread )?Renewal/ })).not.toBeInTheDocument()
})

test('without notifications the page says what will come', async () => {
  openNotifications([])
  expect(await screen.findByRole('heading', { name: 'No notifications' })).toBeVisible()
  expect(screen.getByText("You'll see renewal reminders and other important updates here.")).toBeVisible()
})

test('with everything read the unread tab says so', async () => {
  const { user } = openNotifications([aNotification({ isRead: true })])
  await user.click(await screen.findByRole('tab', { name: 'Unread (0)' }))
  expect(await screen.findByRole('heading', { name: 'No unread notifications' })).toBeVisible()
  expect(screen.getByText("You're all caught up!")).toBeVisible()
})

test('what cannot be marked as read says why, and still leads on', async () => {
  const { onFollow, user } = openNotifications([aNotification()], {
    markRead: () => Promise.reject(new AppError('PAYMENT_OVERDUE')),
  })
  await user.click(await screen.findByRole('button', { name: /^(Unread )?Renewal in 7 days/ }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Your last payment failed')
  expect(onFollow).toHaveBeenCalledOnce()
})

test.each([
  [new AppError('FAULT'), 'Failed to fetch notifications'],
  [new NoAnswer(), 'Network error'],
])('notifications that cannot be fetched leave a text and a Retry: %s', async (failure, text) => {
  const failing = { current: true }
  const { user } = openNotifications([], {
    list: () => (failing.current ? Promise.reject(failure) : aPage([aNotification()])),
  })
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  failing.current = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(screen.getByText('Renewal in 7 days')).toBeVisible())
})

test('all are marked as read at once', async () => {
  const list = [aNotification(), aNotification({ id: 6 })]
  const { server, user } = openNotifications(list, {
    markAllRead: () => void list.splice(0, 2, aNotification({ isRead: true }), aNotification({ id: 6, isRead: true })),
  })
  await screen.findByRole('tab', { name: 'Unread (2)' })
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }))
  expect(await screen.findByRole('tab', { name: 'Unread (0)' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }))
  expect(server.callsOf('notifications.markAllRead')).toHaveLength(1)
})

test('one is cleared, and the focus stays in the list', async () => {
  const list = [aNotification(), aNotification({ id: 6, title: 'Welcome' })]
  const { server, user } = openNotifications(list, { remove: clearing(() => list.shift()) })
  await user.click(await screen.findByRole('button', { name: 'Clear Renewal in 7 days' }))
  expect(await screen.findByRole('tab', { name: 'All (1)' })).toBeVisible()
  expect(server.callsOf('notifications.remove')).toEqual([{ id: 5 }])
  expect(screen.getByRole('group', { name: 'Notifications' })).toHaveFocus()
})

test('when the last one is cleared, the focus is where it is said that there are none', async () => {
  const list = [aNotification()]
  const { user } = openNotifications(list, { remove: clearing(() => list.shift()) })
  await user.click(await screen.findByRole('button', { name: 'Clear Renewal in 7 days' }))
  await screen.findByRole('heading', { name: 'No notifications' })
  expect(screen.getByRole('group', { name: 'Notifications' })).toHaveFocus()
})

test.each([
  ['clear', 'Clear all'],
  ['markAllRead', 'Mark all as read'],
] as const)('while %s is under way and after it, its button keeps the focus', async (call, name) => {
  const { answer, tell } = whenTold<typeof CLEARED>()
  const list = [aNotification()]
  const { user } = openNotifications(list, { [call]: () => answer() })
  await screen.findByText('Renewal in 7 days')
  const button = screen.getByRole('button', { name })
  await user.click(button)
  expect(button).toBeEnabled()
  expect(button).toHaveFocus()
  list.splice(0)
  tell(CLEARED)
  await screen.findByRole('heading', { name: 'No notifications' })
  expect(button).toHaveFocus()
})

test('Clear all empties the list', async () => {
  const list = [aNotification(), aNotification({ id: 6, title: 'Welcome' })]
  const { user } = openNotifications(list, { clear: clearing(() => list.splice(0)) })
  await screen.findByText('Welcome')
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  expect(await screen.findByRole('heading', { name: 'No notifications' })).toBeVisible()
})

test('one is gone before the server has answered, a double click clears no other, and a refusal brings it back', async () => {
  const refusal = Promise.withResolvers<never>()
  const list = [aNotification(), aNotification({ id: 6, title: 'Welcome' })]
  const { server, user } = openNotifications(list, { remove: () => refusal.promise })
  const row = await screen.findByRole('button', { name: 'Clear Renewal in 7 days' })
  await user.click(row)
  await expect.poll(() => screen.queryByText('Renewal in 7 days')).toBeNull()
  // At the same place.
  fireEvent.click(screen.getByRole('button', { name: 'Clear Welcome' }), { detail: 2 })
  expect(server.callsOf('notifications.remove')).toEqual([{ id: 5 }])
  refusal.reject(new AppError('FAULT'))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to clear the notification')
  expect(await screen.findByText('Renewal in 7 days')).toBeVisible()
})

test('before the server has answered, the counts say that one or all are cleared', async () => {
  const list = Array.from({ length: 12 }, (_, n) => aNotification({ id: n + 1, title: `Notification ${n + 1}` }))
  const never = () => Promise.withResolvers<never>().promise
  const { user } = openNotifications(list, { remove: never, clear: never })
  await user.click(await screen.findByRole('button', { name: 'Clear Notification 1' }))
  expect(await screen.findByRole('tab', { name: 'All (11)' })).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Unread (11)' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  expect(await screen.findByRole('tab', { name: 'All (0)' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'No notifications' })).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Unread (0)' })).toBeVisible()
})

test('what cannot be cleared says why', async () => {
  const { user } = openNotifications([aNotification()], { clear: () => Promise.reject(new AppError('FAULT')) })
  await screen.findByText('Renewal in 7 days')
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to clear the notifications')
})

test('every one is reachable, a page at a time, and counted exactly', async () => {
  const list = Array.from({ length: 123 }, (_, n) => aNotification({ id: n + 1, title: `Notification ${n + 1}` }))
  const { user } = openNotifications(list)
  expect(await screen.findByRole('tab', { name: 'All (123)' })).toBeVisible()
  expect(screen.getByText('Showing 1 to 10 of 123')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Page 3' }))
  expect(await screen.findByText('Showing 21 to 30 of 123')).toBeVisible()
  expect(await screen.findByText('Notification 21')).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Unread (123)' })).toBeVisible()
})

test('what was cleared comes back by Undo, all that was cleared one after the other at once', async () => {
  const list = [aNotification(), aNotification({ id: 6, title: 'Welcome' })]
  const before = [...list]
  const { server, user } = openNotifications(list, {
    remove: clearing(() => list.shift()),
    restore: () => ({ restored: list.push(...before) }),
  })
  await user.click(await screen.findByRole('button', { name: 'Clear Renewal in 7 days' }))
  await screen.findByRole('tab', { name: 'All (1)' })
  await user.click(screen.getByRole('button', { name: 'Clear Welcome' }))
  await screen.findByRole('heading', { name: 'No notifications' })
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('tab', { name: 'All (2)' })).toBeVisible()
  expect(server.callsOf('notifications.restore')).toEqual([{ since: '2026-03-10T09:00:00.000Z' }])
})

test('Clear all can be undone', async () => {
  const list = [aNotification(), aNotification({ id: 6, title: 'Welcome' })]
  const before = [...list]
  const { user } = openNotifications(list, {
    clear: clearing(() => list.splice(0)),
    restore: () => ({ restored: list.push(...before) }),
  })
  await screen.findByText('Welcome')
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  await screen.findByText('All notifications cleared')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Welcome')).toBeVisible()
  expect(await screen.findByText('2 notifications restored')).toBeVisible()
})
