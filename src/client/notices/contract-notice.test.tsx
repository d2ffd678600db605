import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { addDays, dayIn, toDay } from '#shared/domain/day.ts'
import { rules, WINDOW } from '#support/notice-rules.ts'
import { aNotice } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { formatDay } from '#client/text/format.ts'
import { ContractNotice } from './contract-notice.tsx'

const TODAY = dayIn(new Date(), 'UTC')
const DUE = aNotice({
  derivation: '30 to 15 days before the last day for notice',
  means: ['letter'],
  ruleName: 'New York',
  consequence: 'The provision cannot be enforced',
})

test('a contract shows its window, how it follows from the rule, and for what that was chosen', async () => {
  trpcServer({
    noticeRules: { list: () => rules(), ofContract: () => WINDOW },
    notices: { ofContract: () => ({ notice: DUE, isGiven: false }) },
  })
  renderScreen(<ContractNotice contractId={7} />)
  const section = within(await screen.findByRole('region', { name: 'Notice' }))
  expect(
    await section.findByText(
      /^30 to 15 days before Mar 2, 2027, the last day for notice\. Rule "New York", chosen for the tag "Lease"/,
    ),
  ).toBeVisible()
  expect(section.getByText(/not legal advice/)).toBeVisible()
})

test('a contract says that its window closes without notice, or by what it was given', async () => {
  const warning = {
    daysLeft: 2,
    reason: 'no_address',
    why: 'No address',
    remedy: 'Add one, or mail a letter.',
  } as const
  const notices = { ofContract: () => ({ notice: { ...DUE, warning }, isGiven: false }) }
  trpcServer({ noticeRules: { list: () => rules(), ofContract: () => WINDOW }, notices })
  const { unmount } = renderScreen(<ContractNotice contractId={7} />)
  expect(await screen.findByText('Closes in 2 days. No address. Add one, or mail a letter.')).toBeVisible()
  unmount()
  const given = { ...DUE, postedOn: toDay('2026-02-01'), mailNumber: '7020' }
  const posted = { ofContract: () => ({ notice: given, isGiven: true }) }
  trpcServer({ noticeRules: { list: () => rules(), ofContract: () => WINDOW }, notices: posted })
  renderScreen(<ContractNotice contractId={7} />)
  expect(await screen.findByText('Notice was given. Letter mailed on Feb 1, 2026, certified mail 7020')).toBeVisible()
})

test('a contract without a window says why, and one without a rule that there is none', async () => {
  const without = {
    ...WINDOW,
    window: null,
    why: 'not_automatic' as const,
    derivation: 'The contract does not renew automatically',
  }
  trpcServer({ noticeRules: { list: () => rules(), ofContract: () => without } })
  const { unmount } = renderScreen(<ContractNotice contractId={7} />)
  expect(await screen.findByText('No notice is due: The contract does not renew automatically')).toBeVisible()
  unmount()
  trpcServer({ noticeRules: { list: () => rules(), ofContract: () => ({ ...WINDOW, rule: null, window: null }) } })
  renderScreen(<ContractNotice contractId={7} />)
  expect(await screen.findByText('No notice rule applies to this contract.')).toBeVisible()
})

const PAST = { from: addDays(TODAY, -30), through: addDays(TODAY, -1) }

/** The contract once its window is over. */
function afterwards(given: object = {}, isGiven = false) {
  trpcServer({
    noticeRules: { list: () => rules(), ofContract: () => ({ ...WINDOW, window: PAST }) },
    notices: { ofContract: () => ({ notice: { ...DUE, ...PAST, ...given }, isGiven }) },
  })
  return renderScreen(<ContractNotice contractId={7} />)
}

test('a contract whose window closed without notice says so, and what that means by the rule', async () => {
  afterwards()
  expect(
    await screen.findByText('No notice was given. Under the rule, this means: The provision cannot be enforced.'),
  ).toBeVisible()
  const days = `${formatDay(PAST.from)} and ${formatDay(PAST.through)}`
  expect(screen.getByText(`The customer had to be told between ${days}, by letter`)).toBeVisible()
  expect(screen.queryByText(/must be told/)).toBeNull()
  expect(screen.queryByText(/Without notice:/)).toBeNull()
  expect(screen.getByRole('button', { name: /Mark as Mailed/ })).toBeVisible()
})

test('one whose window is over and that was told in it says that alone', async () => {
  afterwards({ postedOn: PAST.from }, true)
  expect(await screen.findByText(`Notice was given. Letter mailed on ${formatDay(PAST.from)}`)).toBeVisible()
  expect(screen.queryByText(/No notice was given/)).toBeNull()
})

test('a contract whose window cannot be computed says what is missing, and not that no notice is due', async () => {
  const without = {
    ...WINDOW,
    window: null,
    why: 'no_last_day' as const,
    derivation: 'The contract has no notice period',
    remedy: 'Add its notice period',
  }
  trpcServer({ noticeRules: { list: () => rules(), ofContract: () => without } })
  renderScreen(<ContractNotice contractId={7} />)
  const text = 'The notice window cannot be computed: The contract has no notice period. Add its notice period.'
  expect(await screen.findByText(text)).toBeVisible()
  expect(screen.queryByText(/No notice is due/)).toBeNull()
})
