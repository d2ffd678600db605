import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import type { Contact } from './contact-form.ts'
import { Contacts } from './contacts.tsx'

const FIRST = {
  id: 0,
  customerId: 7,
  name: null,
  role: null,
  email: 'orders@harbor.test',
  phone: null,
  reminders: true,
  mailClosed: null,
  bounce: null,
  version: 1,
  isFirst: true,
}
const ADA = {
  ...FIRST,
  id: 5,
  name: 'Ada Lovelace',
  role: 'Buyer',
  email: 'ada@harbor.test',
  phone: '555-0100',
  isFirst: false,
}

function open(answers: object = {}) {
  const stored: Contact[] = [FIRST, { ...ADA }]
  const server = trpcServer({
    contacts: {
      list: () => stored,
      add: ({ name, email = null }) => {
        const added = { ...ADA, id: 6, name, email }
        stored.push(added)
        return added
      },
      update: ({ version: _version, ...changes }) => Object.assign(stored[1] ?? ADA, changes),
      remove: () => void stored.splice(1, 1),
      makeFirst: () => stored,
      ...answers,
    },
  })
  return { server, ...renderRouted(<Contacts customerId={7} />) }
}

async function entryOf(name: string) {
  const list = within(await screen.findByRole('list', { name: 'Contacts' }))
  const entry = list.getAllByRole('listitem').find(({ textContent }) => textContent.includes(name))
  if (!entry) throw new Error(`There is no entry of ${name}`)
  return within(entry)
}

test('shows who is written to, the first contact first, and how', async () => {
  open()
  const first = await entryOf('orders@harbor.test')
  expect(first.getByText('First contact')).toBeVisible()
  expect(first.queryByRole('button')).toBeNull()
  const ada = await entryOf('Ada Lovelace')
  expect(ada.getByText('Buyer')).toBeVisible()
  expect(ada.getByRole('link', { name: 'ada@harbor.test' })).toHaveAttribute('href', 'mailto:ada@harbor.test')
  expect(ada.getByRole('link', { name: '555-0100' })).toHaveAttribute('href', 'tel:555-0100')
})

test('a contact is added in a dialog', async () => {
  const { server, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Add Contact' }))
  const form = within(await screen.findByRole('dialog', { name: 'Add Contact' }))
  await user.click(form.getByRole('button', { name: 'Add Contact' }))
  expect(await form.findByText('Enter a name')).toBeVisible()
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'Bob')
  await user.type(form.getByRole('textbox', { name: 'Email' }), 'bob@harbor.test')
  await user.click(form.getByRole('button', { name: 'Add Contact' }))
  expect(await screen.findByRole('link', { name: 'bob@harbor.test' })).toBeVisible()
  const added = { id: 7, name: 'Bob', role: '', email: 'bob@harbor.test', phone: '', reminders: true }
  expect(server.callsOf('contacts.add')).toEqual([added])
})

test('an edit of what somebody else has changed meanwhile shows both, and asks which to keep', async () => {
  const theirs = { ...ADA, role: 'Owner', version: 2 }
  const stored: Contact[] = [FIRST, { ...ADA }]
  const { server, user } = open({
    list: () => stored,
    update: ({ version, ...changes }: { version: number; role: string }) => {
      if (version === 2) return Object.assign(theirs, changes)
      stored[1] = theirs
      throw new AppError('CONTACT_CHANGED')
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Edit Ada Lovelace' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit Contact' }))
  await user.clear(form.getByRole('textbox', { name: 'Role' }))
  await user.type(form.getByRole('textbox', { name: 'Role' }), 'Clerk')
  await user.click(form.getByRole('button', { name: 'Save Changes' }))
  expect(await form.findByText(/Owner/)).toBeVisible()
  await user.click(form.getByRole('button', { name: 'Save Changes' }))
  await expect
    .poll(() => server.callsOf('contacts.update'))
    .toEqual([
      { id: 5, version: 1, role: 'Clerk' },
      { id: 5, version: 2, role: 'Clerk' },
    ])
})

test('reminders to a contact are turned off at once', async () => {
  const { server, user } = open()
  await user.click(await screen.findByRole('switch', { name: 'Reminders to Ada Lovelace' }))
  await expect.poll(() => server.callsOf('contacts.update')).toEqual([{ id: 5, version: 1, reminders: false }])
})

test('turning reminders off keeps what somebody else has changed on the contact meanwhile', async () => {
  let ada = ADA
  const { server, user } = open({
    list: () => [FIRST, ada],
    update: ({ version }: { version: number }) => {
      if (version !== 2) throw new AppError('CONTACT_CHANGED')
      return { ...ADA, reminders: false, version: 3 }
    },
  })
  const reminders = await screen.findByRole('switch', { name: 'Reminders to Ada Lovelace' })
  ada = { ...ADA, role: 'Owner', version: 2 }
  await user.click(reminders)
  await expect
    .poll(() => server.callsOf('contacts.update'))
    .toEqual([
      { id: 5, version: 1, reminders: false },
      { id: 5, version: 2, reminders: false },
    ])
  expect(await screen.findByText('Owner')).toBeVisible()
})

test('an address that bounced says so where the contact is, and can be marked as working', async () => {
  const bounce = { bouncedAt: new Date('2026-11-22T09:00:00Z'), answer: '550 no such user' }
  const listed: Contact[] = [
    { ...FIRST, bounce },
    { ...ADA, bounce },
  ]
  const clearBounce = () => void listed.splice(1, 1, ADA)
  const { server, user } = open({ list: () => listed, clearBounce })
  const first = await entryOf('orders@harbor.test')
  expect(first.queryByRole('alert')).toBeNull()
  const ada = await entryOf('Ada Lovelace')
  expect(ada.getByText('Email to ada@harbor.test bounced')).toBeVisible()
  expect(ada.getByText(/550 no such user/)).toBeVisible()
  await user.click(ada.getByRole('button', { name: 'Mark as Working: Ada Lovelace' }))
  expect(await screen.findByText('Reminders will go to ada@harbor.test again')).toBeVisible()
  expect(server.callsOf('contacts.clearBounce')).toEqual([{ id: 5 }])
  await expect.poll(() => screen.queryByText('Email to ada@harbor.test bounced')).toBeNull()
})

test("on a contract's page, a bounce of the first contact is said there too, and is cleared for the customer", async () => {
  const bounce = { bouncedAt: new Date('2026-11-22T09:00:00Z'), answer: null }
  let first: Contact = { ...FIRST, bounce }
  const server = trpcServer({
    contacts: { list: () => [first] },
    reminders: { clearBounce: () => void (first = FIRST) },
  })
  const { user } = renderRouted(<Contacts customerId={7} saysFirstBounce />)
  await user.click(await screen.findByRole('button', { name: 'Mark as Working: orders@harbor.test' }))
  expect(await screen.findByText('Reminders will go to orders@harbor.test again')).toBeVisible()
  expect(server.callsOf('reminders.clearBounce')).toEqual([{ id: 7 }])
})

test('a deleted contact is gone at once, and undoing adds it again', async () => {
  const { server, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Delete Ada Lovelace' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  const { name, role, email, phone, reminders } = ADA
  await expect.poll(() => server.callsOf('contacts.add')).toEqual([{ id: 7, name, role, email, phone, reminders }])
  expect(await screen.findByText('Ada Lovelace')).toBeVisible()
})

test('after a contact is deleted by keyboard, the focus goes to the next one, the one before, and then to the button that adds', async () => {
  const grace = { ...ADA, id: 6, name: 'Grace Hopper', email: null, phone: null }
  const stored: Contact[] = [FIRST, ADA, grace, { ...ADA, id: 8, name: 'Joan Clarke' }]
  const remove = ({ id }: { id: unknown }) =>
    void stored.splice(
      stored.findIndex((one) => one.id === id),
      1,
    )
  const { user } = open({ list: () => [...stored], remove })
  const deletion = (name: string) => screen.findByRole('button', { name: `Delete ${name}` })
  const focusOn = async (name: string) => {
    const button = await deletion(name)
    act(() => button.focus())
  }
  await focusOn('Ada Lovelace')
  await user.keyboard('{Enter}')
  await waitFor(async () => expect(await deletion('Grace Hopper')).toHaveFocus())
  await focusOn('Joan Clarke')
  await user.keyboard('{Enter}')
  await waitFor(async () => expect(await deletion('Grace Hopper')).toHaveFocus())
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add Contact' })).toHaveFocus())
  expect(stored).toEqual([FIRST])
})

test('what is done with a contact shows before the server has answered, and is taken back if it refuses', async () => {
  const refusal = Promise.withResolvers<never>()
  const { user } = open({ update: () => refusal.promise, remove: () => refusal.promise })
  const ada = await entryOf('Ada Lovelace')
  await user.click(ada.getByRole('switch'))
  expect(ada.getByRole('switch')).not.toBeChecked()
  await user.click(screen.getByRole('button', { name: 'Delete Ada Lovelace' }))
  await expect.poll(() => screen.queryByText('Ada Lovelace')).toBeNull()
  refusal.reject(new AppError('CONTACT_NOT_FOUND'))
  expect(await screen.findAllByText('Contact not found')).not.toHaveLength(0)
  expect(await screen.findByText('Ada Lovelace')).toBeVisible()
  expect((await entryOf('Ada Lovelace')).getByRole('switch')).toBeChecked()
})

test('a contact whose reminders somebody else has turned off is deleted, and undoing adds it without', async () => {
  let listed: Contact[] = [FIRST, ADA]
  const { server, user } = open({
    list: () => listed,
    remove: ({ version }: { version: number }) => {
      if (version !== 2) throw new AppError('CONTACT_CHANGED')
      listed = [FIRST]
    },
  })
  const deletion = await screen.findByRole('button', { name: 'Delete Ada Lovelace' })
  listed = [FIRST, { ...ADA, reminders: false, version: 2 }]
  await user.click(deletion)
  expect(await screen.findByText('Ada Lovelace deleted')).toBeVisible()
  expect(server.callsOf('contacts.remove')).toEqual([
    { id: 5, version: 1 },
    { id: 5, version: 2 },
  ])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await expect.poll(() => server.callsOf('contacts.add')).toMatchObject([{ name: ADA.name, reminders: false }])
})

test('a contact of which somebody else has changed more is not deleted, and shows what it is now', async () => {
  let ada = ADA
  const { server, user } = open({
    list: () => [FIRST, ada],
    remove: () => {
      throw new AppError('CONTACT_CHANGED')
    },
  })
  const deletion = await screen.findByRole('button', { name: 'Delete Ada Lovelace' })
  ada = { ...ADA, phone: '555-0199', version: 2 }
  await user.click(deletion)
  expect(await screen.findByText('This contact has been changed since you opened it')).toBeVisible()
  expect(await screen.findByText('555-0199')).toBeVisible()
  expect(server.callsOf('contacts.remove')).toHaveLength(1)
})

const FORMER_FIRST = { ...FIRST, id: 5, name: 'Harbor', isFirst: false, version: 2 }
const NO_EMAIL = { email: null }
const BOB = { ...ADA, name: 'Bob', email: 'bob@harbor.test' }
const CHANGED = 'This contact has been changed since you opened it'

describe.each<[string, Contact[], Contact[]]>([
  ['differ in name and email', [FIRST, ADA], [ADA, FORMER_FIRST]],
  [
    'differ in name and email, and the new first has another email',
    [FIRST, ADA],
    [{ ...ADA, ...NO_EMAIL }, FORMER_FIRST],
  ],
  [
    'have no email',
    [FIRST, { ...ADA, ...NO_EMAIL }],
    [
      { ...ADA, ...NO_EMAIL },
      { ...FORMER_FIRST, ...NO_EMAIL },
    ],
  ],
  ['have the same name', [FIRST, ADA], [ADA, { ...FORMER_FIRST, name: ADA.name }]],
  ['have the same email', [FIRST, ADA], [ADA, { ...FORMER_FIRST, email: ADA.email }]],
  [
    'have the same email, and a third one is the first by now',
    [FIRST, ADA, { ...BOB, id: 6 }],
    [BOB, { ...FORMER_FIRST, email: ADA.email }, { ...ADA, id: 6 }],
  ],
])(
  'a contact that was made the first elsewhere and the former first one, which has its ID now, %s:',
  (_how, before, after) => {
    const changed = after.map((contact, nth) => (nth === 0 ? { ...contact, id: 0, isFirst: true } : contact))
    const refuse = () => {
      throw new AppError('CONTACT_CHANGED')
    }
    const openBefore = () => {
      let contacts = before
      const change = () => void (contacts = changed)
      return { change, ...open({ list: () => contacts, remove: refuse, update: refuse }) }
    }

    test.each([
      ['deleted', 'button', 'Delete Ada Lovelace', 'contacts.remove'],
      ['turned off', 'switch', 'Reminders to Ada Lovelace', 'contacts.update'],
    ] as const)('neither is %s', async (_what, role, name, path) => {
      const { server, user, change } = openBefore()
      const control = await screen.findByRole(role, { name })
      change()
      await user.click(control)
      expect(await screen.findByText(CHANGED)).toBeVisible()
      expect(server.callsOf(path)).toHaveLength(1)
    })

    test('neither is edited, and the list shows both as they are', async () => {
      const { server, user, change } = openBefore()
      await user.click(await screen.findByRole('button', { name: 'Edit Ada Lovelace' }))
      const form = within(await screen.findByRole('dialog'))
      change()
      await user.type(form.getByRole('textbox', { name: 'Phone' }), '9')
      await user.click(form.getByRole('button', { name: 'Save Changes' }))
      expect(await screen.findByText(CHANGED)).toBeVisible()
      expect(server.callsOf('contacts.update')).toHaveLength(1)
      await user.keyboard('{Escape}')
      expect(await screen.findByRole('button', { name: `Edit ${changed[1]?.name}` })).toBeVisible()
    })
  },
)

test('says why a contact cannot be made the first', async () => {
  const { user } = open({
    makeFirst: () => {
      throw new AppError('CONTACT_NOT_FOUND')
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Make First Contact: Ada Lovelace' }))
  expect(await screen.findByText('Contact not found')).toBeVisible()
})

test('says that contacts could not be fetched', async () => {
  open({
    list: () => {
      throw new AppError('FAULT')
    },
  })
  expect(await screen.findByText('Failed to fetch contacts')).toBeVisible()
})
