import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { ApiKeysCard, type ApiKey } from './api-keys-card.tsx'

const CREATED = new Date('2026-11-02T12:00:00Z')
const NIGHTLY = { id: 7, name: 'Nightly report', createdAt: CREATED, lastUsedAt: null }

/** Keeps keys as the server would. */
function keptKeys(keys: ApiKey[] = []) {
  const server = trpcServer({
    identity: {
      apiKeys: () => keys,
      createApiKey: ({ name }) => {
        keys.push({ ...NIGHTLY, id: keys.length + 1, name })
        return { key: 'traxx_secret' }
      },
      revokeApiKey: ({ id }) => void keys.splice(0, keys.length, ...keys.filter((key) => key.id !== id)),
    },
  })
  return { ...server, ...renderScreen(<ApiKeysCard />) }
}

test('each key says when it was made and last used', async () => {
  keptKeys([NIGHTLY, { ...NIGHTLY, id: 8, name: 'Website', lastUsedAt: new Date('2026-11-20T12:00:00Z') }])
  const [nightly, website] = await screen.findAllByRole('listitem')
  expect(nightly).toHaveTextContent('Created Nov 2, 2026, never used')
  expect(website).toHaveTextContent(/last used Nov 20, 2026/)
})

test('a new key is shown once: after "Done" it is nowhere', async () => {
  const { user, callsOf } = keptKeys()
  expect(await screen.findByText('You have no API keys.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Website{Enter}')
  expect(await screen.findByDisplayValue('traxx_secret')).toBeVisible()
  expect(callsOf('identity.createApiKey')).toEqual([{ name: 'Website' }])
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe('traxx_secret')
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(await screen.findByRole('listitem')).toHaveTextContent('Website')
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  expect(screen.queryByDisplayValue('traxx_secret')).toBeNull()
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('')
})

test('why no key was made is said in the dialog', async () => {
  trpcServer({
    identity: {
      apiKeys: () => [NIGHTLY],
      createApiKey: () => {
        throw new AppError('API_KEYS_FULL')
      },
    },
  })
  const { user } = renderScreen(<ApiKeysCard />)
  await user.click(await screen.findByRole('button', { name: 'Create key' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'One more{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent('An account has at most 20 API keys. Revoke one first')
})

test('a key is revoked after a question that names it', async () => {
  const { user, callsOf } = keptKeys([NIGHTLY])
  await user.click(await screen.findByRole('button', { name: 'Revoke Nightly report' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('What uses Nightly report stops working within seconds.')
  expect(callsOf('identity.revokeApiKey')).toEqual([])
  await user.click(within(dialog).getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(screen.getByText('You have no API keys.')).toBeVisible())
  expect(callsOf('identity.revokeApiKey')).toEqual([{ id: 7 }])
})
