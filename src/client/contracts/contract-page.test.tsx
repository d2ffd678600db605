import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { addDays, dayIn, toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { formatDay } from '#client/text/format.ts'
import { aContract, aTerm } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import { ContractPage } from './contract-page.tsx'

function open(given: Parameters<typeof aContract>[0] = {}, answers: FakeAnswers['contracts'] = {}) {
  const onDeleted = vi.fn()
  const server = trpcServer({
    contracts: { get: () => aContract(given), terms: () => [], remove: () => undefined, ...answers },
    identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) },
    reminders: { announceMail: () => ({ count: 0, first: null }) },
  })
  const page = (
    <ContractPage
      navigation={null}
      answers={null}
      id={31}
      notice={null}
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
  const mail = { count: 1, first: toDay(new Date().toISOString().slice(0, 10)) }
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
    const { user } = open(contract, { get: () => contract, reopen: told.answer })
    expect(await next()).toHaveTextContent('Ends on Jan 15, 2027')
    await user.click(await press('Keep Open'))
    await expect.poll(async () => (await next()).textContent).toContain('Renews on Jan 15, 2027')
    expect(await press('Renew')).toHaveFocus()
  })

  test('an undone renewal shows the term that it had closed', async () => {
    let current = aContract()
    const renewed = aContract({ term: 2, renewalDate: toDay('2028-01-15'), daysLeft: 420 })
    const renew = () => ({ ...(current = renewed), confirmation: null })
    const { user } = open({}, { get: () => current, renew, undo: whenTold<never>().answer })
    await user.click(await press('Renew'))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await expect.poll(async () => (await next()).textContent).toContain('Renews on Jan 15, 2027')
  })
})

test('whatever was decided last can be undone from the page, a reopening too, and nothing else', async () => {
  let current = aContract()
  let undoes: ReturnType<typeof aTerm>['undoes'] = 'reopen'
  const undo = () => {
    undoes = null
    return { ...(current = aContract({ status: 'cancelled', version: 2 })), alreadyTold: [] }
  }
  const { server, user } = open({}, { get: () => current, terms: () => [aTerm({ undoes })], undo })
  await user.click(await screen.findByRole('button', { name: 'Undo Last Decision' }))
  expect(await screen.findByText('Undone: the contract with Harbor Bakery is as it was before')).toBeVisible()
  expect(server.callsOf('contracts.undo')).toEqual([{ id: 31 }])
  await expect.poll(() => screen.queryByRole('button', { name: 'Undo Last Decision' })).toBeNull()
  expect(await screen.findByRole('button', { name: 'Reopen' })).toBeVisible()
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
