import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import type { Answers } from '#client/trpc.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { ImportMail } from './import-mail.tsx'

type Announced = Answers['reminders']['announceImportMail']

const SOME: Announced = { count: 1200, first: toDay('2026-11-23'), isMuted: false, countedOf: null }

function open(answers: NonNullable<FakeAnswers['reminders']>) {
  const server = trpcServer({ reminders: answers })
  return { server, ...renderScreen(<ImportMail importId={5} />) }
}

test.each([
  [SOME, '1,200 emails to customers will go out: first on Nov 23, 2026'],
  [{ ...SOME, count: 1 }, '1 email to customers will go out: first on Nov 23, 2026'],
  [
    { ...SOME, countedOf: 5000 },
    'At least 1,200 emails to customers will go out: first on Nov 23, 2026. Only the 5,000 contracts that renew next were counted.',
  ],
])('%o is said as "%s"', async (announced, text) => {
  open({ announceImportMail: () => announced })
  expect(await screen.findByText(text)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Do not write about these' })).toBeVisible()
})

test('where nothing goes out there is nothing to turn off', async () => {
  const { server, user } = open({ announceImportMail: () => ({ ...SOME, count: 0, first: null }) })
  await user.tab()
  expect(server.callsOf('reminders.announceImportMail')).toEqual([{ id: 5 }])
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
})

test('it can be turned off, and on again', async () => {
  let isMuted = false
  const { server, user } = open({
    announceImportMail: () => ({ ...SOME, isMuted }),
    muteImport: ({ reminders }) => {
      isMuted = reminders === 'off'
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Do not write about these' }))
  expect(await screen.findByText('No emails about these renewal dates go to customers.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Write about these' }))
  expect(await screen.findByText(/will go out/)).toBeVisible()
  expect(server.callsOf('reminders.muteImport')).toEqual([
    { id: 5, reminders: 'off' },
    { id: 5, reminders: 'on' },
  ])
})

test('what cannot be turned off says so, and stays as it was', async () => {
  const { user } = open({
    announceImportMail: () => SOME,
    muteImport: () => Promise.reject(new AppError('FAULT')),
  })
  await user.click(await screen.findByRole('button', { name: 'Do not write about these' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to save settings')
  expect(screen.getByRole('button', { name: 'Do not write about these' })).toBeEnabled()
})

test('what cannot be counted says so', async () => {
  open({ announceImportMail: () => Promise.reject(new AppError('FAULT')) })
  expect(await screen.findByText('Failed to count the emails that customers will be sent')).toBeVisible()
})
