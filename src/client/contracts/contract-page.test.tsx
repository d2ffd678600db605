import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { addDays, addMonths, dayIn, toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { formatDay } from '#client/text/format.ts'
import { aContract, aDecidedContract, aTerm, someContractReminders } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import { ContractPage } from './contract-page.tsx'

function open(
  given: Parameters<typeof aContract>[0] = {},
  answers: FakeAnswers['contracts'] = {},
  reminders: FakeAnswers['reminders'] = {},
) {
  const onDeleted = vi.fn()
  const server = trpcServer({
    contracts: { get: () => aContract(given), terms: () => [], remove: () => undefined, ...answers },
    identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) },
    reminders: { announceMail: () => ({ count: 0, first: null, isAddition: false }), ...reminders },
  })
  const page = (
    <ContractPage
      navigation={null}
      answers={null}
      id={31}
      notice={null}
      contacts={(customerId) => <p>{`Contacts of ${customerId}`}</p>}
      reminders={<p>Its reminders</p>}
      history={<p>Its history</p>}
      onDeleted={onDeleted}
    />
  )
  return { server, onDeleted, ...renderRouted(page) }
}

test('shows what a contract is, and what comes next', async () => {
  open()
  expect(await screen.findByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()
  for (const [term, detail] of [
    ['Customer', 'Harbor Bakery'],
    ['Amount', '$1,200.50, yearly'],
    ['Start Date', 'Jan 15, 2026'],
  ] as const) {
    expect(screen.getByText(term).nextElementSibling).toHaveTextContent(detail)
  }
  const next = screen.getByRole('region', { name: 'What comes next' })
  expect(next).toHaveTextContent('ActiveRenews on Jan 15, 2027, 55 days left')
  expect(screen.getByRole('group', { name: 'PDF' })).toBeVisible()
  expect(screen.getByText('Its reminders')).toBeVisible()
  expect(screen.getByText('Its history')).toBeVisible()
})

test('of an overdue contract the renewal was due', async () => {
  open({ renewalDate: toDay('2026-11-03'), daysLeft: -22 })
  const next = await screen.findByRole('region', { name: 'What comes next' })
  expect(next).toHaveTextContent('Was due to renew on Nov 3, 2026, overdue by 22 days')
})

test('a contract that was dealt with is past its date, not overdue', async () => {
  open({ status: 'cancelled', daysLeft: -5 })
  const next = await screen.findByRole('region', { name: 'What comes next' })
  expect(next).toHaveTextContent('Cancelled')
  expect(next).not.toHaveTextContent(/overdue/i)
})

test('its form is over the page, and closes back to it', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const form = await screen.findByRole('dialog', { name: 'Edit Contract' })
  expect(within(form).getByRole('combobox', { name: 'Customer' })).toHaveValue('Harbor Bakery')
  await user.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await expect.poll(() => document.activeElement?.textContent).toBe('Edit')
})

test('deleting asks nothing, and leads away', async () => {
  const { server, user, onDeleted } = open()
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  await expect.poll(() => onDeleted.mock.calls.length).toBe(1)
  expect(server.callsOf('contracts.remove')).toEqual([{ id: 31 }])
})

test('one that there is not is said not to be found, with a way on', async () => {
  open({}, { get: () => Promise.reject(new AppError('CONTRACT_NOT_FOUND')) })
  expect(await screen.findByRole('heading', { name: 'Contract not found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to Contracts' })).toHaveAttribute('href', '/contracts')
})

test('a value turns into its input, is saved by Enter with its version, and shown at once', async () => {
  const told = whenTold<ReturnType<typeof aContract>>()
  const { server, user } = open({ version: 4 }, { update: told.answer })
  await user.click(await screen.findByRole('button', { name: 'Edit Amount: $1,200.50, yearly' }))
  const input = screen.getByRole('textbox', { name: 'Amount' })
  expect(input).toHaveFocus()
  await user.clear(input)
  await user.type(input, '-5{Enter}')
  expect(await screen.findByText('Amount must be a positive number')).toBeVisible()
  await user.clear(input)
  await user.type(input, '1300{Enter}')
  const shown = await screen.findByRole('button', { name: 'Edit Amount: $1300, yearly' })
  expect(shown).toHaveFocus()
  expect(server.callsOf('contracts.update')).toEqual([{ id: 31, version: 4, amount: 1300 }])
  told.tell(aContract({ amount: 1300, version: 5 }))
  expect(await screen.findByText('Contract updated successfully!')).toBeVisible()
})

test('Escape restores a value, leaving the input saves it, and what the server refuses is taken back', async () => {
  const { server, user } = open({}, { update: () => Promise.reject(new AppError('RENEWAL_BEFORE_START')) })
  await user.click(await screen.findByRole('button', { name: 'Edit Title: None' }))
  await user.keyboard('Website{Escape}')
  expect(screen.getByRole('button', { name: 'Edit Title: None' })).toHaveFocus()
  expect(server.callsOf('contracts.update')).toEqual([])
  await user.keyboard('{Enter}Website')
  await user.click(screen.getByText('Its reminders'))
  expect(await screen.findByText('Renewal date must not be before the start date')).toBeVisible()
  expect(server.callsOf('contracts.update')).toEqual([{ id: 31, version: 1, title: 'Website' }])
  expect(screen.getByRole('button', { name: 'Edit Title: None' })).toBeVisible()
})

test('if somebody else has changed a value as well, both are shown, and one is chosen', async () => {
  let current = aContract({ title: 'Website' })
  const update = ({ version, title }: { version?: unknown; title?: string | null | undefined }) => {
    if (version !== current.version) throw new AppError('CONTRACT_CHANGED')
    current = { ...current, title: title ?? null, version: current.version + 1 }
    return current
  }
  const { server, user } = open({}, { get: () => current, update })
  await user.click(await screen.findByRole('button', { name: 'Edit Title: Website' }))
  current = { ...current, title: 'Shop', version: 2 }
  await user.keyboard('Mine{Enter}')
  const choice = within(await screen.findByRole('alert'))
  expect(choice.getByRole('radio', { name: 'Yours: Mine' })).toBeChecked()
  expect(choice.getByRole('radio', { name: 'Saved meanwhile: Shop' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('button', { name: 'Edit Title: Mine' })).toBeVisible()
  expect(server.callsOf('contracts.update').at(-1)).toEqual({ id: 31, version: 2, title: 'Mine' })
})

test('if the customer would get an email today, a changed renewal date is asked about first', async () => {
  const mail = { count: 1, first: toDay(new Date().toISOString().slice(0, 10)), isAddition: false }
  const { server, user } = open({ noticePeriod: '30 days', noticeDate: toDay('2026-12-16') })
  trpcServer({
    contracts: { get: () => aContract(), terms: () => [] },
    identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) },
    reminders: { announceMail: () => mail },
  })
  await user.click(await screen.findByRole('button', { name: 'Edit Renewal Date: Jan 15, 2027' }))
  fireEvent.change(screen.getByLabelText('Renewal Date'), { target: { value: '2027-01-05' } })
  fireEvent.keyDown(screen.getByLabelText('Renewal Date'), { key: 'Enter' })
  const dialog = within(await screen.findByRole('dialog', { name: 'Move Renewal' }))
  expect(dialog.getByLabelText(/^Move to/)).toHaveValue('2027-01-05')
  expect(server.callsOf('contracts.update')).toEqual([])
})

test('if an edit in place brings a notice, that is said, and Undo takes it back', async () => {
  let current = aContract({ renews: 'by_agreement' })
  const update = ({ id: _id, version: _version, ...fields }: Record<string, unknown>) =>
    (current = { ...current, ...fields, version: current.version + 1 })
  const { server, user } = open(
    {},
    { get: () => current, update },
    { announceMail: () => ({ count: 1, first: toDay('2026-11-26'), isAddition: false }) },
  )
  await user.click(await screen.findByRole('button', { name: /^Edit Renews: / }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Renews' }), 'automatic')
  await user.keyboard('{Enter}')
  expect(
    await screen.findByText('Contract updated successfully! 1 email to Harbor Bakery will go out on Nov 26, 2026.'),
  ).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeVisible()
  expect(server.callsOf('reminders.announceMail')).toMatchObject([{ id: 31, before: { renews: 'by_agreement' } }])
  expect(server.callsOf('contracts.update')).toEqual([
    { id: 31, version: 1, renews: 'automatic' },
    { id: 31, version: 2, renews: 'by_agreement' },
  ])
})

test('if it cannot be found out whether an edit in place brings notices, that is said', async () => {
  const { user } = open(
    { renews: 'automatic' },
    { update: () => aContract({ renews: 'automatic', nextCycle: 'monthly' }) },
    { announceMail: () => Promise.reject(new AppError('CUSTOMER_NOT_FOUND')) },
  )
  await user.click(await screen.findByRole('button', { name: /^Edit Cycle From Next Term: / }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Cycle From Next Term' }), 'monthly')
  await user.keyboard('{Enter}')
  const said = await screen.findByText(/We could not check which emails Harbor Bakery will get.$/)
  expect(said).toBeVisible()
})

/** A contract that the server stores, and changes only from the version that it has. */
function aStored(given: Parameters<typeof aContract>[0]) {
  const stored = { current: aContract(given) }
  const update = ({ id: _id, version, ...fields }: { id: unknown; version?: unknown }) => {
    if (version !== stored.current.version) throw new AppError('CONTRACT_CHANGED')
    return (stored.current = { ...stored.current, ...fields, version: stored.current.version + 1 })
  }
  return { stored, update, get: () => stored.current }
}

const NOTICE = { count: 1, first: toDay('2026-11-26'), isAddition: false }
const NOTICE_TEXT = 'Contract updated successfully! 1 email to Harbor Bakery will go out on Nov 26, 2026.'
type User = ReturnType<typeof open>['user']

async function editRenews(user: User, renews: string) {
  await user.click(await screen.findByRole('button', { name: /^Edit Renews: / }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Renews' }), renews)
  await user.keyboard('{Enter}')
}

async function editText(user: User, label: string, text: string) {
  await user.click(await screen.findByRole('button', { name: new RegExp(`^Edit ${label}: `) }))
  await user.clear(screen.getByRole('textbox', { name: label }))
  await user.keyboard(`${text}{Enter}`)
}

test('an edit in place is saved at once, and then it is found out which notices it brings', async () => {
  const counted = whenTold<typeof NOTICE>()
  const { update, get } = aStored({ renews: 'automatic', noticePeriod: '10 days' })
  const { server, user } = open({}, { update, get }, { announceMail: counted.answer })
  await editText(user, 'Notice Period', '20 days')
  await expect.poll(() => server.callsOf('contracts.update')).toEqual([{ id: 31, version: 1, noticePeriod: '20 days' }])
  expect(screen.queryByText(/^Contract updated/)).toBeNull()
  counted.tell(NOTICE)
  expect(await screen.findByText(NOTICE_TEXT)).toBeVisible()
  expect(server.callsOf('reminders.announceMail')).toMatchObject([{ before: { noticePeriod: '10 days' } }])
})

test('who leaves while an edit in place is being saved is asked first', async () => {
  const leaving = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const saved = whenTold<ReturnType<typeof aContract>>()
  const { user } = open({}, { update: saved.answer })
  await editText(user, 'Title', 'Website')
  expect(leaving()).toBe(false)
  saved.tell(aContract({ title: 'Website', version: 2 }))
  expect(await screen.findByText('Contract updated successfully!')).toBeVisible()
  expect(leaving()).toBe(true)
})

test('Undo takes a notice back after something else was edited, but not after the same was', async () => {
  const { stored, update, get } = aStored({ renews: 'by_agreement' })
  const { user } = open({}, { update, get }, { announceMail: () => NOTICE })
  await editRenews(user, 'automatic')
  expect(await screen.findByText(NOTICE_TEXT)).toBeVisible()
  await editText(user, 'Title', 'Website')
  expect(await screen.findByText('Contract updated successfully!')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeVisible()
  expect(stored.current).toMatchObject({ renews: 'by_agreement', title: 'Website' })
  await editRenews(user, 'automatic')
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await expect.poll(() => stored.current.renews).toBe('by_agreement')
  await editRenews(user, 'automatic')
  const undo = await screen.findByRole('button', { name: 'Undo' })
  stored.current = { ...stored.current, renews: 'never', version: 9 }
  await user.click(undo)
  expect(await screen.findByText('Not undone, because it has been changed again')).toBeVisible()
  expect(stored.current.renews).toBe('never')
})

test('where the contract was renewed because of the edit, Undo says so, and changes nothing', async () => {
  const { stored, update, get } = aStored({ renews: 'by_agreement' })
  const { user } = open({}, { update, get }, { announceMail: () => NOTICE })
  await editRenews(user, 'automatic')
  const undo = await screen.findByRole('button', { name: 'Undo' })
  stored.current = { ...stored.current, term: 2, version: 9 }
  await user.click(undo)
  expect(await screen.findByText('Not undone, because the contract has been renewed since')).toBeVisible()
  expect(stored.current.renews).toBe('automatic')
})

test('of two edits that bring a notice together, the one that is saved last says so', async () => {
  const { stored, update, get } = aStored({ renews: 'by_agreement' })
  const first = Promise.withResolvers<void>()
  const { server, user } = open(
    {},
    {
      get,
      update: async (changes) => {
        if ('renews' in changes) await first.promise
        return update(changes)
      },
    },
    { announceMail: () => (stored.current.noticePeriod ? NOTICE : { count: 0, first: null, isAddition: false }) },
  )
  await editRenews(user, 'automatic')
  await expect.poll(() => server.callsOf('contracts.update')).toHaveLength(1)
  await editText(user, 'Notice Period', '5 days')
  expect(await screen.findByText('Contract updated successfully!')).toBeVisible()
  expect(server.callsOf('reminders.announceMail')).toEqual([])
  first.resolve()
  expect(await screen.findByText(NOTICE_TEXT)).toBeVisible()
  expect(stored.current).toMatchObject({ renews: 'automatic', noticePeriod: '5 days' })
})

describe('before the server has answered', () => {
  const next = () => screen.findByRole('region', { name: 'What comes next' })
  const press = async (name: string) => within(await next()).getByRole('button', { name })

  test('another renewal date shows with its days left and its last day for notice, and is taken back if it is refused', async () => {
    const refusal = Promise.withResolvers<never>()
    const given = { noticePeriod: '30 days', noticeDate: toDay('2026-12-16') }
    const { user } = open(given, { update: () => refusal.promise })
    const moved = addDays(dayIn(new Date(), 'UTC'), 12)
    await user.click(await screen.findByRole('button', { name: 'Edit Renewal Date: Jan 15, 2027' }))
    fireEvent.change(screen.getByLabelText('Renewal Date'), { target: { value: moved } })
    fireEvent.keyDown(screen.getByLabelText('Renewal Date'), { key: 'Enter' })
    await expect.poll(async () => (await next()).textContent).toContain(`Renews on ${formatDay(moved)}, 12 days left`)
    expect(screen.getByText('Notice By').nextElementSibling).toHaveTextContent(formatDay(addDays(moved, -30)))
    refusal.reject(new AppError('RENEWAL_BEFORE_START'))
    await expect.poll(async () => (await next()).textContent).toContain('Renews on Jan 15, 2027, 55 days left')
    expect(screen.getByText('Notice By').nextElementSibling).toHaveTextContent('Dec 16, 2026')
  })

  test('a renewal shows the new term, and is taken back if it is refused', async () => {
    const refusal = Promise.withResolvers<never>()
    const { user } = open({ nextAmount: 1300, noticePeriod: '30 days' }, { renew: () => refusal.promise })
    await user.click(await press('Renew'))
    await expect.poll(async () => (await next()).textContent).toContain('Renews on Jan 15, 2028')
    expect(screen.getByText('Amount').nextElementSibling).toHaveTextContent('$1,300.00, yearly')
    expect(screen.getByText('Notice By').nextElementSibling).toHaveTextContent('Dec 16, 2027')
    expect(await press('Renew')).toHaveAttribute('aria-busy', 'true')
    expect(await press('End')).toHaveAttribute('aria-busy', 'true')
    refusal.reject(new AppError('TERM_CHANGED', { values: { term: 2, date: '2028-01-15' } }))
    expect(await screen.findByText(/has been renewed in the meantime/)).toBeVisible()
    expect(await next()).toHaveTextContent('Renews on Jan 15, 2027')
    await expect.poll(async () => (await press('End')).getAttribute('aria-busy')).toBe('false')
  })

  test('a contract that was ending is kept open, and undoing a renewal shows the old term', async () => {
    const told = whenTold<never>()
    const contract = aContract({ endsOn: toDay('2027-01-15') })
    const { server, user } = open(contract, { get: () => contract, reopen: told.answer })
    expect(await next()).toHaveTextContent('Ends on Jan 15, 2027')
    await user.click(await press('Keep Open'))
    await expect.poll(() => server.callsOf('contracts.reopen')).toEqual([{ id: 31, term: 1 }])
    await expect.poll(async () => (await next()).textContent).toContain('Renews on Jan 15, 2027')
    // Renew does not ask, so that a second press of the key must not reach it.
    expect(await press('Renew With Changes')).toHaveFocus()
  })

  test('an undone renewal shows the term that it had closed', async () => {
    let current = aContract()
    const renewed = aDecidedContract({ term: 2, renewalDate: toDay('2028-01-15'), daysLeft: 420 })
    const renew = () => {
      current = renewed
      return { ...renewed, confirmation: null, emailsToday: [] }
    }
    const { user } = open({}, { get: () => current, renew, undo: whenTold<never>().answer })
    await user.click(await press('Renew'))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await expect.poll(async () => (await next()).textContent).toContain('Renews on Jan 15, 2027')
  })
})

test('whatever was decided last can be undone from the page, a reopening too, and nothing else', async () => {
  let current = aContract()
  let term = aTerm({ undoes: 'reopen', decision: 43 })
  const undo = () => {
    term = aTerm()
    return { ...(current = aContract({ status: 'cancelled', version: 2 })), alreadyTold: [] }
  }
  const { server, user } = open({}, { get: () => current, terms: () => [term], undo })
  await user.click(await screen.findByRole('button', { name: 'Undo Last Decision' }))
  expect(await screen.findByText('Undone: the contract with Harbor Bakery is as it was before')).toBeVisible()
  expect(server.callsOf('contracts.undo')).toEqual([{ id: 31, decision: 43 }])
  await expect.poll(() => screen.queryByRole('button', { name: 'Undo Last Decision' })).toBeNull()
  expect(await screen.findByRole('button', { name: 'Reopen' })).toBeVisible()
})

describe('before a contract is opened again, it is said what its customer will be sent', () => {
  const announceMail = () => ({ count: 2, first: toDay('2027-01-18'), isAddition: false })
  const reopen = () => aDecidedContract({ decision: 44 })
  const press = async (name: string) => screen.findByRole('button', { name })

  test.each([
    ['a closed one', { status: 'cancelled', endsOn: toDay('2026-11-01') }, 'Reopen', 'Reopen Contract', 'active'],
    ['an ending one', { status: 'pending', endsOn: toDay('2027-01-01') }, 'Keep Open', 'Keep Contract Open', 'pending'],
  ] as const)('%s', async (_which, contract, name, title, status) => {
    const { server, user } = open(contract, { reopen }, { announceMail })
    await user.click(await press(name))
    const dialog = within(await screen.findByRole('dialog', { name: title }))
    expect(dialog.getByText('2 emails to Harbor Bakery will go out, the first on Jan 18, 2027.')).toBeVisible()
    expect(server.callsOf('reminders.announceMail')).toEqual([
      { id: 31, customerId: 7, renewalDate: '2027-01-15', status, endsOn: null },
    ])
    expect(server.callsOf('contracts.reopen')).toEqual([])
    await user.click(dialog.getByRole('button', { name }))
    expect(await screen.findByText('The contract with Harbor Bakery is open again')).toBeVisible()
    expect(server.callsOf('contracts.reopen')).toEqual([{ id: 31, term: 1 }])
  })

  test('and it can be opened without those emails', async () => {
    const { server, user } = open({ status: 'cancelled' }, { reopen }, { announceMail })
    await user.click(await press('Reopen'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reopen Contract' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Do not send these emails' }))
    await user.click(dialog.getByRole('button', { name: 'Reopen' }))
    expect(await screen.findByText('The contract with Harbor Bakery is open again')).toBeVisible()
    expect(server.callsOf('contracts.reopen')).toEqual([{ id: 31, term: 1, reminders: 'off' }])
  })

  test('or stays as it is', async () => {
    const { server, user } = open({ status: 'cancelled' }, { reopen }, { announceMail })
    await user.click(await press('Reopen'))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    await expect.poll(async () => (await press('Reopen')).getAttribute('aria-busy')).toBe('false')
    expect(server.callsOf('contracts.reopen')).toEqual([])
  })
})

test('the toast of a reopening takes back that reopening', async () => {
  const closed = aContract({ status: 'cancelled' })
  const { server, user } = open(closed, {
    reopen: () => aDecidedContract({ decision: 44 }),
    undo: () => ({ ...closed, alreadyTold: [] }),
  })
  await user.click(await screen.findByRole('button', { name: 'Reopen' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await expect.poll(() => server.callsOf('contracts.undo')).toEqual([{ id: 31, decision: 44 }])
})

test('a decision that is no longer the latest is not undone, which is said, and what is shown is read again', async () => {
  let term = aTerm({ undoes: 'end', decision: 43 })
  const undo = () => {
    term = aTerm({ undoes: 'end', decision: 45 })
    return Promise.reject(new AppError('DECIDED_SINCE'))
  }
  const { server, user } = open({}, { terms: () => [term], undo })
  const button = await screen.findByRole('button', { name: 'Undo Last Decision' })
  await user.click(button)
  expect(await screen.findByRole('alert')).toHaveTextContent('This is no longer the latest decision about the contract')
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('false')
  await user.click(button)
  await expect
    .poll(() => server.callsOf('contracts.undo'))
    .toEqual([
      { id: 31, decision: 43 },
      { id: 31, decision: 45 },
    ])
})

test('a double click undoes one decision, not the one before it as well', async () => {
  const decisions = [43, 41]
  const { server, user } = open(
    {},
    {
      terms: () => [aTerm({ undoes: 'end', decision: decisions[0] ?? null })],
      undo: () => {
        decisions.shift()
        return { ...aContract(), alreadyTold: [] }
      },
    },
  )
  const button = await screen.findByRole('button', { name: 'Undo Last Decision' })
  await user.click(button)
  expect(await screen.findByText(/^Undone:/)).toBeVisible()
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('false')
  fireEvent.click(button, { detail: 2 })
  // Long enough for a call to reach the server.
  await user.click(screen.getByRole('heading', { level: 1 }))
  expect(server.callsOf('contracts.undo')).toEqual([{ id: 31, decision: 43 }])
})

test('what a later change stands in the way of is not offered to be undone', async () => {
  open(
    {},
    { terms: () => [aTerm({ number: 2 }), aTerm({ outcome: 'renewed', decidedAt: new Date('2026-11-01T12:00:00Z') })] },
  )
  expect(await screen.findByText('Renewed on Nov 1, 2026')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Undo Last Decision' })).toBeNull()
})

test('a double click deletes once, and leaves the page', async () => {
  const { answer, tell } = whenTold<void>()
  const { server, user, onDeleted } = open({}, { remove: answer })
  const remove = await screen.findByRole('button', { name: 'Delete' })
  await user.dblClick(remove)
  await expect.poll(() => remove.getAttribute('aria-busy')).toBe('true')
  tell()
  await expect.poll(() => onDeleted.mock.calls).toHaveLength(1)
  expect(server.callsOf('contracts.remove')).toHaveLength(1)
})

/** The contracts of these tests renewed three days ago, unless they say otherwise. */
const OVERDUE = { renewalDate: addDays(dayIn(new Date(), 'UTC'), -3), daysLeft: -3 }

interface Scheduled {
  nextAmount?: number | null | undefined
  version?: unknown
}

describe('a change for the next term', () => {
  test('is scheduled where it is shown, and shown with what comes next', async () => {
    let current = aContract()
    const update = ({ nextAmount = current.nextAmount, version }: Scheduled) =>
      (current = { ...current, nextAmount, version: Number(version) + 1 })
    const { server, user } = open({}, { get: () => current, update })
    const next = await screen.findByRole('region', { name: 'What comes next' })
    expect(next).not.toHaveTextContent('Next term')
    await user.click(screen.getByRole('button', { name: 'Edit Amount From Next Term: Stays the same' }))
    await user.keyboard('0{Enter}')
    expect(await screen.findByText('Amount must be a positive number')).toBeVisible()
    await user.keyboard('{Backspace}1,300{Enter}')
    await expect.poll(() => next.textContent).toContain('Next term: $1,300.00, yearly')
    expect(server.callsOf('contracts.update')).toEqual([{ id: 31, version: 1, nextAmount: 1300 }])
    await user.click(await screen.findByRole('button', { name: 'Edit Amount From Next Term: $1,300.00' }))
    await user.clear(screen.getByRole('textbox', { name: 'Amount From Next Term' }))
    await user.keyboard('{Enter}')
    await expect.poll(() => next.textContent).not.toContain('Next term')
    expect(server.callsOf('contracts.update').at(-1)).toEqual({ id: 31, version: 2, nextAmount: null })
  })

  test('can be of the cycle', async () => {
    const { server, user } = open({}, { update: () => aContract({ nextCycle: 'monthly', version: 2 }) })
    await user.click(await screen.findByRole('button', { name: 'Edit Cycle From Next Term: Stays the same' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Cycle From Next Term' }), 'Monthly')
    await user.keyboard('{Enter}')
    await expect.poll(() => server.callsOf('contracts.update')).toEqual([{ id: 31, version: 1, nextCycle: 'monthly' }])
  })

  test('is not offered once a contract is closed', async () => {
    open({ status: 'cancelled' })
    expect(await screen.findByRole('button', { name: /^Edit Amount: / })).toBeVisible()
    expect(screen.queryByRole('button', { name: /From Next Term/ })).toBeNull()
  })
})

describe('a reminder by hand', () => {
  const goesOutAt = new Date(Date.now() + 3_600_000)

  test('is sent from the page, and undone', async () => {
    let sent = false
    const { server, user } = open(
      {},
      {
        planReminder: () => ((sent = true), { customerName: 'Harbor Bakery', goesOutAt }),
        undoReminder: () => void (sent = false),
      },
      { ofContract: () => someContractReminders({ goesOutAt: sent ? goesOutAt : null }) },
    )
    await user.click(await screen.findByRole('button', { name: 'Send Reminder: Harbor Bakery' }))
    expect(await screen.findByText('Reminder to Harbor Bakery goes out in 10 seconds')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'On Its Way: Harbor Bakery' })).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('The reminder will not be sent')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Send Reminder: Harbor Bakery' })).toBeVisible()
    expect(server.callsOf('contracts.planReminder')).toEqual([{ id: 31 }])
  })

  test('that went out today is not sent again, and one about a closed contract is not offered', async () => {
    const { unmount } = open({}, {}, { ofContract: () => someContractReminders({ isRemindedToday: true }) })
    expect(await screen.findByRole('button', { name: 'Reminder Sent Today: Harbor Bakery' })).toBeVisible()
    unmount()
    open({ status: 'cancelled' })
    expect(await screen.findByRole('button', { name: 'Reopen' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /Reminder/ })).toBeNull()
  })

  test('is shown before it is sent', async () => {
    const letter = { subject: 'Your contract renews', text: 'Dear Harbor', html: '<p>Dear Harbor</p>' }
    const reader = { name: null, email: 'orders@harbor.test', obstacle: null }
    const preview = { ...letter, customerName: 'Harbor Bakery', to: reader.email, readers: [reader] }
    const { user } = open({}, { previewReminder: () => preview })
    await user.click(await screen.findByRole('button', { name: 'Preview the reminder: Harbor Bakery' }))
    expect(await screen.findByText('Your contract renews')).toBeVisible()
  })
})

test("its customer's contacts are on the page", async () => {
  open({ customerId: 7 })
  expect(await screen.findByText('Contacts of 7')).toBeVisible()
})

describe('before an overdue contract is made to renew otherwise, what will happen is said', () => {
  const choose = async (user: ReturnType<typeof open>['user'], renews: string) => {
    await user.click(await screen.findByRole('button', { name: /^Edit Renews: / }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Renews' }), renews)
  }

  test('where it is edited in place: it renews at once, with the change that is scheduled', async () => {
    const { server, user } = open({ ...OVERDUE, renewalCycle: 'monthly', nextAmount: 1300 }, { terms: () => [aTerm()] })
    await choose(user, 'Automatically')
    const end = formatDay(addMonths(OVERDUE.renewalDate, 1))
    const said = await screen.findByText(/^Its renewal date has come. Within a minute of saving, it is renewed/)
    expect(said).toHaveTextContent(
      `Term 2 runs from ${formatDay(OVERDUE.renewalDate)} until it renews on ${end}, for $1,300.00.`,
    )
    expect(server.callsOf('contracts.update')).toEqual([])
  })

  test('terms that were missed are counted', async () => {
    const renewalDate = addMonths(dayIn(new Date(), 'UTC'), -2)
    const dates = { renewalDate, startDate: addMonths(renewalDate, -12), anchorDate: addMonths(renewalDate, -12) }
    const { user } = open({ ...dates, daysLeft: -61, renewalCycle: 'monthly' }, { terms: () => [aTerm()] })
    await choose(user, 'Automatically')
    expect(await screen.findByText(/it is renewed 3 times. Term 4 runs from/)).toBeVisible()
  })

  test('a contract that never renews expires', async () => {
    const { user } = open(OVERDUE, { terms: () => [aTerm()] })
    await choose(user, 'Never')
    expect(await screen.findByText(/Within a minute of saving, it expires\.$/)).toBeVisible()
  })

  test('nothing happens where a renewal was undone, or while a contract is pending', async () => {
    const { user, unmount } = open(OVERDUE, { terms: () => [aTerm({ isHeld: true })] })
    await choose(user, 'Automatically')
    expect(await screen.findByText(/^Nothing happens automatically on this renewal date/)).toBeVisible()
    unmount()
    const pending = open({ ...OVERDUE, status: 'pending' }, { terms: () => [aTerm()] })
    await choose(pending.user, 'Automatically')
    expect(await screen.findByText(/nothing happens automatically while it is pending/)).toBeVisible()
  })

  test('in the form as well, and nothing of a contract whose date has not come', async () => {
    const { user, unmount } = open(OVERDUE, { terms: () => [aTerm()] })
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const form = within(await screen.findByRole('dialog', { name: 'Edit Contract' }))
    expect(form.queryByText(/Within a minute of saving/)).toBeNull()
    await user.selectOptions(form.getByRole('combobox', { name: 'Renews' }), 'Automatically')
    expect(await form.findByText(/Within a minute of saving, it is renewed/)).toBeVisible()
    await user.clear(form.getByLabelText(/^Amount/))
    await user.type(form.getByLabelText(/^Amount/), '2000')
    expect(await form.findByText(/Within a minute of saving, it is renewed.* for \$2,000\.00\.$/)).toBeVisible()
    unmount()
    const early = open()
    await choose(early.user, 'Automatically')
    expect(screen.queryByText(/Within a minute of saving/)).toBeNull()
  })
})

test('every figure that is computed says how, on hover and on focus', async () => {
  const notice = { noticePeriod: '30 days', noticeDate: toDay('2026-12-16') }
  const { user } = open(
    { ...notice, nextAmount: 1300 },
    { terms: () => [aTerm({ number: 2 }), aTerm({ amount: 1000 })] },
  )
  const renewal = 'Term 1 began on Jan 15, 2026, yearly. Notice by Dec 16, 2026: 30 days before.'
  const figures = [
    ['Renews on Jan 15, 2027', renewal],
    ['55 days left', 'Calendar days from today to Jan 15, 2027'],
    ['Next term: $1,300.00, yearly', 'Scheduled for the term that begins on Jan 15, 2027. Now $1,200.50, yearly'],
    ['Dec 16, 2026', '30 days before Jan 15, 2027'],
    ['$1,200.50, yearly (+$200.50)', '$1,200.50 minus $1,000.00, the price of term 1'],
  ] as const
  for (const [figure, how] of figures) {
    const shown = await screen.findByText(figure, { selector: '[tabindex="0"]' })
    await user.hover(shown)
    await expect.poll(() => screen.getByRole('tooltip').textContent).toBe(how)
    await user.unhover(shown)
    await expect.poll(() => screen.queryByRole('tooltip')).toBeNull()
    act(() => shown.focus())
    await expect.poll(() => screen.getByRole('tooltip').textContent).toBe(how)
    act(() => shown.blur())
    await expect.poll(() => screen.queryByRole('tooltip')).toBeNull()
  }
})
