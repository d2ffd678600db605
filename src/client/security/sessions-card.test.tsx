import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { SessionsCard } from './sessions-card.tsx'

const HERE = {
  id: 'sess_here',
  device: 'Chrome on Linux',
  isMobile: false,
  place: null,
  lastActiveAt: new Date('2026-11-21T12:00:00Z'),
}
const PHONE = { ...HERE, id: 'sess_phone', device: 'Safari on iPhone', isMobile: true, place: 'Berlin, DE' }

test('the sessions are listed, and the others are signed out', async () => {
  let sessions = [HERE, PHONE]
  const { callsOf } = trpcServer({
    identity: {
      sessions: () => sessions,
      signOutOthers: () => {
        sessions = [HERE]
        return { count: 1 }
      },
    },
  })
  const { user } = renderScreen(<SessionsCard />, { sessionId: () => 'sess_here' })
  const [here, phone] = await screen.findAllByRole('listitem')
  expect(here).toHaveTextContent(/^Chrome on LinuxThis browserLast active Nov 21, 2026/)
  expect(phone).toHaveTextContent(/^Safari on iPhoneBerlin, DE, last active/)
  expect(within(here ?? document.body).queryByRole('button')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Sign Out Others' }))
  expect(await screen.findByRole('status')).toHaveTextContent('Signed out 1 other session.')
  expect(await screen.findAllByRole('listitem')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Sign Out Others' })).toBeNull()
  expect(callsOf('identity.signOutOthers')).toEqual([{ keep: 'sess_here' }])
})

test('one other session is signed out', async () => {
  let sessions = [HERE, PHONE]
  const { callsOf } = trpcServer({
    identity: { sessions: () => sessions, endSession: () => void (sessions = [HERE]) },
  })
  const { user } = renderScreen(<SessionsCard />, { sessionId: () => 'sess_here' })
  await user.click(await screen.findByRole('button', { name: 'Sign Out Safari on iPhone' }))
  expect(await screen.findByText(/Signed out Safari on iPhone/)).toBeVisible()
  expect(await screen.findAllByRole('listitem')).toHaveLength(1)
  expect(callsOf('identity.endSession')).toEqual([{ id: 'sess_phone' }])
})

test('where the sign-in service does not answer, the card says so and can try again', async () => {
  let answers = false
  trpcServer({
    identity: {
      sessions: () => {
        if (!answers) throw new AppError('IDENTITY_UNAVAILABLE')
        return [HERE]
      },
    },
  })
  const { user } = renderScreen(<SessionsCard />, { sessionId: () => 'sess_here' })
  expect(await screen.findByRole('alert')).toHaveTextContent('The sign-in service is not responding')
  answers = true
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('listitem')).toHaveTextContent('Chrome on Linux')
})
