import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { ADVICE, LAW, OWN, PRESET, rules, WINDOW } from '#support/notice-rules.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { ContractNotice } from './contract-notice.tsx'
import { CustomerNotice } from './customer-notice.tsx'
import { NoticeRulesSection } from './notice-rules-section.tsx'

test('rules are listed with their days, and those of a law with its citation, the day it was read, and what it is not', async () => {
  trpcServer({ noticeRules: { list: () => rules() } })
  renderScreen(<NoticeRulesSection />)
  const list = within(await screen.findByRole('list', { name: 'Notice rules' }))
  expect(list.getByText('60 to 30 days before the renewal date, by email or letter')).toBeVisible()
  expect(
    list.getByText(
      'New York General Obligations Law 5-903, as read on Nov 22, 2026. By certified mail. This is not legal advice.',
    ),
  ).toBeVisible()
  expect(list.queryByRole('button', { name: 'Change New York' })).toBeNull()
  expect(screen.getByText('On their own pages, a rule is chosen for 1 customer and 3 contracts.')).toBeVisible()
})

test('without rules it says so, and offers no choice', async () => {
  trpcServer({ noticeRules: { list: () => rules({ rules: [] }) } })
  renderScreen(<NoticeRulesSection />)
  expect(await screen.findByText('You have no rules yet.')).toBeVisible()
  expect(screen.queryByLabelText('All contracts')).toBeNull()
})

test('a rule is chosen for all contracts and for a tag', async () => {
  const { callsOf } = trpcServer({
    noticeRules: { list: () => rules(), choose: ({ rule }) => ({ own: rule === 'none' ? 'none' : 1 }) },
    tags: { list: () => [{ name: 'Repair', contracts: 1, customers: 0 }] },
  })
  const { user } = renderScreen(<NoticeRulesSection />)
  await user.selectOptions(await screen.findByLabelText('All contracts'), 'Ours')
  await user.selectOptions(screen.getByLabelText('Tag "Lease"'), 'No rule')
  await user.selectOptions(await screen.findByLabelText('Choose for another tag'), 'Repair')
  await user.selectOptions(screen.getByLabelText('Tag "Repair"'), 'New York')
  expect(callsOf('noticeRules.choose')).toEqual([
    { rule: 1 },
    { tag: 'Lease', rule: 'none' },
    { tag: 'Repair', rule: 2 },
  ])
})

test("a rule of one's own is checked before it is sent, and saved", async () => {
  const { callsOf } = trpcServer({ noticeRules: { list: () => rules(), make: () => OWN } })
  const { user } = renderScreen(<NoticeRulesSection />)
  await user.click(await screen.findByRole('button', { name: 'Add Rule' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Notice Rule' }))
  await user.clear(dialog.getByLabelText('Until'))
  await user.type(dialog.getByLabelText('Until'), '90')
  await user.click(dialog.getByRole('button', { name: 'Save Rule' }))
  expect(await dialog.findByText('Enter a name')).toBeVisible()
  expect(callsOf('noticeRules.make')).toEqual([])
  await user.type(dialog.getByLabelText(/Name/), 'Ours')
  await user.click(dialog.getByRole('button', { name: 'Save Rule' }))
  expect(await dialog.findByText('The window must not end before it begins')).toBeVisible()
  await user.clear(dialog.getByLabelText('Until'))
  await user.type(dialog.getByLabelText('Until'), '10')
  await user.click(dialog.getByRole('button', { name: 'Save Rule' }))
  await screen.findByText('Notice rule saved')
  expect(callsOf('noticeRules.make')).toEqual([
    {
      name: 'Ours',
      unit: 'days',
      from: 60,
      until: 10,
      countedFrom: 'renewal_date',
      means: ['email', 'letter'],
      contents: ['renews', 'deadline', 'price', 'how_to_decline'],
      exceptMonthly: false,
    },
  ])
})

test('a law is shown with all that was read of it before its rule is taken over', async () => {
  const { callsOf } = trpcServer({ noticeRules: { list: () => rules(), adopt: () => LAW } })
  const { user } = renderScreen(<NoticeRulesSection />)
  await user.click(await screen.findByRole('button', { name: 'Add From a Law' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add From a Law' }))
  expect(dialog.getByText('New York General Obligations Law 5-903, read on Nov 22, 2026 (nysenate.gov)')).toBeVisible()
  expect(dialog.getByText('Contracts for service')).toBeVisible()
  expect(dialog.getByText(ADVICE)).toBeVisible()
  expect(dialog.queryByRole('checkbox')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Add Rule' }))
  await screen.findByText('Notice rule "New York" added')
  expect(callsOf('noticeRules.adopt')).toEqual([{ preset: 'new_york_services', emailAgreed: false }])
})

test('closing asks first when another law was chosen, and the next time begins anew', async () => {
  const other = { ...PRESET, preset: 'wisconsin_business' as const, name: 'Wisconsin', emailMayBeAgreed: true }
  trpcServer({ noticeRules: { list: () => rules({ presets: [PRESET, other] }) } })
  const { user } = renderScreen(<NoticeRulesSection />)
  const dialog = () => screen.queryByRole('dialog', { name: 'Add From a Law' })
  for (const change of [
    () => user.selectOptions(screen.getByRole('combobox', { name: 'Law' }), 'Wisconsin'),
    async () => {
      await user.selectOptions(screen.getByRole('combobox', { name: 'Law' }), 'Wisconsin')
      await user.click(screen.getByRole('checkbox', { name: /agreed/ }))
    },
  ]) {
    await user.click(await screen.findByRole('button', { name: 'Add From a Law' }))
    expect(await screen.findByRole('combobox', { name: 'Law' })).toHaveValue(PRESET.preset)
    await change()
    await user.keyboard('{Escape}')
    const question = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
    await user.click(question.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(dialog()).toBeNull())
  }
  await user.click(await screen.findByRole('button', { name: 'Add From a Law' }))
  expect(await screen.findByRole('combobox', { name: 'Law' })).toHaveValue(PRESET.preset)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(dialog()).toBeNull())
})

test('a failure to load is shown', async () => {
  trpcServer({
    noticeRules: {
      list: () => {
        throw new AppError('SERVER_FULL')
      },
    },
  })
  renderScreen(<NoticeRulesSection />)
  expect(await screen.findByRole('alert')).toBeVisible()
})

test('where the rules cannot be loaded, a contract says so', async () => {
  const list = () => {
    throw new AppError('SERVER_FULL')
  }
  trpcServer({ noticeRules: { list } })
  renderScreen(<ContractNotice contractId={7} />)
  expect(within(await screen.findByRole('region', { name: 'Notice' })).getByRole('alert')).toBeVisible()
})

test('one Retry asks again for all of the screen that could not be loaded', async () => {
  let isFull = true
  const unlessFull = <Answer,>(answer: Answer) => {
    if (isFull) throw new AppError('SERVER_FULL')
    return answer
  }
  const without = { ...WINDOW, window: null }
  trpcServer({
    noticeRules: {
      list: () => rules(),
      ofContract: () => unlessFull(without),
      ofCustomer: () => unlessFull({ own: 'inherited' as const }),
    },
  })
  const { user } = renderScreen(
    <>
      <ContractNotice contractId={7} />
      <CustomerNotice customerId={8} />
    </>,
  )
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(2))
  isFull = false
  const [retry] = screen.getAllByRole('button', { name: 'Retry' })
  if (retry) await user.click(retry)
  expect(await screen.findByLabelText("Notice rule of this customer's contracts")).toBeVisible()
  expect(await screen.findByLabelText('Notice rule of this contract')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})
