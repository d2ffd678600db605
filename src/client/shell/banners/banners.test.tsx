import { Link } from '@tanstack/react-router'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { aCompany } from '#support/records.ts'
import { renderRouted, sessionOf } from '#support/render-screen.tsx'
import { aSubscription } from '#support/subscription.ts'
import { noServer, trpcServer } from '#support/trpc-server.ts'
import { Banners } from './banners.tsx'

type Runs = Outputs['reminders']['runs']

interface Given {
  subscription?: Outputs['billing']['subscription']
  runs?: Runs
  company?: Outputs['company']['get']
  openPortal?: () => Promise<{ url: string }>
}

const IN_GRACE = aSubscription({ status: 'past_due', graceEndsAt: new Date('2026-12-12T12:00:00Z') })
const OVERDUE = aSubscription({ status: 'past_due', access: 'read-only', screens: 'app-read-only' })
const toPortal = async () => ({ url: 'https://pay.test/portal' })
const RUNNING: Runs = { lastRunAt: new Date(), isStalled: false, waiting: null, stop: null }

function open({ subscription = aSubscription(), runs = RUNNING, company = aCompany(), openPortal = toPortal }: Given) {
  const server = trpcServer({
    billing: { subscription: () => subscription, openPortal },
    reminders: { runs: () => runs },
    company: { get: () => company },
  })
  return { server, ...renderRouted(<Banners />) }
}

describe('a subscription that needs a card', () => {
  test('after a payment failed the app says until when the card can be updated', async () => {
    open({ subscription: IN_GRACE })
    const text = 'Your last payment failed. Update your card by Dec 12, 2026, or TRAXX will become read-only'
    expect(await screen.findByText(text)).toBeVisible()
  })

  test.each([
    ['past_due', 'Your last payment failed, so TRAXX is read-only until you update your card'],
    ['unpaid', 'Your last payment failed, so TRAXX is read-only until you update your card'],
    ['paused', 'Your trial ended without a card, so TRAXX is read-only until you add one'],
  ])('while a subscription that is %s can only be read, the app says why', async (status, text) => {
    open({ subscription: { ...OVERDUE, status } })
    expect(await screen.findByText(text)).toBeVisible()
  })

  test("the banner leads to the payment provider's own page, and again after the way back", async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
    const { user } = open({ subscription: IN_GRACE, openPortal: toPortal })
    await user.click(await screen.findByRole('button', { name: 'Update Card' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.test/portal'))
    expect(screen.getByRole('button', { name: 'Update Card' })).toBeDisabled()
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Update Card' })).toBeEnabled())
  })

  test('where that page cannot be opened, the app says so', async () => {
    const { user } = open({ subscription: OVERDUE, openPortal: () => Promise.reject(new AppError('PORTAL_FAILED')) })
    await user.click(await screen.findByRole('button', { name: 'Update Card' }))
    expect(await screen.findByText('Failed to create portal session')).toBeVisible()
  })

  test('no answer at all says the same', async () => {
    const { user } = open({ subscription: OVERDUE })
    const button = await screen.findByRole('button', { name: 'Update Card' })
    noServer()
    await user.click(button)
    expect(await screen.findByText('Failed to create portal session')).toBeVisible()
  })
})

describe('messages that do not go out', () => {
  test('the owner is told when reminders are stalled', async () => {
    open({ runs: { ...RUNNING, isStalled: true } })
    expect(await screen.findByRole('alert')).toHaveTextContent('Reminders are not being sent')
  })

  test.each([
    [1, '1 message is waiting to be sentThe mail server has not accepted it since', 'We will keep trying.'],
    [1200, '1,200 messages are waiting to be sentThe mail server has not accepted them since', 'We will keep trying.'],
  ])('the owner is told of %i that the mail server does not take', async (count, ...texts) => {
    open({ runs: { ...RUNNING, waiting: { count, since: new Date() } } })
    const alert = await screen.findByRole('alert')
    for (const text of texts) expect(alert).toHaveTextContent(text)
  })

  test('the owner is told why messages to customers are paused, and whom to write to', async () => {
    const stop = {
      since: new Date('2026-03-10T12:00:00Z'),
      suspension: null,
      complaints: 3,
      mails: 40,
      contact: 'help@traxx.test',
    }
    open({ runs: { ...RUNNING, stop } })
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Messages to your customers are paused')
    expect(alert).toHaveTextContent('3 of your last 40 emails were reported as spam')
    expect(screen.getByRole('link', { name: 'help@traxx.test' })).toHaveAttribute('href', 'mailto:help@traxx.test')
  })

  test('the owner of a suspended account is told why, and what still works', async () => {
    const since = new Date('2026-03-10T12:00:00Z')
    const stop = { since, suspension: 'Reported as fraud', complaints: 0, mails: 0, contact: 'help@traxx.test' }
    open({ runs: { ...RUNNING, stop } })
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Your account is suspended')
    expect(alert).toHaveTextContent('Reported as fraud. Since')
    expect(alert).toHaveTextContent('you can read and export everything')
  })
})

test('an owner whose email address is not verified is told what that holds up, and verifies it there', async () => {
  const prepareVerification = vi.fn(async () => ({}))
  const attemptVerification = vi.fn(async () => ({}))
  const primaryEmailAddress = { emailAddress: 'ada@example.com', prepareVerification, attemptVerification }
  const account = { email: 'ada@example.com', timeZone: null }
  let company = aCompany({ ownerEmail: '', replyTo: 'office@mill.test', isReplyToConfirmed: false })
  trpcServer({
    billing: { subscription: () => aSubscription() },
    reminders: { runs: () => RUNNING },
    company: { get: () => company },
    identity: {
      refresh: () => {
        company = { ...company, ownerEmail: account.email }
        return account
      },
    },
  })
  const { user } = renderRouted(<Banners />, { requestClerk: () => {}, ...sessionOf({ primaryEmailAddress }) })
  const banner = await screen.findByRole('status')
  expect(banner).toHaveTextContent('Verify your email address')
  expect(banner).toHaveTextContent('messages to your customers are on hold')
  expect(banner).not.toHaveTextContent('replies go to')
  await user.click(screen.getByRole('button', { name: 'Verify' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Verify your email address' }))
  await user.click(await dialog.findByRole('button', { name: 'Send Code' }))
  expect(await dialog.findByText(/We sent a code to ada@example.com/)).toBeVisible()
  expect(prepareVerification).toHaveBeenCalledExactlyOnceWith({ strategy: 'email_code' })
  expect(dialog.getByLabelText('Verification code')).toHaveFocus()
  await user.keyboard('123456{Enter}')
  expect(await screen.findByText('Your email address is verified')).toBeVisible()
  expect(attemptVerification).toHaveBeenCalledExactlyOnceWith({ code: '123456' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull()
})

describe('a company that is not complete', () => {
  test('without a name the banner leads to where it is entered', async () => {
    open({ company: aCompany({ name: null, hasContracts: true }) })
    expect(await screen.findByRole('link', { name: 'Enter Company Name' })).toHaveAttribute('href', '/company')
    expect(screen.getByRole('status')).toHaveTextContent('Your reminders need a company name')
  })

  test('it says where answers go until the reply-to address is confirmed', async () => {
    open({ company: aCompany({ replyTo: 'office@mill.test', isReplyToConfirmed: false }) })
    expect(await screen.findByRole('link', { name: 'Confirm Address' })).toHaveAttribute('href', '/company')
    expect(screen.getByRole('status')).toHaveTextContent(
      'Until office@mill.test is confirmed, replies go to owner@mill.test.',
    )
  })
})

test.each<[string, Given]>([
  ['in trial', {}],
  ['that pays', { subscription: aSubscription({ status: 'active' }) }],
  ['whose reminders have not run yet', { runs: { ...RUNNING, lastRunAt: null, isStalled: true } }],
  ['without a company name, and without contracts', { company: aCompany({ name: null, hasContracts: false }) }],
])('an account %s needs no banner', async (_what, given) => {
  const { server } = open(given)
  await waitFor(() => expect(server.callsOf('company.get')).not.toEqual([]))
  expect(screen.queryByRole('status')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})

test('what is learned while a screen is shown moves nothing on it, and is said on the next one', async () => {
  let runs = RUNNING
  const server = trpcServer({
    billing: { subscription: () => aSubscription() },
    reminders: { runs: () => runs },
    company: { get: () => aCompany() },
  })
  const { user } = renderRouted(
    <>
      <Banners />
      <Refetch />
      <Link to="/customers">Next</Link>
    </>,
  )
  expect(await screen.findByText('Running')).toBeVisible()
  runs = { ...RUNNING, isStalled: true }
  await user.click(screen.getByRole('button', { name: 'Ask again' }))
  expect(await screen.findByText('Stalled')).toBeVisible()
  expect(server.callsOf('reminders.runs')).toHaveLength(2)
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Next' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Reminders are not being sent')
})

function Refetch() {
  const { data, refetch } = trpc.reminders.runs.useQuery(undefined, { staleTime: Infinity })
  return (
    <>
      <p>{data?.isStalled ? 'Stalled' : data && 'Running'}</p>
      <button type="button" onClick={() => void refetch()}>
        Ask again
      </button>
    </>
  )
}
