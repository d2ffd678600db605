import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { ApiKeysCard } from './api-keys-card.tsx'
import type { ApiKey } from './revoke-key-dialog.tsx'

const CREATED = new Date('2026-11-02T12:00:00Z')
const NIGHTLY: ApiKey = {
  id: 7,
  name: 'Nightly report',
  scope: 'read',
  createdAt: CREATED,
  expiresOn: null,
  isExpired: false,
  lastUsedAt: null,
  lastUsedAddress: null,
}

/** Keeps keys as the server would. */
function keptKeys(keys: ApiKey[] = []) {
  const server = trpcServer({
    identity: {
      apiKeys: () => keys,
      createApiKey: ({ name, scope = 'all' }) => {
        const id = keys.length + 1
        keys.push({ ...NIGHTLY, id, name, scope })
        return { id, key: 'traxx_secret' }
      },
      revokeApiKey: ({ id }) => void keys.splice(0, keys.length, ...keys.filter((key) => key.id !== id)),
    },
  })
  return { ...server, ...renderScreen(<ApiKeysCard />) }
}

test('each key says what it may do, when it was made and last used, from where, and until when it works', async () => {
  const lastUsed = { lastUsedAt: new Date('2026-11-20T12:00:00Z'), lastUsedAddress: '203.0.113.9' }
  keptKeys([
    NIGHTLY,
    { ...NIGHTLY, id: 8, name: 'Website', scope: 'all', ...lastUsed, expiresOn: toDay('2026-12-31') },
    { ...NIGHTLY, id: 9, name: 'Old', scope: 'write', expiresOn: toDay('2026-11-10'), isExpired: true },
  ])
  const [nightly, website, old] = await screen.findAllByRole('listitem')
  expect(nightly).toHaveTextContent(/^Nightly reportReadCreated Nov 2, 2026, never usedRevoke$/)
  expect(website).toHaveTextContent(/^WebsiteEverything.*last used Nov 20, 2026.* from 203.0.113.9, works until Dec 31/)
  expect(old).toHaveTextContent(/^OldRead and writeExpired.*worked until Nov 10, 2026/)
})

test('a new key is shown once: after "Done" it is nowhere', async () => {
  const { user, callsOf } = keptKeys()
  expect(await screen.findByText('You have no API keys.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Create Key' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Website{Enter}')
  expect(await screen.findByDisplayValue('traxx_secret')).toBeVisible()
  expect(callsOf('identity.createApiKey')).toEqual([{ name: 'Website', scope: 'read', expiresOn: null }])
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe('traxx_secret')
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(await screen.findByRole('listitem')).toHaveTextContent('Website')
  await user.click(screen.getByRole('button', { name: 'Create Key' }))
  expect(screen.queryByDisplayValue('traxx_secret')).toBeNull()
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('')
})

test('a key is made with the scope and the last day that were chosen', async () => {
  const { user, callsOf } = keptKeys()
  await user.click(await screen.findByRole('button', { name: 'Create Key' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Importer')
  expect(dialog.getByRole('radio', { name: 'Read' })).toBeChecked()
  await user.click(dialog.getByRole('radio', { name: 'Everything' }))
  await user.type(dialog.getByLabelText('Last day (optional)'), '2999-12-31')
  await user.click(dialog.getByRole('button', { name: 'Create' }))
  expect(await screen.findByDisplayValue('traxx_secret')).toBeVisible()
  expect(callsOf('identity.createApiKey')).toEqual([{ name: 'Importer', scope: 'all', expiresOn: '2999-12-31' }])
})

test('a last day in the past is said at its field', async () => {
  trpcServer({
    identity: {
      apiKeys: () => [NIGHTLY],
      createApiKey: () => {
        throw new AppError('API_KEY_END_PAST')
      },
    },
  })
  const { user } = renderScreen(<ApiKeysCard />)
  await user.click(await screen.findByRole('button', { name: 'Create Key' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Late')
  await user.type(screen.getByLabelText('Last day (optional)'), '2020-01-01{Enter}')
  expect(await screen.findByText('The last day must not be in the past')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
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
  await user.click(await screen.findByRole('button', { name: 'Create Key' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'One more{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent('You can have up to 20 API keys. Revoke one first')
})

test('a key is revoked after a question that names it', async () => {
  const { user, callsOf } = keptKeys([NIGHTLY])
  await user.click(await screen.findByRole('button', { name: 'Revoke Nightly report' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('Anything that uses Nightly report will stop working within seconds.')
  expect(callsOf('identity.revokeApiKey')).toEqual([])
  await user.click(within(dialog).getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(screen.getByText('You have no API keys.')).toBeVisible())
  expect(callsOf('identity.revokeApiKey')).toEqual([{ id: 7 }])
})
