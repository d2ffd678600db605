import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aPage } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import { NotificationBell } from './notification-bell.tsx'

const OVERDUE = {
  id: 4,
  type: 'overdue' as const,
  title: 'Acme is overdue',
  message: 'The contract should have been renewed',
  isRead: false,
  createdAt: new Date(Date.now() - 2 * 3_600_000),
  actionUrl: '/contracts?status=active',
}

type FakeList = ReturnType<typeof aPage<typeof OVERDUE>>

function aBell(answers: FakeAnswers['notifications'] = {}) {
  const server = trpcServer({
    notifications: {
      unreadCount: () => ({ count: 1 }),
      list: () => aPage([OVERDUE]),
      markRead: async () => {},
      ...answers,
    },
  })
  return { server, ...renderRouted(<NotificationBell />) }
}

test('the badge counts up to 9, then says 9+', async () => {
  aBell({ unreadCount: () => ({ count: 12 }) })
  expect(await screen.findByRole('button', { name: 'Notifications, 9+ unread' })).toBeVisible()
  expect(screen.getByText('9+')).toBeVisible()
})

test('without anything unread there is no badge', async () => {
  aBell({ unreadCount: () => ({ count: 0 }) })
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeVisible()
  expect(screen.queryByText('0')).not.toBeInTheDocument()
})

test('the unread count is asked for every 30 seconds', async () => {
  const time = movableTime()
  const counts = [9, 10]
  const { server } = aBell({ unreadCount: () => ({ count: counts[0] ?? 0 }) })
  const asked = () => server.callsOf('notifications.unreadCount').length
  expect(await screen.findByText('9')).toBeVisible()
  const before = asked()
  counts.shift()
  await act(() => time.pass(29_000))
  expect(asked()).toBe(before)
  await act(() => time.pass(1500))
  expect(asked()).toBe(before + 1)
  expect(await screen.findByText('9+')).toBeVisible()
})

test('while the latest are fetched, that is said', async () => {
  const { answer, tell } = whenTold<FakeList>()
  trpcServer({ notifications: { unreadCount: () => ({ count: 0 }), list: answer } })
  const { user } = renderRouted(<NotificationBell />)
  await user.click(await screen.findByRole('button', { name: /Notifications/ }))
  await waitFor(() => expect(screen.getByText('Loading...')).toBeVisible())
  tell(aPage([]))
  expect(await screen.findByText('No notifications')).toBeVisible()
  expect(screen.queryByText('Loading...')).not.toBeInTheDocument()
})

test('the bell lists the 10 latest notifications with how long ago they came', async () => {
  const { user, server } = aBell()
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
  expect(await screen.findByText('Acme is overdue')).toBeVisible()
  expect(screen.getByText('2h ago')).toBeVisible()
  expect(server.callsOf('notifications.list')).toContainEqual({ limit: 10 })
})

test('without any it says so, and leads to the notifications page', async () => {
  const { user } = aBell({ list: () => aPage([]) })
  await user.click(await screen.findByRole('button', { name: /Notifications/ }))
  expect(await screen.findByText('No notifications')).toBeVisible()
  expect(screen.getByRole('link', { name: 'View all notifications' })).toHaveAttribute('href', '/notifications')
})

test('clicking a notification marks it read and follows it', async () => {
  const { user, server, address } = aBell()
  await user.click(await screen.findByRole('button', { name: /Notifications/ }))
  await user.click(await screen.findByRole('button', { name: /^Acme is overdue/ }))
  await waitFor(() => expect(server.callsOf('notifications.markRead')).toContainEqual({ id: 4 }))
  await waitFor(() => expect(address()).toBe('/contracts?status=active'))
})

test('a notification does not lead out of the app', async () => {
  const { user, server, address } = aBell({ list: () => aPage([{ ...OVERDUE, actionUrl: '//evil.test' }]) })
  await user.click(await screen.findByRole('button', { name: /Notifications/ }))
  await user.click(await screen.findByRole('button', { name: /^Acme is overdue/ }))
  await waitFor(() => expect(server.callsOf('notifications.markRead')).toHaveLength(1))
  expect(address()).toBe('/here')
})

test('each notification has a button that clears it', async () => {
  const list = [OVERDUE]
  const { user, server } = aBell({
    list: () => aPage(list),
    remove: async () => {
      list.shift()
      return { clearedAt: new Date() }
    },
  })
  await user.click(await screen.findByRole('button', { name: /Notifications/ }))
  await user.click(await screen.findByRole('button', { name: 'Clear Acme is overdue' }))
  expect(await screen.findByText('No notifications')).toBeVisible()
  expect(server.callsOf('notifications.remove')).toContainEqual({ id: 4 })
})

test('clearing an unread one counts down before the server has answered', async () => {
  const { user } = aBell({ unreadCount: () => ({ count: 3 }), remove: whenTold<never>().answer })
  const bell = await screen.findByRole('button', { name: 'Notifications, 3 unread' })
  await user.click(bell)
  await user.click(await screen.findByRole('button', { name: 'Clear Acme is overdue' }))
  await waitFor(() => expect(screen.getByText('2')).toBeInTheDocument())
})

test('one that cannot be cleared says why', async () => {
  const { user } = aBell({
    remove: () => Promise.reject(new AppError('FAULT')),
  })
  await user.click(await screen.findByRole('button', { name: /Notifications/ }))
  await user.click(await screen.findByRole('button', { name: 'Clear Acme is overdue' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to clear the notification')
})
