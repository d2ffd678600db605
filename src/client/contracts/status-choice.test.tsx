import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aContract } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { StatusChoice } from './status-choice.tsx'

function openChoice(update: NonNullable<NonNullable<FakeAnswers['contracts']>['update']>) {
  const server = trpcServer({ contracts: { update } })
  const onFailure = vi.fn()
  const contract = aContract({ id: 31, customerName: 'Harbor Bakery', status: 'active' })
  return { server, onFailure, ...renderScreen(<StatusChoice contract={contract} onFailure={onFailure} />) }
}

const choice = () => screen.getByRole('combobox', { name: 'Status of the contract of Harbor Bakery' })

test('a chosen status is shown before the server has answered, and is saved alone', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof aContract>>()
  const { server, user } = openChoice(() => answer.promise)
  await user.selectOptions(choice(), 'Cancelled')
  expect(choice()).toHaveDisplayValue('Cancelled')
  await waitFor(() => expect(server.callsOf('contracts.update')).toEqual([{ id: 31, status: 'cancelled' }]))
  answer.resolve(aContract({ status: 'cancelled' }))
})

test.each([
  [new AppError('FAULT'), 'Failed to save contract'],
  [new AppError('CONTRACT_NOT_FOUND'), 'Contract not found'],
  [new NoAnswer(), 'Network error'],
])('where it cannot be saved, the old status returns, with the text: %s', async (failure, text) => {
  const { onFailure, user } = openChoice(() => Promise.reject(failure))
  await user.selectOptions(choice(), 'Expired')
  await waitFor(() => expect(onFailure).toHaveBeenCalledWith(text))
  expect(choice()).toHaveDisplayValue('Active')
})
