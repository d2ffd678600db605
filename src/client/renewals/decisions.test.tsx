import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { aContract } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { TermsTimeline } from './terms-timeline.tsx'
import type { Contract } from './use-contract-acts.ts'
import { useDecisions } from './use-decisions.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

function Buttons({ contract }: { contract: Contract }) {
  const decisions = useDecisions()
  return (
    <>
      <ChangeButton busy={decisions.isPending('renew', contract.id)} onClick={() => decisions.renew(contract)}>
        Renew
      </ChangeButton>
      <button type="button" onClick={() => decisions.renewWithChanges(contract)}>
        Renew With Changes
      </button>
      <button type="button" onClick={() => decisions.end(contract)}>
        Not Renewing
      </button>
      {decisions.dialogs}
    </>
  )
}

function open(contract: Contract, answers: NonNullable<FakeAnswers['contracts']> = {}) {
  const renewed = aContract({ ...contract, term: 2, termStart: contract.renewalDate, renewalDate: toDay('2028-01-15') })
  const server = trpcServer({
    contracts: {
      renew: () => renewed,
      end: () => ({ ...contract, endsOn: contract.renewalDate }),
      undo: () => contract,
      renewalSettings: () => ({ endOverdueAfterDays: null, endReasons: ['Price', 'Moved away'] }),
      ...answers,
    },
    identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) },
  })
  return { server, ...renderScreen(<Buttons contract={contract} />) }
}

const press = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}$`) })

test('a contract that is not overdue is renewed with one click, which can be undone', async () => {
  const { server, user } = open(aContract())
  await user.click(press('Renew'))
  const toast = await screen.findByRole('status')
  expect(toast).toHaveTextContent('Renewed: Harbor Bakery, Jan 15, 2027 to Jan 15, 2028, $1,200.50')
  expect(server.callsOf('contracts.renew')).toEqual([{ id: 31, term: 1 }])
  await user.click(within(toast).getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.callsOf('contracts.undo')).toEqual([{ id: 31 }]))
})

test('while the server has not answered the button says so, and a second press renews no second time', async () => {
  const { answer, tell } = whenTold<Contract>()
  const { server, user } = open(aContract(), { renew: answer })
  await user.dblClick(press('Renew'))
  await waitFor(() => expect(press('Renew')).toHaveAttribute('aria-busy', 'true'))
  expect(press('Renew')).toHaveFocus()
  await user.click(press('Renew'))
  expect(server.callsOf('contracts.renew')).toHaveLength(1)
  tell(aContract({ term: 2 }))
  await waitFor(() => expect(press('Renew')).toHaveAttribute('aria-busy', 'false'))
})

test('an undo that takes its time shows so in the toast', async () => {
  const { answer, tell } = whenTold<Contract>()
  const { server, user } = open(aContract(), { undo: answer })
  await user.click(press('Renew'))
  const toast = await screen.findByRole('status')
  const undo = within(toast).getByRole('button', { name: 'Undo' })
  await user.dblClick(undo)
  expect(undo).toHaveAttribute('aria-busy', 'true')
  expect(toast).toBeVisible()
  tell(aContract())
  await waitFor(() => expect(toast).not.toBeInTheDocument())
  expect(server.callsOf('contracts.undo')).toHaveLength(1)
})

test('only the last decision about a contract can be undone by its toast', async () => {
  const { user } = open(aContract())
  await user.click(press('Renew'))
  const first = await screen.findByRole('status')
  await waitFor(() => expect(press('Renew')).toHaveAttribute('aria-busy', 'false'))
  await user.click(press('Renew'))
  await waitFor(() => expect(first).not.toBeInTheDocument())
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
})

test('a refusal is said, and nothing else', async () => {
  const refused = new AppError('TERM_CHANGED', { values: { term: 2, date: '2028-01-15' } })
  const { user } = open(aContract(), { renew: () => Promise.reject(refused) })
  await user.click(press('Renew'))
  expect(await screen.findByRole('alert')).toHaveTextContent('This contract has been renewed in the meantime')
})

test('an overdue contract asks when the new term begins, and says what comes of it', async () => {
  const overdue = aContract({ renewalDate: toDay('2026-10-15'), renewalCycle: 'monthly', daysLeft: -38 })
  const { server, user } = open(overdue)
  await user.click(press('Renew'))
  const dialog = await screen.findByRole('dialog', { name: 'Renew Contract' })
  expect(within(dialog).getByLabelText(/^Renewal Date/)).toHaveValue('2026-11-15')
  await user.click(within(dialog).getByRole('radio', { name: 'Today, Nov 22, 2026' }))
  expect(within(dialog).getByLabelText(/^Renewal Date/)).toHaveValue('2026-12-22')
  expect(within(dialog).getByRole('status')).toHaveTextContent(
    'Term 2 runs from Nov 22, 2026 until it renews on Dec 22, 2026, for $1,200.50.',
  )
  await user.click(within(dialog).getByRole('button', { name: 'Renew' }))
  await waitFor(() =>
    expect(server.callsOf('contracts.renew')).toEqual([
      { id: 31, term: 1, amount: 1200.5, renewalCycle: 'monthly', from: 'today', renewalDate: '2026-12-22' },
    ]),
  )
})

test('another amount and cycle are sent, and wrong ones are refused at their field', async () => {
  const { server, user } = open(aContract({ nextAmount: 1300 }))
  await user.click(press('Renew With Changes'))
  const dialog = await screen.findByRole('dialog', { name: 'Renew Contract' })
  const amount = within(dialog).getByRole('textbox', { name: 'Amount' })
  expect(amount).toHaveValue('1,300.00')
  await user.clear(amount)
  await user.click(within(dialog).getByRole('button', { name: 'Renew' }))
  expect(amount).toBeInvalid()
  expect(server.callsOf('contracts.renew')).toEqual([])
  await user.type(amount, '1400')
  await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Renewal Cycle' }), 'Quarterly')
  await user.click(within(dialog).getByRole('button', { name: 'Renew' }))
  await waitFor(() =>
    expect(server.callsOf('contracts.renew')).toMatchObject([
      { amount: 1400, renewalCycle: 'quarterly', from: 'term', renewalDate: '2027-04-15' },
    ]),
  )
})

test('ending asks when and why, with the reasons of the account', async () => {
  const { server, user } = open(aContract())
  await user.click(press('Not Renewing'))
  const dialog = await screen.findByRole('dialog', { name: 'End Contract' })
  const submit = within(dialog).getByRole('button', { name: 'End Contract' })
  await user.click(submit)
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Choose a reason')
  await user.selectOptions(await within(dialog).findByRole('combobox', { name: 'Reason' }), 'Moved away')
  await user.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'To Chicago')
  await user.click(submit)
  expect(await screen.findByText('The contract with Harbor Bakery ends on Jan 15, 2027')).toBeVisible()
  expect(server.callsOf('contracts.end')).toEqual([
    { id: 31, reason: 'Moved away', note: 'To Chicago', on: '2027-01-15' },
  ])
})

test('a double click ends a contract once', async () => {
  const { server, user } = open(aContract())
  await user.click(press('Not Renewing'))
  const dialog = await screen.findByRole('dialog', { name: 'End Contract' })
  await user.selectOptions(await within(dialog).findByRole('combobox', { name: 'Reason' }), 'Price')
  // Both clicks before the dialog has rendered again.
  const submit = within(dialog).getByRole('button', { name: 'End Contract' })
  act(() => {
    submit.click()
    submit.click()
  })
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  expect(server.callsOf('contracts.end')).toHaveLength(1)
})

test('an overdue contract can only end today', async () => {
  const { server, user } = open(aContract({ renewalDate: toDay('2026-10-15'), daysLeft: -38 }))
  await user.click(press('Not Renewing'))
  const dialog = await screen.findByRole('dialog', { name: 'End Contract' })
  expect(within(dialog).queryByRole('radio')).toBeNull()
  await user.selectOptions(await within(dialog).findByRole('combobox', { name: 'Reason' }), 'Price')
  await user.click(within(dialog).getByRole('button', { name: 'End Contract' }))
  await waitFor(() => expect(server.callsOf('contracts.end')).toMatchObject([{ on: '2026-11-22', note: null }]))
})

test('the timeline says what each term cost, what changed, and who decided', async () => {
  const term = { reason: null, note: null, decidedAt: null, decidedBy: null }
  const terms = [
    {
      ...term,
      number: 3,
      startDate: toDay('2026-03-01'),
      renewalDate: toDay('2027-03-01'),
      amount: 120,
      renewalCycle: 'yearly' as const,
      outcome: 'ended' as const,
      decidedAt: new Date('2026-05-01T12:00:00Z'),
      decidedBy: 'person',
      reason: 'Price',
      note: 'Found a cheaper one',
    },
    {
      ...term,
      number: 2,
      startDate: toDay('2026-02-01'),
      renewalDate: toDay('2026-03-01'),
      amount: 100,
      renewalCycle: 'monthly' as const,
      outcome: 'renewed' as const,
      decidedAt: new Date('2026-03-01T12:00:00Z'),
      decidedBy: 'job',
    },
  ]
  trpcServer({ contracts: { terms: () => terms } })
  renderScreen(<TermsTimeline contractId={31} />)
  expect(await screen.findByText('$120.00, yearly (+$20.00), monthly before')).toBeVisible()
  expect(screen.getByText('Ended on May 1, 2026. Reason: Price')).toBeVisible()
  expect(screen.getByText('Found a cheaper one')).toBeVisible()
  expect(screen.getByText('Automatically on Mar 1, 2026')).toBeVisible()
})
