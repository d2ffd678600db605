import { act, screen, waitFor, within } from '@testing-library/react'
import { Link } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { NoAnswer, trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import type { Settings } from '#client/mail/reminder-words.ts'
import { SettingsScreen } from './settings-screen.tsx'

const SAVED: Settings = {
  enableNotifications: true,
  reminderDays: [30, 14, 7, 1],
  followUpDays: [1, 3, 7],
  notificationMethods: { email: true, inApp: true },
  hour: 8,
  senderName: null,
  replyTo: null,
  timeZone: 'America/New_York',
  ownerEmail: 'owner@mill.test',
}
const NOTHING = { count: 0, first: [] }
const LIMITS = {
  sentToday: 0,
  limit: 1000,
  limitPerAddress: 5,
  limitWithPaidPlan: null,
  resetsAt: new Date('2026-11-23T00:00:00Z'),
}

function openSettings(answers: NonNullable<FakeAnswers['reminders']> = {}) {
  const server = trpcServer({
    reminders: {
      settings: () => SAVED,
      mailLimits: () => LIMITS,
      previewSettings: () => ({ added: NOTHING, removed: NOTHING, onlyFirst: null }),
      saveSettings: ({ senderName: _name, replyTo: _replyTo, ...input }) => ({ ...SAVED, ...input }),
      ...answers,
    },
  })
  return {
    server,
    ...renderRouted(
      <SettingsScreen>
        <Link to="/notifications">Notifications</Link>
      </SettingsScreen>,
    ),
  }
}

const save = () => screen.findByRole('button', { name: 'Save Settings' })
const group = (name: string) => within(screen.getByRole('group', { name }))

test('the settings are shown as they are saved, with every option of the specification', async () => {
  openSettings()
  expect(await screen.findByRole('switch', { name: 'Enable notifications' })).toBeChecked()
  const chosen = (name: string) =>
    group(name)
      .getAllByRole<HTMLInputElement>('checkbox')
      .map((box) => [box.labels?.[0]?.textContent, box.checked])
  expect(chosen('Renewal reminders')).toEqual([
    ['30 days', true],
    ['14 days', true],
    ['7 days', true],
    ['3 days', false],
    ['1 day', true],
  ])
  expect(chosen('Follow-ups')).toEqual([
    ['1 day', true],
    ['3 days', true],
    ['7 days', true],
    ['14 days', false],
    ['30 days', false],
  ])
  expect(screen.getByRole('switch', { name: 'Email' })).toBeChecked()
  expect(screen.getByRole('switch', { name: 'In-app notifications' })).toBeChecked()
  expect(screen.getByRole('combobox', { name: 'Time of day' })).toHaveValue('8')
})

test('Save is disabled until something has changed, and again once it is as it was', async () => {
  const { user } = openSettings()
  expect(await save()).toBeDisabled()
  await user.click(group('Renewal reminders').getByRole('checkbox', { name: '3 days' }))
  expect(await save()).toBeEnabled()
  await user.click(group('Renewal reminders').getByRole('checkbox', { name: '3 days' }))
  expect(await save()).toBeDisabled()
})

test('reminder offsets are kept sorted descending, follow-ups ascending, and saving says so', async () => {
  const { user, server } = openSettings()
  await save()
  await user.click(group('Renewal reminders').getByRole('checkbox', { name: '3 days' }))
  await user.click(group('Follow-ups').getByRole('checkbox', { name: '1 day' }))
  await user.click(group('Follow-ups').getByRole('checkbox', { name: '30 days' }))
  await user.click(group('Follow-ups').getByRole('checkbox', { name: '1 day' }))
  await user.click(await save())
  expect(await screen.findByText('Notification settings saved successfully!')).toBeVisible()
  expect(server.callsOf('reminders.saveSettings')).toMatchObject([
    { reminderDays: [30, 14, 7, 3, 1], followUpDays: [1, 3, 7, 30] },
  ])
  expect(await save()).toBeDisabled()
})

test('that the settings were saved is said for 3 seconds', async () => {
  const time = movableTime()
  const { user } = openSettings()
  await user.click(await screen.findByRole('switch', { name: 'Email' }))
  await user.click(await save())
  expect(await screen.findByText('Notification settings saved successfully!')).toBeVisible()
  expect(time.waits()).toContain(3000)
  await act(() => time.pass(3000))
  await waitFor(() => expect(screen.queryByText('Notification settings saved successfully!')).not.toBeInTheDocument())
})

test('that notifications are off can be saved', async () => {
  const { user, server } = openSettings()
  await user.click(await screen.findByRole('switch', { name: 'Enable notifications' }))
  await user.click(await save())
  await waitFor(() => expect(server.callsOf('reminders.saveSettings')).toMatchObject([{ enableNotifications: false }]))
})

test('while it is saved, it cannot be saved again', async () => {
  const { answer, tell } = whenTold<Settings>()
  const { user } = openSettings({ saveSettings: answer })
  await user.click(await screen.findByRole('switch', { name: 'Email' }))
  await user.click(await save())
  expect(await screen.findByRole('button', { name: 'Saving...' })).toBeDisabled()
  tell(SAVED)
  expect(await screen.findByText('Notification settings saved successfully!')).toBeVisible()
})

test('what is chosen while it is saved stays, and can be saved next', async () => {
  const { answer, tell } = whenTold<Settings>()
  const { user } = openSettings({ saveSettings: answer })
  const hour = await screen.findByRole('combobox', { name: 'Time of day' })
  await user.selectOptions(hour, '9')
  await user.click(await save())
  await screen.findByRole('button', { name: 'Saving...' })
  await user.selectOptions(hour, '10')
  tell({ ...SAVED, hour: 9 })
  expect(await screen.findByText('Notification settings saved successfully!')).toBeVisible()
  expect(hour).toHaveValue('10')
  expect(await save()).toBeEnabled()
})

test('a change shows first what it would change', async () => {
  const message = {
    contractId: 31,
    customerName: 'Harbor Bakery',
    renewalDate: toDay('2026-12-24'),
    kind: 'reminder',
    offset: 3,
    day: toDay('2026-12-21'),
    recipient: 'customer',
    contactId: 0,
    contactName: null,
    channel: 'email',
    obstacle: null,
  } as const
  const { user, server } = openSettings({
    previewSettings: () => ({ added: { count: 12, first: [message] }, removed: NOTHING, onlyFirst: null }),
  })
  await save()
  expect(server.callsOf('reminders.previewSettings')).toEqual([])
  await user.click(group('Renewal reminders').getByRole('checkbox', { name: '3 days' }))
  expect(await screen.findByText('12 more messages')).toBeVisible()
  expect(screen.getByText('Harbor Bakery: 3 days before renewal, on Dec 21, 2026 (Customer, by email)')).toBeVisible()
  expect(screen.getByText('and 11 more')).toBeVisible()
  expect(server.callsOf('reminders.saveSettings')).toEqual([])
})

test('where not every contract was looked at, the preview says that there may be more', async () => {
  const preview = { added: NOTHING, removed: { count: 15_000, first: [] }, onlyFirst: 5000 }
  const { user } = openSettings({ previewSettings: () => preview })
  await save()
  await user.click(group('Renewal reminders').getByRole('checkbox', { name: '3 days' }))
  expect(await screen.findByText('At least 15,000 fewer messages')).toBeVisible()
})

test('another hour says when messages would go out', async () => {
  const { user } = openSettings()
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Time of day' }), '17')
  expect(await screen.findByText(/Messages would go out at 5:00 PM instead of 8:00 AM/)).toBeVisible()
  expect(screen.getByText('The same messages would be sent.')).toBeVisible()
})

test('Cancel brings back what is saved', async () => {
  const { user } = openSettings()
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Time of day' }), '9')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByRole('combobox', { name: 'Time of day' })).toHaveValue('8')
  expect(await save()).toBeDisabled()
})

test('leaving with something unsaved asks first', async () => {
  const { user, address } = openSettings()
  await user.click(await screen.findByRole('switch', { name: 'Email' }))
  await user.click(screen.getByRole('link', { name: 'Notifications' }))
  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByRole('switch', { name: 'Email' })).not.toBeChecked()
  await user.click(await save())
  expect(await screen.findByText('Notification settings saved successfully!')).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Notifications' }))
  await waitFor(() => expect(address()).toBe('/notifications'))
})

test.each([
  [new AppError('FAULT'), 'Failed to save settings'],
  [new NoAnswer(), 'Failed to save settings'],
  [new AppError('PAYMENT_OVERDUE'), 'Your last payment failed, so TRAXX is read-only until you update your card'],
])('settings that cannot be saved say why and stay as they were chosen: %s', async (failure, text) => {
  const { user } = openSettings({ saveSettings: () => Promise.reject(failure) })
  await user.click(await screen.findByRole('switch', { name: 'Email' }))
  await user.click(await save())
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(screen.getByRole('switch', { name: 'Email' })).not.toBeChecked()
  expect(await save()).toBeEnabled()
})

test.each([new AppError('FAULT'), new NoAnswer()])(
  'settings that cannot be loaded leave a text and a Retry: %s',
  async (failure) => {
    const failing = { current: true }
    const { user } = openSettings({ settings: () => (failing.current ? Promise.reject(failure) : SAVED) })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load notification settings')
    failing.current = false
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await save()).toBeDisabled()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  },
)
