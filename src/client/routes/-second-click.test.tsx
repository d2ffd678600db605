import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { addDays, dayIn } from '#shared/domain/day.ts'
import { Contacts } from '#client/contacts/contacts.tsx'
import { EditViewsDialog } from '#client/contracts/edit-views-dialog.tsx'
import { RememberedColumns } from '#client/imports/remembered-columns.tsx'
import { START } from '#client/list/list-position.ts'
import { LettersDue } from '#client/notices/letters-due.tsx'
import { NoticesScreen } from '#client/notices/notices-screen.tsx'
import { NotificationsScreen } from '#client/notifications/notifications-screen.tsx'
import { OutboxScreen } from '#client/reminders/outbox/outbox-screen.tsx'
import { SessionsCard } from '#client/security/sessions-card.tsx'
import { TrashScreen } from '#client/trash/trash-screen.tsx'
import { aNotice, aNoticePage, aPage } from '#support/records.ts'
import { aReminderKey } from '#support/reminder-key.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'

const NOW = new Date()
const TODAY = dayIn(NOW, 'UTC')

/** One row of a list, as each list makes its own of it. */
interface Row {
  id: number
  name: string
}

interface List {
  what: string
  shown: ReactNode
  /** What the server answers while it has these rows; `act` is the call that removes one. */
  answers: (rows: () => Row[], act: () => undefined) => FakeAnswers
  button: (name: string) => string | RegExp
  call: string
  input: (id: number) => object
}

const messageAbout = (contractId: number) => aReminderKey({ contractId, renewalDate: addDays(TODAY, 15) })

function givenNotices(rows: Row[]) {
  return aNoticePage(...rows.map(({ id, name }) => aNotice({ contractId: id, customerName: name, postedOn: TODAY })))
}

const LISTS: List[] = [
  {
    what: 'Skip of a message',
    shown: <OutboxScreen search={{ ...START, tab: 'coming' }} onSearch={() => {}} customerLink={() => null} />,
    answers: (rows, skip) => ({
      reminders: {
        coming: () => ({
          rows: rows().map(({ id, name }) => ({
            ...messageAbout(id),
            customerName: name,
            contactName: null,
            day: addDays(TODAY, 1),
            obstacle: null,
          })),
          next: null,
        }),
        list: () => aPage<never>([]),
        unreachable: () => ({ total: 0, revenue: 0, customers: [] }),
        skip,
      },
    }),
    button: (name) => `Skip: ${name}, 14 days before renewal (Customer, by email)`,
    call: 'reminders.skip',
    input: messageAbout,
  },
  {
    what: 'Mark as Not Mailed on the page of notices',
    shown: <NoticesScreen search={{ ...START, show: 'given' }} onSearch={() => {}} />,
    answers: (rows, unpost) => ({ notices: { list: () => givenNotices(rows()), unpost } }),
    button: (name) => `Mark as Not Mailed: ${name}`,
    call: 'notices.unpost',
    input: (id) => ({ id }),
  },
  {
    what: 'Mark as Not Mailed without a subscription',
    shown: <LettersDue />,
    answers: (rows, unpost) => ({
      notices: { list: ({ show }) => givenNotices(show === 'given' ? rows() : []), unpost },
    }),
    button: (name) => `Mark as Not Mailed: ${name}`,
    call: 'notices.unpost',
    input: (id) => ({ id }),
  },
  {
    what: 'Sign Out of a session',
    shown: <SessionsCard />,
    answers: (rows, endSession) => ({
      identity: {
        sessions: () =>
          rows().map(({ id, name }) => ({
            id: String(id),
            device: name,
            isMobile: false,
            place: null,
            lastActiveAt: NOW,
          })),
        endSession,
      },
    }),
    button: (name) => `Sign Out ${name}`,
    call: 'identity.endSession',
    input: (id) => ({ id: String(id) }),
  },
  {
    what: 'Restore of what is in the trash',
    shown: <TrashScreen search={{ ...START, size: 10 }} onSearch={() => {}} />,
    answers: (rows, restored) => ({
      trash: {
        list: () =>
          aPage(
            rows().map((row) => ({
              ...row,
              kind: 'customer' as const,
              title: null,
              amount: null,
              deletedAt: NOW,
              deletedBy: null,
              goneAt: NOW,
            })),
          ),
        restore: () => {
          restored()
          return { customers: [1], contracts: [], droppedNumbers: [], notRestored: [] }
        },
      },
    }),
    button: (name) => `Restore ${name}`,
    call: 'trash.restore',
    input: (id) => ({ customers: [id], contracts: [] }),
  },
  {
    what: 'Forget of saved columns',
    shown: <RememberedColumns kind="customers" />,
    answers: (rows, removeMapping) => ({
      imports: {
        mappings: () =>
          rows().map(({ id, name }) => ({
            kind: 'customers',
            key: String(id),
            columns: [{ field: 'name', label: 'Name', heading: name }],
            updatedAt: NOW,
          })),
        removeMapping,
      },
    }),
    button: (name) => `Forget ${name}`,
    call: 'imports.removeMapping',
    input: (id) => ({ kind: 'customers', key: String(id) }),
  },
  {
    what: 'Delete of a view',
    shown: <EditViewsDialog opened onClose={() => {}} />,
    answers: (rows, remove) => ({
      views: { list: () => rows().map((row, at) => ({ ...row, position: at + 1, search: {} })), remove },
    }),
    button: (name) => `Delete ${name}`,
    call: 'views.remove',
    input: (id) => ({ id }),
  },
  {
    what: 'opening an unread notification',
    shown: <NotificationsScreen search={{ ...START, tab: 'unread' }} onSearch={() => {}} onFollow={() => {}} />,
    answers: (rows, markRead) => ({
      notifications: {
        list: () =>
          aPage(
            rows().map(({ id, name }) => ({
              id,
              type: 'renewal_reminder' as const,
              title: name,
              message: 'It renews on November 28.',
              isRead: false,
              createdAt: NOW,
              actionUrl: null,
            })),
          ),
        unreadCount: () => ({ count: rows().length }),
        markRead,
      },
    }),
    button: (name) => new RegExp(`^Unread ?${name}`),
    call: 'notifications.markRead',
    input: (id) => ({ id }),
  },
  {
    what: 'Mark as Working',
    shown: <Contacts customerId={7} />,
    answers: (rows, clearBounce) => ({
      contacts: {
        list: () =>
          [1, 2, 3].map((id) => ({
            id,
            customerId: 7,
            name: NAMES[id - 1] ?? null,
            role: null,
            email: 'orders@harbor.test',
            phone: null,
            reminders: true,
            mailClosed: null,
            bounce: rows().some((row) => row.id === id) ? { bouncedAt: NOW, answer: null } : null,
            version: 1,
            isFirst: false,
          })),
        clearBounce,
      },
    }),
    button: (name) => `Mark as Working: ${name}`,
    call: 'contacts.clearBounce',
    input: (id) => ({ id }),
  },
]

const NAMES = ['Harbor Bakery', 'Mill Works', 'Late Motors'] as const

test.each(LISTS)('the rest of a double click does not hit what moves up: $what', async (list) => {
  let rows: Row[] = NAMES.map((name, at) => ({ id: at + 1, name }))
  const remaining = list.answers(
    () => rows,
    () => void (rows = rows.slice(1)),
  )
  const { callsOf } = trpcServer(remaining)
  const { user } = renderRouted(list.shown)
  const buttonOf = (name: string) => screen.findByRole('button', { name: list.button(name) })
  const first = await buttonOf(NAMES[0])
  await user.click(first)
  await waitFor(() => expect(first).not.toBeInTheDocument())
  fireEvent.click(await buttonOf(NAMES[1]), { detail: 2 })
  // The next press of its own counts.
  await user.click(await buttonOf(NAMES[2]))
  await waitFor(() => expect(callsOf(list.call)).toEqual([list.input(1), list.input(3)]))
})
