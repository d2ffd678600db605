import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aPage } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { ContractAnswers } from './contract-answers.tsx'

const OWN = { hasLink: null, renewal: null, deadline: null, lateEnd: null, showsPdf: null } as const

function open(answers: NonNullable<FakeAnswers['answers']> = {}) {
  const server = trpcServer({
    answers: { list: () => ({ ...aPage([]), first: null, last: null }), ...answers },
  })
  return { server, ...renderRouted(<ContractAnswers contractId={31} />) }
}

test("a contract's own settings are asked for once they are opened, saved as they are chosen, and hidden again", async () => {
  const saved = { ...OWN, renewal: 'at_once' } as const
  const { server, user } = open({
    saveContractSettings: () => ({
      account: { hasLink: true, renewal: 'waits', deadline: 'open', lateEnd: 'pass_on', showsPdf: false },
      own: saved,
    }),
  })
  expect(await screen.findByText('The customer has not answered a reminder about this contract yet.')).toBeVisible()
  expect(server.callsOf('answers.contractSettings')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Settings for This Contract' }))
  const renewal = await screen.findByRole('combobox', { name: 'When the customer renews' })
  expect(renewal).toHaveDisplayValue(/^Default: /)
  await user.selectOptions(renewal, 'at_once')
  await waitFor(() => expect(server.callsOf('answers.saveContractSettings')).toEqual([{ id: 31, ...saved }]))
  expect(await screen.findByText('Saved')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Hide Settings' }))
  expect(screen.queryByRole('combobox')).toBeNull()
})

test('links are withdrawn only after a question', async () => {
  const { server, user } = open({ revokeLinks: () => ({ revoked: 2 }) })
  await user.click(await screen.findByRole('button', { name: 'Withdraw Links' }))
  expect(server.callsOf('answers.revokeLinks')).toEqual([])
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  expect(await screen.findByText(/^Links for answering no longer work/)).toBeVisible()
  expect(server.callsOf('answers.revokeLinks')).toEqual([{ id: 31 }])
})
