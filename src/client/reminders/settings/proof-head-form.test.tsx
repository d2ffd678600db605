import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { ProofHeadForm } from './proof-head-form.tsx'

const HEAD = { number: 12, hash: 'ab'.repeat(32), signature: 'x', keyId: 'y' }

function open(answers: NonNullable<FakeAnswers['reminders']> = {}) {
  const server = trpcServer({
    reminders: {
      proofHead: () => ({ head: HEAD, weekly: true }),
      saveProofHead: ({ weekly }) => ({ head: HEAD, weekly }),
      ...answers,
    },
  })
  return { server, ...renderScreen(<ProofHeadForm />) }
}

const weekly = () => screen.findByRole('switch', { name: 'Email me the latest code once a week' })

test('the latest code is shown, and its weekly email turned off', async () => {
  const { user, server } = open()
  expect(await screen.findByText(`Latest code (record 12): ${HEAD.hash}`)).toBeVisible()
  expect(await weekly()).toBeChecked()
  await user.click(await weekly())
  expect(await weekly()).not.toBeChecked()
  expect(server.callsOf('reminders.saveProofHead')).toEqual([{ weekly: false }])
})

test('what could not be saved says so, and stays', async () => {
  const { user } = open({ saveProofHead: () => Promise.reject(new AppError('ACCOUNT_BUSY')) })
  await screen.findByText(`Latest code (record 12): ${HEAD.hash}`)
  await user.click(await weekly())
  expect(await screen.findByRole('alert')).toBeVisible()
  expect(await weekly()).toBeChecked()
})
