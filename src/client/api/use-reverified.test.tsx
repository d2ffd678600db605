import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { failureOf, trpc } from './trpc.ts'
import { RestFailure } from './rest-failure.ts'
import { ReverificationContext, useReverified } from './use-reverified.ts'

function Act({ act }: { act: () => Promise<string> }) {
  const { reverified } = useReverified()
  const [outcome, setOutcome] = useState('')
  const start = () => reverified(act).then(setOutcome, (error: unknown) => setOutcome(failureOf(error).message))
  return (
    <>
      <button type="button" onClick={() => void start()}>
        Act
      </button>
      <p role="status">{outcome}</p>
    </>
  )
}

async function actWith(act: () => Promise<string>, isProven: boolean) {
  const ask = vi.fn(async () => isProven)
  const { user } = renderScreen(
    <ReverificationContext value={{ ask, isAsking: false }}>
      <Act act={act} />
    </ReverificationContext>,
  )
  await user.click(screen.getByRole('button', { name: 'Act' }))
  await waitFor(() => expect(screen.getByRole('status')).not.toBeEmptyDOMElement())
  return { ask, outcome: screen.getByRole('status').textContent }
}

/** Refused until the person has proven who they are, in whichever form. */
function refusedOnce(refusal: Error) {
  let isRefused = true
  return async () => {
    if (!isRefused) return 'done'
    isRefused = false
    throw refusal
  }
}

const NEEDED = "Please confirm it's you. You signed in more than 10 minutes ago"
const CLERK_ERROR = { type: 'forbidden', reason: 'reverification-error', metadata: { reverification: 'strict' } }
const rest = () =>
  RestFailure.fromResponse(
    403,
    JSON.stringify({ error: NEEDED, refusal: 'REVERIFICATION_REQUIRED', clerk_error: CLERK_ERROR }),
  )
const provider = () =>
  Object.assign(new Error('Reverification required'), { errors: [{ code: 'session_reverification_required' }] })

test.each([
  ['a REST call', rest],
  ['the identity provider', provider],
])('what %s refuses is done once the person has proven who they are', async (_what, refusal) => {
  const { ask, outcome } = await actWith(refusedOnce(refusal()), true)
  expect(ask).toHaveBeenCalledOnce()
  expect(outcome).toBe('done')
})

test('what a procedure refuses is done again as well', async () => {
  let refused = false
  trpcServer({
    identity: {
      createApiKey: () => {
        if (refused) return { id: 1, key: 'traxx_1' }
        refused = true
        throw new AppError('REVERIFICATION_REQUIRED')
      },
    },
  })
  function Asking() {
    const utils = trpc.useUtils()
    return <Act act={async () => (await utils.client.identity.createApiKey.mutate({ name: 'Script' })).key} />
  }
  const { user } = renderScreen(
    <ReverificationContext value={{ ask: async () => true, isAsking: false }}>
      <Asking />
    </ReverificationContext>,
  )
  await user.click(screen.getByRole('button', { name: 'Act' }))
  expect(await screen.findByText('traxx_1')).toBeVisible()
})

test('who would rather not is told why nothing was done', async () => {
  expect((await actWith(refusedOnce(rest()), false)).outcome).toBe(NEEDED)
})

test('any other failure asks nothing', async () => {
  const { ask, outcome } = await actWith(
    refusedOnce(RestFailure.fromResponse(500, '{"error":"Something went wrong"}')),
    true,
  )
  expect(ask).not.toHaveBeenCalled()
  expect(outcome).toBe('Something went wrong')
})
