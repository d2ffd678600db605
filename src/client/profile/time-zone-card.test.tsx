import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { browserTimeZone } from '#client/text/format.ts'
import { AppError } from '#shared/errors.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { TimeZoneCard } from './time-zone-card.tsx'

const EMAIL = 'ada@example.com'

// The browser's own list has hundreds, which take this DOM seconds to show.
beforeEach(() => void vi.spyOn(Intl, 'supportedValuesOf').mockReturnValue(['Asia/Tokyo', 'Europe/Berlin']))

test('a time zone is found by its name and saved with one choice', async () => {
  let timeZone = 'America/New_York'
  const { callsOf } = trpcServer({
    identity: {
      account: () => ({ email: EMAIL, timeZone }),
      setTimeZone: (input) => void (timeZone = input.timeZone),
    },
  })
  const { user } = renderScreen(<TimeZoneCard />)
  const field = await screen.findByRole('combobox', { name: 'Time zone' })
  expect(field).toHaveValue('America/New York')
  await user.clear(field)
  await user.type(field, 'tokyo')
  await user.click(await screen.findByRole('option', { name: 'Asia/Tokyo' }))
  expect(await screen.findByRole('status')).toHaveTextContent('Saved: Asia/Tokyo')
  expect(callsOf('identity.setTimeZone')).toEqual([{ timeZone: 'Asia/Tokyo' }])
  expect(field).toHaveValue('Asia/Tokyo')
})

test('Enter picks the time zone that was found, with or without accents', async () => {
  let timeZone = 'America/New_York'
  vi.spyOn(Intl, 'supportedValuesOf').mockReturnValue(['America/Sao_Paulo', 'Europe/Berlin'])
  const { callsOf } = trpcServer({
    identity: {
      account: () => ({ email: EMAIL, timeZone }),
      setTimeZone: (input) => void (timeZone = input.timeZone),
    },
  })
  const { user } = renderScreen(<TimeZoneCard />)
  const field = await screen.findByRole('combobox', { name: 'Time zone' })
  await user.clear(field)
  await user.type(field, 'são p{Enter}')
  expect(await screen.findByRole('status')).toHaveTextContent('Saved: America/Sao Paulo')
  expect(callsOf('identity.setTimeZone')).toEqual([{ timeZone: 'America/Sao_Paulo' }])
})

test('where another time zone is set than the device has, the device’s is offered', async () => {
  let timeZone = 'Pacific/Kiritimati'
  trpcServer({
    identity: {
      account: () => ({ email: EMAIL, timeZone }),
      setTimeZone: (input) => void (timeZone = input.timeZone),
    },
  })
  const { user } = renderScreen(<TimeZoneCard />)
  await user.click(await screen.findByRole('button', { name: /^Use This Device's/ }))
  expect(await screen.findByRole('status')).toBeVisible()
  expect(timeZone).toBe(browserTimeZone())
})

test('a time zone that could not be saved is not shown as chosen', async () => {
  trpcServer({
    identity: {
      account: () => ({ email: EMAIL, timeZone: 'Pacific/Kiritimati' }),
      setTimeZone: () => {
        throw new AppError('FAULT')
      },
    },
  })
  const { user } = renderScreen(<TimeZoneCard />)
  await user.click(await screen.findByRole('button', { name: /^Use This Device's/ }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to save the time zone')
  expect(screen.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Pacific/Kiritimati')
})
