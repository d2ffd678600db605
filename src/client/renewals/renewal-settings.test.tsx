import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { RenewalSettingsForm } from './renewal-settings.tsx'

const SAVED = { confirmRenewals: false, endOverdueAfterDays: 45, endReasons: ['Price', 'Other'] }

function open(answers: NonNullable<FakeAnswers['contracts']> = {}) {
  const server = trpcServer({
    contracts: {
      renewalSettings: () => SAVED,
      saveRenewalSettings: ({ confirmRenewals = false, endOverdueAfterDays, endReasons }) => ({
        confirmRenewals,
        endOverdueAfterDays: endOverdueAfterDays === null ? null : Number(endOverdueAfterDays),
        endReasons: endReasons ?? [],
      }),
      ...answers,
    },
  })
  return { server, ...renderRouted(<RenewalSettingsForm />) }
}

const reasons = () => screen.findByRole('textbox', { name: 'Reasons for ending a contract' })
const save = () => screen.getByRole('button', { name: 'Save Renewal Settings' })

test('the saved settings are shown, also a number of days that is not offered', async () => {
  open()
  expect(await reasons()).toHaveValue('Price\nOther')
  expect(screen.getByRole('combobox')).toHaveDisplayValue('End after 45 days')
  expect(save()).toBeDisabled()
})

test('changes are saved, blank lines left out', async () => {
  const { server, user } = open()
  await user.type(await reasons(), '\n\n  Moved away ')
  await user.selectOptions(screen.getByRole('combobox'), 'Stay open until you decide')
  await user.click(save())
  expect(await screen.findByText('Renewal settings saved')).toBeVisible()
  expect(server.callsOf('contracts.saveRenewalSettings')).toEqual([
    { confirmRenewals: false, endOverdueAfterDays: null, endReasons: ['Price', 'Other', 'Moved away'] },
  ])
})

const tell = () => screen.findByRole('switch', { name: /^Tell customers when their contracts are renewed/ })

test('switching on says beforehand whose contracts renew automatically, and is saved', async () => {
  const first = [{ contractId: 1, customerName: 'Harbor Bakery', day: toDay('2027-01-15') }]
  const coming = { contracts: 3, told: 2, emails: 4, first, onlyFirst: null }
  const { server, user } = open({ comingConfirmations: () => coming })
  expect(await tell()).not.toBeChecked()
  await user.click(await tell())
  expect(
    await screen.findByText(
      'In the next 30 days, 3 contracts renew automatically. Customers of 2 of them would get 4 emails, each on the day of the renewal:',
    ),
  ).toBeVisible()
  expect(screen.getByText('Harbor Bakery, on Jan 15, 2027')).toBeVisible()
  expect(screen.getByText('and 1 more')).toBeVisible()
  expect(server.callsOf('contracts.saveRenewalSettings')).toEqual([])
  await user.click(save())
  expect(server.callsOf('contracts.saveRenewalSettings')).toMatchObject([{ confirmRenewals: true }])
})

test.each([
  [
    { contracts: 0, told: 0 },
    'No contract renews automatically in the next 30 days, so no email goes out automatically.',
  ],
  [
    { contracts: 1, told: 0 },
    'In the next 30 days, 1 contract renews automatically. None of the customers would get an email.',
  ],
])('says that nobody would be told: %j', async (counts, text) => {
  const { user } = open({ comingConfirmations: () => ({ ...counts, emails: 0, first: [], onlyFirst: null }) })
  await user.click(await tell())
  expect(await screen.findByText(text)).toBeVisible()
})

test('switching off says that what is waiting is not sent', async () => {
  const { user } = open({ renewalSettings: () => ({ ...SAVED, confirmRenewals: true }) })
  await user.click(await tell())
  expect(
    await screen.findByText(/Emails about earlier renewals that are still waiting will not be sent./),
  ).toBeVisible()
})

test.each([
  ['nothing', '', 'Enter at least one reason'],
  ['a reason twice', 'Price\nprice', 'A reason is in the list twice'],
])('%s is refused at the field', async (_what, text, message) => {
  const { server, user } = open()
  await user.clear(await reasons())
  if (text) await user.type(await reasons(), text)
  await user.click(save())
  expect(await reasons()).toHaveAccessibleDescription(expect.stringContaining(message))
  expect(server.callsOf('contracts.saveRenewalSettings')).toEqual([])
})
