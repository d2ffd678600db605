import type { UserResource } from '@clerk/clerk-react/types'
import { Link } from '@tanstack/react-router'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderRouted, sessionOf } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { ProfileCard } from './profile-card.tsx'
import { SettingsCards } from './settings-cards.tsx'

function openCard(
  update: (names: object) => Promise<unknown> = async () => undefined,
  reminders: FakeAnswers['reminders'] = {},
) {
  const server = trpcServer({ reminders: { ownBounce: () => null, ...reminders } })
  const user: UserResource = {
    ...JSON.parse('{ "firstName": "Ada", "lastName": "Lovelace" }'),
    primaryEmailAddress: { emailAddress: 'ada@example.com' },
    phoneNumbers: [{ phoneNumber: '+1 555 0100' }, { phoneNumber: '+1 555 0199' }],
    createdAt: new Date('2026-01-15T12:00:00Z'),
    updatedAt: new Date('2026-11-02T12:00:00Z'),
    update: vi.fn(update),
  }
  return { server, update: user.update, ...renderRouted(<Profile />, sessionOf(user)) }
}

function Profile() {
  return (
    <>
      <Link to="/dashboard">Dashboard</Link>
      <ProfileCard />
    </>
  )
}

const facts = () => screen.getAllByRole('term').map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`)

test('the card shows names, email, the first phone number, Member Since and Last Updated', async () => {
  openCard()
  await screen.findByText('ada@example.com')
  expect(facts()).toEqual([
    'First name: Ada',
    'Last name: Lovelace',
    'Email: ada@example.com',
    'Phone: +1 555 0100',
    expect.stringMatching(/^Member Since: .*Jan 15, 2026/),
    expect.stringMatching(/^Last Updated: .*Nov 2, 2026/),
  ])
})

test('only first and last name are edited, and Save sends these two', async () => {
  const { user, update } = openCard()
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const form = within(screen.getByRole('form', { name: 'Personal details' }))
  expect(form.getAllByRole('textbox').map((field) => field.getAttribute('autocomplete'))).toEqual([
    'given-name',
    'family-name',
  ])
  expect(form.getByLabelText('First name')).toHaveFocus()
  await user.clear(form.getByLabelText('First name'))
  await user.type(form.getByLabelText('First name'), ' Augusta ')
  await user.click(form.getByRole('button', { name: 'Save' }))
  expect(update).toHaveBeenCalledWith({ firstName: 'Augusta', lastName: 'Lovelace' })
  await waitFor(() => expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus())
})

test('mail that bounced from the address is told, until its owner says that it works again', async () => {
  const bounce = { address: 'ada@example.com', bouncedAt: new Date('2026-11-20T12:00:00Z'), answer: '550 no such user' }
  const waiting = { current: true }
  const { user, server } = openCard(undefined, {
    ownBounce: () => (waiting.current ? bounce : null),
    clearOwnBounce: () => void (waiting.current = false),
  })
  expect(await screen.findByText('Email to ada@example.com bounced')).toBeVisible()
  expect(screen.getByText(/: 550 no such user. Reminders to this address are off until you change it/)).toBeVisible()
  screen.getByRole('button', { name: 'Mark as Working' }).focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Reminders will go to ada@example.com again')).toBeVisible()
  expect(server.callsOf('reminders.clearOwnBounce')).toHaveLength(1)
  await waitFor(() => expect(screen.queryByText('Email to ada@example.com bounced')).not.toBeInTheDocument())
  expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus()
})

test('where nobody can tell whether mail bounced, that is said, and Retry asks again', async () => {
  const failing = { current: true }
  const { user } = openCard(undefined, {
    ownBounce: () => {
      if (failing.current) throw new AppError('FAULT')
      return { address: 'ada@example.com', bouncedAt: new Date(), answer: null }
    },
  })
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to check your email address')
  failing.current = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Email to ada@example.com bounced')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument()
})

test('mail that bounced stays told where that could not be saved', async () => {
  const { user } = openCard(undefined, {
    ownBounce: () => ({ address: 'ada@example.com', bouncedAt: new Date(), answer: null }),
    clearOwnBounce: () => {
      throw new AppError('FAULT')
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Mark as Working' }))
  expect(await screen.findByText('Failed to mark the address as working')).toBeVisible()
  expect(screen.getByText('Email to ada@example.com bounced')).toBeVisible()
})

test('Cancel leaves the names as they were', async () => {
  const { user, update } = openCard()
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await user.type(screen.getByLabelText('First name'), 'bert')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(facts()[0]).toBe('First name: Ada')
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  expect(screen.getByLabelText('First name')).toHaveValue('Ada')
  expect(update).not.toHaveBeenCalled()
})

test('leaving the page asks first while a name that was typed is not saved', async () => {
  const { user, address } = openCard()
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await user.type(screen.getByLabelText('First name'), 'bert')
  await user.click(screen.getByRole('link', { name: 'Dashboard' }))
  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  expect(address()).toBe('/here')
  expect(screen.getByLabelText('First name')).toHaveValue('Adabert')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByRole('button', { name: 'Edit' })
  await user.click(screen.getByRole('link', { name: 'Dashboard' }))
  await waitFor(() => expect(address()).toBe('/dashboard'))
})

test('names that could not be saved stay in the form, with the reason', async () => {
  const { user } = openCard(() => Promise.reject(new Error('First name is too long')))
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await user.type(screen.getByLabelText('First name'), '!')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('First name is too long')
  expect(screen.getByLabelText('First name')).toHaveValue('Ada!')
})

test('settings lead to the company, the notifications and security, and Appearance is there', async () => {
  renderRouted(<SettingsCards />)
  expect(await screen.findByRole('link', { name: 'Notification Settings' })).toHaveAttribute(
    'href',
    '/notifications/settings',
  )
  expect(screen.getByRole('link', { name: 'Security Settings' })).toHaveAttribute('href', '/profile/security')
  expect(screen.queryByText('Coming Soon')).toBeNull()
  expect(screen.getByRole('link', { name: 'Company Settings' })).toHaveAttribute('href', '/company')
  expect(screen.getAllByRole('radio').map((choice) => choice.getAttribute('value'))).toEqual(['light', 'dark', 'auto'])
})
