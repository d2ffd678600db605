import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { addDays, dayIn, toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { REMINDER_REASONS, REMINDER_WAITS } from '#shared/schemas/reminders.ts'
import { browserTimeZone, formatInstant } from '#client/text/format.ts'
import { aReminderKey } from '#support/reminder-key.ts'
import { aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { movableTime } from '#support/time.ts'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { OutboxScreen } from './outbox-screen.tsx'
import type { OutboxSearch } from './outbox-search.ts'
import type { LedgerMessage, Message } from '#client/mail/reminder-words.ts'

const TOMORROW = addDays(dayIn(new Date(), browserTimeZone()), 1)
const KEY = aReminderKey({ contractId: 31, renewalDate: addDays(TOMORROW, 14) })

function aMessage(given: Partial<Message> = {}): Message {
  return { ...KEY, customerName: 'Harbor Bakery', contactName: null, day: TOMORROW, obstacle: null, ...given }
}

function aLedgerMessage(given: Partial<LedgerMessage> = {}): LedgerMessage {
  return {
    ...KEY,
    contactName: null,
    id: 5,
    obstacle: null,
    customerName: 'Harbor Bakery',
    renewalDate: toDay('2026-12-01'),
    day: toDay('2026-11-17'),
    state: 'sent',
    reason: null,
    address: 'orders@harbor.test',
    subject: 'Your contract renews on December 1, 2026',
    body: 'Hello Harbor Bakery,',
    mailNumber: null,
    delivery: null,
    answer: null,
    attempts: 1,
    repeats: 0,
    waitsFor: null,
    waitsUntil: null,
    plannedAt: new Date('2026-11-17T08:00:00Z'),
    sentAt: new Date('2026-11-17T08:00:05Z'),
    endedAt: null,
    deliveredAt: null,
    hasCertificate: false,
    bouncedAt: null,
    ...given,
  }
}

function openOutbox(answers: NonNullable<FakeAnswers['reminders']> = {}, start: Partial<OutboxSearch> = {}) {
  const server = trpcServer({
    reminders: {
      coming: () => ({ rows: [aMessage()], next: null }),
      list: () => aPage<LedgerMessage>([]),
      unreachable: () => ({ total: 0, revenue: 0, customers: [] }),
      ...answers,
    },
  })
  return { server, ...renderScreen(<Address start={start} />) }
}

function Address({ start }: { start: Partial<OutboxSearch> }) {
  const [search, setSearch] = useState<OutboxSearch>({ tab: 'coming', page: 1, skip: 0, ...start })
  return (
    <OutboxScreen
      search={search}
      onSearch={(changes) => setSearch((before) => ({ ...before, ...changes }))}
      customerLink={({ name }) => name}
    />
  )
}

const NAME = 'Harbor Bakery, 14 days before renewal (Customer, by email)'

test('what is to come says when, to whom, and why it would not be sent', async () => {
  openOutbox({
    coming: () => ({
      rows: [
        aMessage(),
        aMessage({
          recipient: 'owner',
          contactId: 0,
          contactName: null,
          channel: 'in_app',
          obstacle: 'There is no email address',
        }),
      ],
      next: null,
    }),
  })
  const rows = await screen.findAllByRole('row')
  expect(rows[1]).toHaveTextContent('14 days before renewal')
  expect(rows[1]).toHaveTextContent('Customer, by email')
  expect(rows[1]).toHaveTextContent('Planned')
  expect(rows[2]).toHaveTextContent('You, in the app')
  expect(rows[2]).toHaveTextContent('Will be skipped')
  expect(rows[2]).toHaveTextContent('There is no email address')
})

/** What is read on the buttons of each row. */
async function wordsOfRows(): Promise<string[][]> {
  const [, ...rows] = await screen.findAllByRole('row')
  return rows.map((row) =>
    within(row)
      .queryAllByRole('button')
      .map((button) => button.textContent),
  )
}

test('the buttons of what is to come say in words what they do', async () => {
  openOutbox()
  expect(await wordsOfRows()).toEqual([['Send Now', 'Snooze', 'Skip']])
})

test('the buttons of what has been sent, or may still be, say in words what they do', async () => {
  const states = ['sent', 'delivered', 'bounced', 'planned', 'failed', 'skipped'] as const
  openOutbox({ list: () => aPage(states.map((state, id) => aLedgerMessage({ id, state }))) }, { tab: 'ledger' })
  expect(await wordsOfRows()).toEqual([
    ['Harbor Bakery'],
    ['Harbor Bakery'],
    ['Harbor Bakery'],
    ['Harbor Bakery', 'Send Now', 'Skip'],
    ['Harbor Bakery', 'Send Now'],
    ['Harbor Bakery', 'Send Now'],
  ])
})

test('more of it is shown when asked for', async () => {
  const { user, server } = openOutbox({
    coming: ({ cursor }) =>
      cursor ? { rows: [aMessage({ offset: 7 })], next: null } : { rows: [aMessage()], next: 'further' },
  })
  await user.click(await screen.findByRole('button', { name: 'Show More' }))
  expect(await screen.findByText('7 days before renewal')).toBeVisible()
  expect(server.callsOf('reminders.coming')).toMatchObject([{ limit: 10 }, { limit: 10, cursor: 'further' }])
  expect(screen.queryByRole('button', { name: 'Show More' })).not.toBeInTheDocument()
})

test('a page without messages is followed by the next by itself', async () => {
  const pages: Record<string, string> = { first: 'second', second: 'third' }
  const { server } = openOutbox({
    coming: ({ cursor = 'first' }) => {
      const next = pages[cursor]
      return next ? { rows: [], next } : { rows: [aMessage()], next: null }
    },
  })
  expect(await screen.findByRole('table', { name: 'Upcoming messages' })).toHaveTextContent('Harbor Bakery')
  expect(screen.queryByRole('button', { name: 'Show More' })).not.toBeInTheDocument()
  expect(server.callsOf('reminders.coming')).toHaveLength(3)
})

test('where nothing comes up, that is said once all has been looked at', async () => {
  openOutbox({ coming: ({ cursor }) => ({ rows: [], next: cursor ? null : 'second' }) })
  expect(await screen.findByRole('heading', { name: 'Nothing coming up' })).toBeVisible()
})

test('a message that is sent now goes out in 10 seconds, and can be put back', async () => {
  const before = { day: KEY.renewalDate, at: new Date('2026-11-17T08:00:00Z') }
  const { user, server } = openOutbox({
    planNow: () => ({ goesOutAt: new Date(), before }),
    undoPlannedNow: () => undefined,
  })
  await user.dblClick(await screen.findByRole('button', { name: `Send Now: ${NAME}` }))
  expect(await screen.findByText('Goes out in 10 seconds: Harbor Bakery, 14 days before renewal')).toBeVisible()
  expect(server.callsOf('reminders.planNow')).toEqual([KEY])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('The message is back where it was')).toBeVisible()
  expect(server.callsOf('reminders.undoPlannedNow')).toEqual([
    { ...KEY, before: { ...before, at: '2026-11-17T08:00:00.000Z' } },
  ])
})

test('after a failed message was sent now, the list follows it until it has gone out', async () => {
  const states: LedgerMessage['state'][] = ['failed']
  const { user } = openOutbox(
    {
      list: () => aPage([aLedgerMessage({ state: states[0] ?? 'sent', reason: null })]),
      planNow: () => {
        states[0] = 'planned'
        return { goesOutAt: new Date(), before: null }
      },
    },
    { tab: 'ledger' },
  )
  const send = await screen.findByRole('button', { name: /^Send Now/ })
  const time = movableTime()
  await user.click(send)
  const row = () => within(screen.getByRole('table')).getAllByRole('row')[1]
  await waitFor(() => expect(row()).toHaveTextContent('Waiting'))
  states.pop()
  await time.pass(5000)
  await waitFor(() => expect(row()).toHaveTextContent('Sent'))
})

test('Undo of a message that had failed says that it is skipped', async () => {
  const { user } = openOutbox(
    {
      list: () => aPage([aLedgerMessage({ state: 'failed', reason: null })]),
      planNow: () => ({ goesOutAt: new Date(), before: null }),
      undoPlannedNow: () => undefined,
    },
    { tab: 'ledger' },
  )
  await user.click(await screen.findByRole('button', { name: /^Send Now/ }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('The message is skipped')).toBeVisible()
})

test('a message is skipped', async () => {
  const { user, server } = openOutbox({ skip: () => undefined })
  await user.click(await screen.findByRole('button', { name: `Skip: ${NAME}` }))
  expect(await screen.findByText('Skipped: Harbor Bakery, 14 days before renewal')).toBeVisible()
  expect(server.callsOf('reminders.skip')).toEqual([KEY])
})

test('a skip can be undone', async () => {
  const { user, server } = openOutbox({ skip: () => undefined, undoSkip: () => undefined })
  await user.click(await screen.findByRole('button', { name: `Skip: ${NAME}` }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('The message is no longer skipped')).toBeVisible()
  expect(server.callsOf('reminders.undoSkip')).toEqual([KEY])
})

test('when a message goes, the focus stays in the list', async () => {
  const rows = [aMessage(), aMessage({ contractId: 32, customerName: 'Mill & Sons' })]
  const { user } = openOutbox({ coming: () => ({ rows, next: null }), skip: () => void rows.shift() })
  const skip = await screen.findByRole('button', { name: `Skip: ${NAME}` })
  skip.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(skip).not.toBeInTheDocument())
  expect(document.activeElement).toContainElement(screen.getByRole('table', { name: 'Upcoming messages' }))
  expect(document.body).not.toHaveFocus()
})

test('when the last message goes, the focus is where it is said that nothing is coming up', async () => {
  const rows = [aMessage()]
  const { user } = openOutbox({ coming: () => ({ rows, next: null }), skip: () => void rows.shift() })
  const skip = await screen.findByRole('button', { name: `Skip: ${NAME}` })
  skip.focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Nothing coming up')
  expect(screen.getByRole('group', { name: 'Upcoming messages' })).toHaveFocus()
})

test('a message that waits and would not be sent any more says so, and offers nothing more', async () => {
  const obstacle = 'The renewal date was changed'
  openOutbox({
    coming: () => ({ rows: [], next: null }),
    list: () => aPage([aLedgerMessage({ state: 'planned', obstacle })]),
  })
  expect(await screen.findByText('Will be skipped')).toBeVisible()
  expect(screen.getByText(obstacle)).toBeVisible()
  expect(screen.queryByRole('button', { name: /^(Send Now|Snooze|Skip): / })).not.toBeInTheDocument()
})

test('a message is put off until a day that is chosen, and not until one that is too late', async () => {
  const { user, server } = openOutbox({ snooze: () => undefined })
  await user.click(await screen.findByRole('button', { name: `Snooze: ${NAME}` }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Snooze' }))
  const until = dialog.getByLabelText(/Until/)
  await user.clear(until)
  await user.type(until, addDays(KEY.renewalDate, 1))
  await user.click(dialog.getByRole('button', { name: 'Snooze' }))
  expect(dialog.getByText(/Choose a day from/)).toBeVisible()
  await user.clear(until)
  await user.type(until, addDays(TOMORROW, 3))
  await user.click(dialog.getByRole('button', { name: 'Snooze' }))
  expect(await screen.findByText(/Snoozed until/)).toBeVisible()
  expect(server.callsOf('reminders.snooze')).toEqual([{ ...KEY, until: addDays(TOMORROW, 3) }])
})

test('after Cancel the focus is back on the button, and the next time nothing is left of what was entered', async () => {
  const { user } = openOutbox()
  const button = await screen.findByRole('button', { name: `Snooze: ${NAME}` })
  await user.click(button)
  const dialog = within(await screen.findByRole('dialog', { name: 'Snooze' }))
  await user.clear(dialog.getByLabelText(/Until/))
  await user.click(dialog.getByRole('button', { name: 'Snooze' }))
  expect(dialog.getByText(/Choose a day from/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await waitFor(() => expect(button).toHaveFocus())
  await user.click(button)
  const again = within(await screen.findByRole('dialog', { name: 'Snooze' }))
  expect(again.getByLabelText(/Until/)).toHaveValue(addDays(TOMORROW, 1))
  expect(again.queryByText(/Choose a day from/)).not.toBeInTheDocument()
})

test('after a message was snoozed the focus is back on its button', async () => {
  const { user } = openOutbox({ snooze: () => undefined })
  const button = await screen.findByRole('button', { name: `Snooze: ${NAME}` })
  await user.click(button)
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Snooze' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await waitFor(() => expect(screen.getByRole('button', { name: `Snooze: ${NAME}` })).toHaveFocus())
})

test('what cannot be done says why', async () => {
  const { user } = openOutbox({ planNow: () => Promise.reject(new AppError('REMINDER_SENT_TODAY')) })
  await user.click(await screen.findByRole('button', { name: `Send Now: ${NAME}` }))
  expect(await screen.findByRole('alert')).toHaveTextContent('A reminder was already sent to this customer today')
})

test('the ledger says what became of each message, and shows its text', async () => {
  const { user } = openOutbox({ list: () => aPage([aLedgerMessage()]) }, { tab: 'ledger' })
  await user.click(await screen.findByRole('button', { name: 'Harbor Bakery' }))
  const dialog = await screen.findByRole('dialog', { name: 'Message Details' })
  expect(dialog).toHaveTextContent('Customer, by email: orders@harbor.test')
  expect(dialog).toHaveTextContent('Your contract renews on December 1, 2026')
  expect(dialog).toHaveTextContent('Hello Harbor Bakery,')
})

test('the certificate of a message that was sent can be downloaded', async () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const proved = aLedgerMessage({ hasCertificate: true })
  const { user } = openOutbox({ list: () => aPage([proved]) }, { tab: 'ledger' })
  await user.click(await screen.findByRole('button', { name: 'Harbor Bakery' }))
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const headers = { 'content-disposition': 'attachment; filename="traxx-certificate-5.pdf"' }
    return new Response('%PDF', { headers })
  })
  await user.click(await screen.findByRole('button', { name: /^Certificate: 14 days before renewal/ }))
  expect(await screen.findByText('Downloaded traxx-certificate-5.pdf')).toBeVisible()
  expect(asked).toEqual(['/reminders/5/certificate'])
})

test('a letter that was mailed says when, under which number, and offers nothing to do', async () => {
  const letter = aLedgerMessage({
    kind: 'letter',
    channel: 'letter',
    state: 'sent',
    address: null,
    day: toDay('2026-11-20'),
    mailNumber: '7020 1810',
  })
  const { user } = openOutbox({ list: () => aPage([letter]) }, { tab: 'ledger' })
  expect(await screen.findByText('Mailed')).toBeVisible()
  expect(screen.getByText('Customer, by letter')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^(Send Now|Snooze|Skip): / })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Harbor Bakery' }))
  const details = within(await screen.findByRole('dialog', { name: 'Message Details' }))
  expect(details.getByText('7020 1810')).toBeVisible()
  expect(details.getByText('Notice of renewal')).toBeVisible()
})

test('a letter that was handed over in person is not said to have been mailed', async () => {
  const letter = { kind: 'letter', channel: 'letter', state: 'sent', address: null, delivery: 'in_person' } as const
  const { user } = openOutbox({ list: () => aPage([aLedgerMessage(letter)]) }, { tab: 'ledger' })
  expect(await screen.findByText('Handed over')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Harbor Bakery' }))
  const details = within(await screen.findByRole('dialog', { name: 'Message Details' }))
  expect(details.getAllByText('Handed over')).toHaveLength(2)
  expect(details.queryByText('Mailed')).toBeNull()
})

test('a reminder by hand that was undone is not said to have been sent', async () => {
  const endedAt = new Date('2026-11-24T01:02:00Z')
  const undone = { kind: 'manual', state: 'skipped', reason: 'You skipped it', sentAt: null, endedAt } as const
  const { user } = openOutbox({ list: () => aPage([aLedgerMessage(undone)]) }, { tab: 'ledger' })
  const row = (await screen.findAllByRole('row'))[1]
  expect(row).toHaveTextContent('Manual reminder')
  expect(row).toHaveTextContent('You skipped it')
  expect(row).not.toHaveTextContent(/sent/i)
  await user.click(screen.getByRole('button', { name: 'Harbor Bakery' }))
  const dialog = await screen.findByRole('dialog', { name: 'Message Details' })
  expect(within(dialog).getByText('Skipped')).toBeVisible()
  expect(within(dialog).queryByText(/failed/)).not.toBeInTheDocument()
})

test('a message that waits for a limit says which and until when, and one that it came too late for says so', async () => {
  const waitsUntil = new Date('2026-11-23T08:00:00Z')
  const waits = aLedgerMessage({
    id: 6,
    state: 'planned',
    sentAt: null,
    waitsFor: REMINDER_WAITS.account_limit,
    waitsUntil,
  })
  const limited = aLedgerMessage({ id: 7, state: 'skipped', sentAt: null, reason: REMINDER_REASONS.limited })
  const { user } = openOutbox({ list: () => aPage([waits, limited]) }, { tab: 'ledger' })
  const says = `${REMINDER_WAITS.account_limit}. We will try again on ${formatInstant(waitsUntil, browserTimeZone())}`
  expect(await screen.findByText(says)).toBeVisible()
  expect(screen.getByText('The daily email limit kept it from being sent in time')).toBeVisible()
  const [name] = screen.getAllByRole('button', { name: 'Harbor Bakery' })
  if (name) await user.click(name)
  expect(await screen.findByRole('dialog', { name: 'Message Details' })).toHaveTextContent(says)
})

test('the ledger is filtered by state', async () => {
  const { user, server } = openOutbox(
    { list: ({ state }) => aPage(state === 'failed' ? [aLedgerMessage({ state, reason: 'It was refused' })] : []) },
    { tab: 'ledger' },
  )
  expect(await screen.findByRole('heading', { name: 'No messages' })).toBeVisible()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Failed')
  expect(await screen.findByText('It was refused')).toBeVisible()
  expect(server.callsOf('reminders.list').at(-1)).toMatchObject({ state: 'failed' })
  expect(screen.getByRole('button', { name: `Send Now: ${NAME}` })).toBeVisible()
})

const UNREACHABLE = {
  customerId: 7,
  customerName: 'Mill & Sons',
  email: null,
  reason: 'no_address',
  contracts: 2,
  revenue: 1500.5,
  renewalDate: toDay('2026-12-05'),
} as const

test('customers whom no message can reach are listed with what is at stake', async () => {
  openOutbox({ unreachable: () => ({ total: 2, revenue: 1500.5, customers: [UNREACHABLE] }) })
  const region = await screen.findByRole('region', { name: /^2 customers who renew in the next 90 days/ })
  expect(region).toHaveTextContent('2 customers who renew in the next 90 days cannot be emailed: $1,500.50 at stake')
  expect(region).toHaveTextContent('Mill & Sons: $1,500.50 in 2 contracts, renews Dec 5, 2026 (no email address)')
})

test('of many whom no message can reach five are listed, then all that came, and how many others there are', async () => {
  const customers = Array.from({ length: 50 }, (_, index) => ({ ...UNREACHABLE, customerId: index + 1 }))
  const { user } = openOutbox({ unreachable: () => ({ total: 72, revenue: 9000, customers }) })
  const region = within(await screen.findByRole('region', { name: /^72 customers/ }))
  expect(region.getAllByRole('listitem')).toHaveLength(5)
  await user.click(region.getByRole('button', { name: 'Show 67 More' }))
  expect(region.getAllByRole('listitem')).toHaveLength(51)
  expect(region.getByText('and 22 more')).toBeVisible()
  await user.click(region.getByRole('button', { name: 'Show Fewer' }))
  expect(region.getAllByRole('listitem')).toHaveLength(5)
})

test('what cannot be fetched leaves a text and a Retry', async () => {
  const failing = { current: true }
  const { user } = openOutbox({
    coming: () => (failing.current ? Promise.reject(new AppError('FAULT')) : { rows: [aMessage()], next: null }),
  })
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch reminders')
  failing.current = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(screen.getByText('14 days before renewal')).toBeVisible())
})
