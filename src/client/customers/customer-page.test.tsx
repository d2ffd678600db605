import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aCustomer } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { CustomerPage } from './customer-page.tsx'

const BOUNCE = { address: 'orders@harbor.test', bouncedAt: new Date('2026-03-01T12:00:00Z'), answer: null }

function open(answers: object = {}, bounce: typeof BOUNCE | null = null, clearBounce?: () => void) {
  const stored = aCustomer({ id: 7, name: 'Harbor Bakery', email: 'orders@harbor.test', phone: null })
  let bounced = bounce
  const onDeleted = vi.fn(() => {})
  const server = trpcServer({
    customers: {
      get: () => stored,
      update: ({ phone }) => Object.assign(stored, { phone }),
      remove: () => undefined,
      ...answers,
    },
    reminders: { bounce: () => bounced, clearBounce: clearBounce ?? (() => void (bounced = null)) },
  })
  const shown = renderRouted(
    <CustomerPage
      navigation={null}
      id={7}
      next={<p>What comes next</p>}
      messages={<p>Their messages</p>}
      contracts={<p>Their contracts</p>}
      contacts={<p>Their contacts</p>}
      notice={null}
      history={<p>Their history</p>}
      onDeleted={onDeleted}
    />,
  )
  return { server, onDeleted, ...shown }
}

test('shows how to reach a customer, and what is about them', async () => {
  open()
  expect(await screen.findByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()
  for (const [term, detail] of [
    ['Phone', 'No phone'],
    ['Email', 'orders@harbor.test'],
    ['Address', '12 Pier Road'],
    ['Notifications', 'Enabled'],
    ['Date Added', 'Nov 3, 2026'],
    ['Customer ID', '7'],
  ] as const) {
    expect(screen.getByText(term).nextElementSibling).toHaveTextContent(detail)
  }
  expect(screen.getByText('Their contracts')).toBeVisible()
  expect(screen.getByText('Their contacts')).toBeVisible()
  expect(screen.getByText('What comes next')).toBeVisible()
  expect(screen.getByText('Their messages')).toBeVisible()
  expect(screen.getByText('Their history')).toBeVisible()
})

test('an email address in a narrow column breaks between its words', async () => {
  open()
  const email = await screen.findByRole('button', { name: /^Edit Email: orders@/ })
  expect(email.innerHTML).toContain('orders@<wbr>harbor.<wbr>test')
})

test('a customer is edited and deleted from their page', async () => {
  const { server, user, onDeleted } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit Customer' }))
  await user.type(form.getByRole('textbox', { name: 'Phone' }), '555-0100')
  await user.click(form.getByRole('button', { name: /^Save|^Update/ }))
  expect(await screen.findByText('555-0100')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await expect.poll(() => onDeleted.mock.calls.length).toBe(1)
  expect(server.callsOf('customers.remove')).toEqual([{ id: 7 }])
})

test('an address that bounced is marked as working, and the focus stays on the page', async () => {
  const { server, user } = open({}, BOUNCE)
  expect(await screen.findByText('Email to orders@harbor.test bounced')).toBeVisible()
  screen.getByRole('button', { name: 'Mark as Working' }).focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Reminders will go to orders@harbor.test again')).toBeVisible()
  await expect.poll(() => screen.queryByText('Email to orders@harbor.test bounced')).toBeNull()
  expect(server.callsOf('reminders.clearBounce')).toEqual([{ id: 7 }])
  expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus()
})

test('a bounce stays told if it cannot be saved that the address works', async () => {
  const { user } = open({}, BOUNCE, () => {
    throw new AppError('FAULT')
  })
  await user.click(await screen.findByRole('button', { name: 'Mark as Working' }))
  expect(await screen.findByText('Failed to mark the address as working')).toBeVisible()
  expect(screen.getByText('Email to orders@harbor.test bounced')).toBeVisible()
})

test('bounces are not asked for where there is no address', async () => {
  const { server } = open({ get: () => aCustomer({ id: 7, email: null }) })
  expect(await screen.findByText('No email')).toBeVisible()
  expect(server.callsOf('reminders.bounce')).toEqual([])
})

test('one that there is not is said not to be found, with a way on', async () => {
  open({
    get: () => {
      throw new AppError('CUSTOMER_NOT_FOUND')
    },
  })
  expect(await screen.findByRole('heading', { name: 'Customer not found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to Customers' })).toHaveAttribute('href', '/customers')
})

test('how to reach a customer is edited where it is shown', async () => {
  const { server, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit Phone: No phone' }))
  await user.keyboard('555-0100{Enter}')
  expect(await screen.findByRole('button', { name: 'Edit Phone: 555-0100' })).toBeVisible()
  expect(server.callsOf('customers.update')).toEqual([{ id: 7, version: 1, phone: '555-0100' }])
  await user.click(screen.getByRole('button', { name: 'Edit Name: Harbor Bakery' }))
  await user.clear(screen.getByRole('textbox', { name: 'Name' }))
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Customer name is required')).toBeVisible()
})
