import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { RenewalSettingsForm } from './renewal-settings.tsx'

function open() {
  const server = trpcServer({
    contracts: {
      renewalSettings: () => ({ endOverdueAfterDays: 45, endReasons: ['Price', 'Other'] }),
      saveRenewalSettings: ({ endOverdueAfterDays, endReasons }) => ({
        endOverdueAfterDays: endOverdueAfterDays === null ? null : Number(endOverdueAfterDays),
        endReasons: endReasons ?? [],
      }),
    },
  })
  return { server, ...renderRouted(<RenewalSettingsForm />) }
}

const reasons = () => screen.findByRole('textbox', { name: 'Reasons to choose from when a contract ends' })
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
    { endOverdueAfterDays: null, endReasons: ['Price', 'Other', 'Moved away'] },
  ])
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
