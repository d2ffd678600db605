import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { contractPageCalls } from '#bench/contract-page-calls.ts'
import { openApp } from '#support/open-app.tsx'
import { aContract } from '#support/records.ts'

/** What every screen asks for. */
const FRAME =
  /^(billing|company|identity|notifications|views)\.|^(answers\.waiting|reminders\.runs|reminders\.ownBounce)$/

test('the measured page of a contract asks what the page asks, once each', async () => {
  const { calls } = openApp('/contracts/31', {
    answers: {
      contracts: { get: () => aContract(), terms: () => [] },
      contacts: { list: () => [] },
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'Harbor Bakery' })
  const measured = contractPageCalls({ id: 31, customerId: 7 })
  const asked = () => calls.filter(({ path }) => !FRAME.test(path))
  await waitFor(() =>
    expect(
      asked()
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(Object.keys(measured).toSorted()),
  )
  for (const [path, input] of Object.entries(measured)) {
    const call = asked().find((one) => one.path === path)
    expect(call, path).toMatchObject({ path, input })
  }
})
