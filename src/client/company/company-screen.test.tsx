import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aCompany } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import { CompanyScreen } from './company-screen.tsx'

const NAMELESS = aCompany({ name: null })
const UNCONFIRMED = aCompany({ replyTo: 'office@mill.test', isReplyToConfirmed: false })

function openCompany(answers: NonNullable<FakeAnswers['company']> = {}) {
  const server = trpcServer({ company: { get: () => NAMELESS, ...answers } })
  return { ...server, ...renderRouted(<CompanyScreen />) }
}

const field = (name: string) => screen.findByRole('textbox', { name })

test('the company is named, and only what was changed is sent', async () => {
  const { user, callsOf } = openCompany({ update: ({ name }) => aCompany({ name: name ?? null }) })
  expect(await screen.findByRole('button', { name: 'Save' })).toBeDisabled()
  await user.type(await field('Company name'), 'Mill & Sons')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Company saved')).toBeVisible()
  expect(callsOf('company.update')).toEqual([{ name: 'Mill & Sons' }])
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  expect(screen.queryByRole('region', { name: 'Confirm your reply-to address' })).not.toBeInTheDocument()
})

test('what is typed while the company is being saved stays a draft', async () => {
  const saving = whenTold<ReturnType<typeof aCompany>>()
  const { user } = openCompany({ update: saving.answer })
  const name = await field('Company name')
  await user.type(name, 'Mill')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.type(name, ' & Sons')
  saving.tell(aCompany({ name: 'Mill' }))
  expect(await screen.findByText('Company saved')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled())
  expect(name).toHaveValue('Mill & Sons')
})

test('Cancel brings back what is saved, and what is wrong stands beside its field', async () => {
  const fields = { name: 'Must be the name of your own company, not one that looks like TRAXX' }
  const { user } = openCompany({
    get: () => aCompany(),
    update: () => Promise.reject(new AppError('INPUT_INVALID', { details: { fields } })),
  })
  const name = await field('Company name')
  await user.clear(name)
  await user.type(name, 'TRAXX')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(fields.name)).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  expect(name).toHaveValue('TRAXX')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(name).toHaveValue('Mill & Sons')
})

describe('a reply-to address', () => {
  test('of an owner without a verified address of their own names no other until it is confirmed', async () => {
    openCompany({ get: () => ({ ...UNCONFIRMED, ownerEmail: '' }) })
    expect(await screen.findByText('Replies go to office@mill.test once it is confirmed.')).toBeVisible()
    expect(screen.queryByText(/Until office@mill.test/)).toBeNull()
  })

  test('is sent a code when it is saved, and is confirmed with it', async () => {
    const { user, callsOf } = openCompany({
      get: () => aCompany(),
      update: () => UNCONFIRMED,
      sendReplyToCode: () => {},
      confirmReplyTo: () => aCompany({ replyTo: 'office@mill.test' }),
    })
    await user.type(await field('Reply-to address'), 'office@mill.test')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const part = within(await screen.findByRole('region', { name: 'Confirm your reply-to address' }))
    expect(part.getByText('Until office@mill.test is confirmed, replies go to owner@mill.test.')).toBeVisible()
    await user.type(await part.findByRole('textbox', { name: 'Code' }), '123456{Enter}')
    expect(await screen.findByText('Reply-to address confirmed')).toBeVisible()
    expect(callsOf('company.sendReplyToCode')).toHaveLength(1)
    expect(callsOf('company.confirmReplyTo')).toEqual([{ code: '123456' }])
    expect(screen.queryByRole('region', { name: 'Confirm your reply-to address' })).not.toBeInTheDocument()
  })

  test('from before is sent one on request, and a wrong code is said so', async () => {
    const { user, callsOf } = openCompany({
      get: () => UNCONFIRMED,
      sendReplyToCode: () => {},
      confirmReplyTo: () => Promise.reject(new AppError('REPLY_TO_CODE_WRONG')),
    })
    await user.click(await screen.findByRole('button', { name: 'Send Code' }))
    await user.type(await field('Code'), '123456')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('That code is not right. Please check it and try again')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Send a New Code' }))
    await waitFor(() => expect(callsOf('company.sendReplyToCode')).toHaveLength(2))
  })

  test('that got too many codes says so', async () => {
    const { user } = openCompany({
      get: () => UNCONFIRMED,
      sendReplyToCode: () => Promise.reject(new AppError('TOO_MANY_REQUESTS', { values: { wait: '5 hours' } })),
    })
    await user.click(await screen.findByRole('button', { name: 'Send Code' }))
    expect(await screen.findByText('Too many requests. Please try again in 5 hours')).toBeVisible()
  })
})

test('a logo is shown, and removed', async () => {
  const shown = { company: aCompany({ logoPath: '/logos/a.png' }) }
  const removeLogo = vi.fn(() => void (shown.company = aCompany()))
  const { user } = openCompany({ get: () => shown.company, removeLogo })
  expect(await screen.findByRole('img', { name: 'Your logo' })).toHaveAttribute('src', '/logos/a.png')
  await user.click(screen.getByRole('button', { name: 'Remove Logo' }))
  expect(await screen.findByText('No logo')).toBeVisible()
  expect(removeLogo).toHaveBeenCalledOnce()
})

test.each([new AppError('FAULT'), new NoAnswer()])(
  'a company that cannot be loaded can be asked for again: %s',
  async (failure) => {
    const failing = { current: true }
    const { user } = openCompany({ get: () => (failing.current ? Promise.reject(failure) : aCompany()) })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load the company')
    failing.current = false
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await field('Company name')).toHaveValue('Mill & Sons')
  },
)
