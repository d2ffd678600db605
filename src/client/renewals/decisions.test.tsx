import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { aContract, aDecidedContract, aTerm } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import type { Outputs } from '#client/api/trpc.ts'
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

type Renewed = Outputs['contracts']['renew']

const SETTINGS = { endOverdueAfterDays: null, endReasons: ['Price', 'Moved away'] }

function open(contract: Contract, answers: NonNullable<FakeAnswers['contracts']> = {}) {
  const renewed = aDecidedContract({
    ...contract,
    decision: 41,
    term: 2,
    termStart: contract.renewalDate,
    renewalDate: toDay('2028-01-15'),
  })
  const server = trpcServer({
    contracts: {
      renew: () => ({ ...renewed, confirmation: null, emailsToday: [] }),
      end: () => aDecidedContract({ ...contract, decision: 42, endsOn: contract.renewalDate }),
      undo: () => ({ ...contract, alreadyTold: [] }),
      renewalSettings: () => ({ ...SETTINGS, confirmRenewals: false }),
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
  await waitFor(() => expect(server.callsOf('contracts.undo')).toEqual([{ id: 31, decision: 41 }]))
})

test('while the server has not answered the button says so, and a second press renews no second time', async () => {
  const { answer, tell } = whenTold<Renewed>()
  const { server, user } = open(aContract(), { renew: answer })
  await user.dblClick(press('Renew'))
  await waitFor(() => expect(press('Renew')).toHaveAttribute('aria-busy', 'true'))
  expect(press('Renew')).toHaveFocus()
  await user.click(press('Renew'))
  expect(server.callsOf('contracts.renew')).toHaveLength(1)
  tell({ ...aDecidedContract({ term: 2 }), confirmation: null, emailsToday: [] })
  await waitFor(() => expect(press('Renew')).toHaveAttribute('aria-busy', 'false'))
})

test('while another act is pending a dialog cannot be submitted, and can be closed', async () => {
  const { answer, tell } = whenTold<Renewed>()
  const { user } = open(aContract(), { renew: answer })
  await user.click(press('Renew'))
  await user.click(press('Renew With Changes'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Renew Contract' }))
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Renew' })).toBeDisabled())
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled()
  tell({ ...aDecidedContract({ term: 2 }), confirmation: null, emailsToday: [] })
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Renew' })).toBeEnabled())
})

describe('a press before the settings are known waits for them', () => {
  const pressedEarly = async () => {
    const { answer, tell } = whenTold<typeof SETTINGS & { confirmRenewals: boolean }>()
    const { server, user } = open(aContract(), { renewalSettings: answer })
    await user.dblClick(press('Renew'))
    expect(server.callsOf('contracts.renew')).toHaveLength(0)
    return { server, tell }
  }

  test('they say to tell the customer', async () => {
    const { server, tell } = await pressedEarly()
    tell({ ...SETTINGS, confirmRenewals: true })
    const dialog = await screen.findByRole('dialog', { name: 'Renew Contract' })
    expect(await within(dialog).findByRole('switch', { name: /^Tell the customer/ })).toBeChecked()
    expect(server.callsOf('contracts.renew')).toHaveLength(0)
  })

  test('they say to tell nobody', async () => {
    const { server, tell } = await pressedEarly()
    tell({ ...SETTINGS, confirmRenewals: false })
    expect(await screen.findByRole('status')).toHaveTextContent('Renewed: Harbor Bakery')
    expect(server.callsOf('contracts.renew')).toHaveLength(1)
  })
})

test('where the settings cannot be read, renewing asks first', async () => {
  const { server, user } = open(aContract(), { renewalSettings: () => Promise.reject(new AppError('FAULT')) })
  await user.click(press('Renew'))
  expect(await screen.findByRole('dialog', { name: 'Renew Contract' })).toBeVisible()
  expect(server.callsOf('contracts.renew')).toHaveLength(0)
})

test('an undo that takes its time shows so in the toast', async () => {
  const { answer, tell } = whenTold<Contract & { alreadyTold: string[] }>()
  const { server, user } = open(aContract(), { undo: answer })
  await user.click(press('Renew'))
  const toast = await screen.findByRole('status')
  const undo = within(toast).getByRole('button', { name: 'Undo' })
  await user.dblClick(undo)
  expect(undo).toHaveAttribute('aria-busy', 'true')
  expect(toast).toBeVisible()
  tell({ ...aContract(), alreadyTold: [] })
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
      {
        id: 31,
        term: 1,
        amount: 1200.5,
        renewalCycle: 'monthly',
        from: 'today',
        renewalDate: '2026-12-22',
        confirm: false,
      },
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

test.each([
  ['99999999999', 'Amount must be at most 9,999,999,999.99'],
  ['0.125', 'Amount must have at most two decimals'],
  ['-5', 'Amount must be a positive number'],
  ['1.200', '"1.200" can mean $1,200.00 or $1.20. Enter the one you mean'],
])('the amount %s is refused at its field', async (typed, words) => {
  const { server, user } = open(aContract())
  await user.click(press('Renew With Changes'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Renew Contract' }))
  const amount = dialog.getByRole('textbox', { name: 'Amount' })
  await user.clear(amount)
  await user.type(amount, `${typed}{Enter}`)
  expect(amount).toHaveAccessibleDescription(words)
  expect(server.callsOf('contracts.renew')).toEqual([])
})

const EMAIL = {
  customerName: 'Harbor Bakery',
  readers: [
    { name: null, email: 'orders@harbor.test', obstacle: null },
    { name: 'Ada', email: 'ada@harbor.test', obstacle: 'Email to this address bounced' },
  ],
  waitsFor: null,
  subject: 'Your contract has been renewed until January 15, 2028',
  text: 'Hello Harbor Bakery,',
  html: '<p>Hello Harbor Bakery,</p>',
}

describe('telling the customer', () => {
  test('is off unless it is switched on, and shows who gets which email', async () => {
    const { server, user } = open(aContract(), { previewRenewal: () => EMAIL })
    await user.click(press('Renew With Changes'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Renew Contract' }))
    const tell = dialog.getByRole('switch', { name: /^Tell the customer/ })
    expect(tell).not.toBeChecked()
    expect(server.callsOf('contracts.previewRenewal')).toEqual([])
    await user.click(tell)
    expect(await dialog.findByText('To Harbor Bakery: orders@harbor.test')).toBeVisible()
    expect(dialog.getByText('Not to ada@harbor.test (Ada): Email to this address bounced')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Show Email' }))
    expect(dialog.getByText(EMAIL.subject)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Renew' }))
    await waitFor(() => expect(server.callsOf('contracts.renew')).toMatchObject([{ confirm: true }]))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    // It would be refused: the contract is in another term.
    expect(server.callsOf('contracts.previewRenewal')).toHaveLength(1)
  })

  test('a wrong amount has no email, and another one has another', async () => {
    const { server, user } = open(aContract(), { previewRenewal: () => EMAIL })
    await user.click(press('Renew With Changes'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Renew Contract' }))
    await user.click(dialog.getByRole('switch', { name: /^Tell the customer/ }))
    await dialog.findByText('To Harbor Bakery: orders@harbor.test')
    await user.clear(dialog.getByRole('textbox', { name: 'Amount' }))
    expect(dialog.getByText('The email appears once the new term has no errors.')).toBeVisible()
    await user.type(dialog.getByRole('textbox', { name: 'Amount' }), '7')
    await waitFor(() => expect(server.callsOf('contracts.previewRenewal').at(-1)).toMatchObject({ id: 31, amount: 7 }))
  })

  test.each([
    ['company', 'It waits until you have entered your company name.'],
    ['owner', 'It waits until your email address is verified.'],
    ['stop', 'It waits while your email to customers is paused.'],
    ['limit', "You have reached today's limit of emails to customers, so it goes out on another day."],
  ] as const)('says what the email would wait for: %s', async (waitsFor, text) => {
    const { user } = open(aContract(), { previewRenewal: () => ({ ...EMAIL, waitsFor }) })
    await user.click(press('Renew With Changes'))
    await user.click(await screen.findByRole('switch', { name: /^Tell the customer/ }))
    expect(await screen.findByText(text)).toBeVisible()
  })

  test('says that nobody gets it', async () => {
    const readers = [{ name: null, email: null, obstacle: 'There is no email address' }]
    const { user } = open(aContract(), { previewRenewal: () => ({ ...EMAIL, readers }) })
    await user.click(press('Renew With Changes'))
    await user.click(await screen.findByRole('switch', { name: /^Tell the customer/ }))
    expect(await screen.findByText('Nobody at Harbor Bakery gets it')).toBeVisible()
    expect(screen.getByText('Not to the first contact: There is no email address')).toBeVisible()
  })

  test('where the settings say so, Renew shows the email first, and it can be switched off', async () => {
    const { server, user } = open(aContract(), {
      renewalSettings: () => ({ ...SETTINGS, confirmRenewals: true }),
      previewRenewal: () => EMAIL,
    })
    await user.click(press('Renew'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Renew Contract' }))
    expect(await dialog.findByText('To Harbor Bakery: orders@harbor.test')).toBeVisible()
    const tell = dialog.getByRole('switch', { name: /^Tell the customer/ })
    expect(tell).toBeChecked()
    await user.click(tell)
    await user.click(dialog.getByRole('button', { name: 'Renew' }))
    await waitFor(() => expect(server.callsOf('contracts.renew')).toMatchObject([{ confirm: false }]))
  })

  test('the toast counts those who are told if there are many', async () => {
    const confirmation = { to: ['a@harbor.test', 'b@harbor.test', 'c@harbor.test'], goesOutAt: new Date() }
    const { user } = open(aContract(), {
      renew: () => ({ ...aDecidedContract({ term: 2 }), confirmation, emailsToday: [] }),
    })
    await user.click(press('Renew'))
    expect(await screen.findByRole('status')).toHaveTextContent('An email to 3 contacts goes out in 10 seconds')
  })

  test('the toast says who is told of the renewal, and who is emailed about the new date today', async () => {
    const confirmation = { to: ['ada@harbor.test'], goesOutAt: new Date() }
    const renewed = { ...aDecidedContract({ term: 2 }), confirmation, emailsToday: ['orders@harbor.test'] }
    const { user } = open(aContract(), { renew: () => renewed })
    await user.click(press('Renew'))
    const toast = await screen.findByRole('status')
    expect(toast).toHaveTextContent(
      '. An email to ada@harbor.test goes out in 10 seconds. An email to orders@harbor.test',
    )
    expect(toast).toHaveTextContent('orders@harbor.test about the new renewal date goes out today')
  })

  test('the toast says who is emailed about the new renewal date today', async () => {
    const renewed = { ...aDecidedContract({ term: 2 }), confirmation: null, emailsToday: ['orders@harbor.test'] }
    const { user } = open(aContract(), { renew: () => renewed })
    await user.click(press('Renew'))
    expect(await screen.findByRole('status')).toHaveTextContent(
      '. An email to orders@harbor.test about the new renewal date goes out today',
    )
  })

  test('the toast says to whom an email goes out, and Undo that it had gone already', async () => {
    const confirmation = { to: ['orders@harbor.test'], goesOutAt: new Date('2026-11-22T12:00:10Z') }
    const { user } = open(aContract(), {
      renew: () => ({ ...aDecidedContract({ term: 2 }), confirmation, emailsToday: [] }),
      undo: () => ({ ...aContract(), alreadyTold: ['orders@harbor.test'] }),
    })
    await user.click(press('Renew'))
    const toast = await screen.findByRole('status')
    expect(toast).toHaveTextContent('An email to orders@harbor.test goes out in 10 seconds')
    await user.click(within(toast).getByRole('button', { name: 'Undo' }))
    expect(
      await screen.findByText(/as it was before. The email about the renewal had already gone to orders@harbor.test/),
    ).toBeVisible()
  })
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
    { id: 31, term: 1, reason: 'Moved away', note: 'To Chicago', on: '2027-01-15' },
  ])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.callsOf('contracts.undo')).toEqual([{ id: 31, decision: 42 }]))
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
  const terms = [
    aTerm({
      number: 3,
      startDate: toDay('2026-03-01'),
      renewalDate: toDay('2027-03-01'),
      amount: 120,
      outcome: 'ended',
      decidedAt: new Date('2026-05-01T12:00:00Z'),
      decidedBy: 'person',
      reason: 'Price',
      note: 'Found a cheaper one',
    }),
    aTerm({
      number: 2,
      startDate: toDay('2026-02-01'),
      renewalDate: toDay('2026-03-01'),
      amount: 100,
      renewalCycle: 'monthly',
      outcome: 'renewed',
      decidedAt: new Date('2026-03-01T12:00:00Z'),
      decidedBy: 'job',
    }),
  ]
  trpcServer({ contracts: { terms: () => terms } })
  const { user } = renderScreen(<TermsTimeline contractId={31} />)
  const price = await screen.findByText('$120.00, yearly (+$20.00), previously monthly')
  expect(price).toBeVisible()
  await user.hover(price)
  expect(await screen.findByText('$120.00 minus $100.00, the price of term 2')).toBeVisible()
  expect(screen.getByText('Ended on May 1, 2026. Reason: Price')).toBeVisible()
  expect(screen.getByText('Found a cheaper one')).toBeVisible()
  expect(screen.getByText('Automatically on Mar 1, 2026')).toBeVisible()
})
