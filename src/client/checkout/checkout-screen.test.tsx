import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi, type MockInstance } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { renderRouted, sessionOf } from '#support/render-screen.tsx'
import { aSubscription } from '#support/subscription.ts'
import { noServer, trpcServer } from '#support/trpc-server.ts'
import { CheckoutScreen } from './checkout-screen.tsx'

const PAYMENT_PAGE = { sessionId: 'cs_1', url: 'https://pay.test/cs_1' }
const ada = {
  buyer: { firstName: 'Ada', email: 'ada@example.com' },
  trial: true,
  canceled: false,
  subscription: { trialUsed: false, deletesAt: null },
  hasJustSignedUp: true,
  hasPendingSignUp: false,
  signUp: <p>the sign-up form</p>,
}
const WORDLESS = Object.assign(new AppError('CHECKOUT_FAILED'), { message: '' })
const back = { ...ada, canceled: true }

let assign: MockInstance<Location['assign']>
beforeEach(() => {
  assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
})

test('after signing up one checkout is started by itself, and the browser goes to the payment page', async () => {
  const server = trpcServer({ billing: { startCheckout: () => PAYMENT_PAGE } })
  renderRouted(<CheckoutScreen {...ada} />)
  expect(await screen.findByRole('heading', { name: 'Setting up your checkout...' })).toBeVisible()
  await waitFor(() => expect(assign).toHaveBeenCalledWith(PAYMENT_PAGE.url))
  expect(server.calls).toHaveLength(1)
})

test('the page that is left behind would start nothing again', async () => {
  trpcServer({ billing: { startCheckout: () => PAYMENT_PAGE } })
  const { address } = renderRouted(<CheckoutScreen {...ada} />)
  await waitFor(() => expect(assign).toHaveBeenCalled())
  expect(address()).toBe('/checkout?trial=true&canceled=true')
})

test('back from the payment page one sees the plan, its price and whose it will be', async () => {
  const server = trpcServer({})
  renderRouted(<CheckoutScreen {...back} />)
  expect(await screen.findByRole('heading', { name: 'Welcome, Ada!' })).toBeVisible()
  const texts = [
    'TRAXX Pro',
    '$29.00',
    '-$29.00',
    '$0.00',
    '$29.00/month is charged after the trial',
    'ada@example.com',
  ]
  for (const text of texts) expect(screen.getByText(text)).toBeVisible()
  expect(screen.getByText(/Your subscription is tied to this account/)).toBeVisible()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Unlimited contracts and clients',
    'Automated renewal reminders',
    'Revenue analytics and dashboards',
    'Email notifications',
    'Priority support',
    '14-day money-back guarantee',
  ])
  expect(screen.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms')
  expect(screen.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy')
  expect(screen.getByRole('link', { name: /delete your account/ })).toHaveAttribute('href', '/your-data')
  expect(server.calls).toEqual([])
})

test('whoever signs in without a subscription sees the plan first, and nothing starts by itself', async () => {
  const server = trpcServer({})
  renderRouted(<CheckoutScreen {...ada} hasJustSignedUp={false} />)
  expect(await screen.findByRole('button', { name: 'Start Free Trial' })).toBeEnabled()
  expect(screen.getByText('14-day free trial')).toBeVisible()
  expect(screen.getByText('$29/month')).toBeVisible()
  expect(screen.getAllByRole('listitem')).toHaveLength(6)
  expect(server.calls).toEqual([])
})

test('a checkout without a session is an error, which is logged', async () => {
  const log = vi.fn()
  vi.stubGlobal('reportError', log)
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'reportError'))
  trpcServer({ billing: { startCheckout: () => ({ ...PAYMENT_PAGE, sessionId: '' }) } })
  renderRouted(<CheckoutScreen {...ada} />)
  expect(await screen.findByRole('alert')).toHaveTextContent('Error creating checkout session: Unknown error occurred')
  expect(log).toHaveBeenCalledExactlyOnceWith(new Error('The server returned no checkout session'))
  expect(assign).not.toHaveBeenCalled()
})

test('without a first name the greeting names nobody', async () => {
  trpcServer({})
  renderRouted(<CheckoutScreen {...back} buyer={{ firstName: null, email: 'ada@example.com' }} />)
  expect(await screen.findByRole('heading', { name: 'Welcome to TRAXX!' })).toBeVisible()
})

test('the button says what it does while it is at it', async () => {
  trpcServer({ billing: { startCheckout: () => PAYMENT_PAGE } })
  const { user } = renderRouted(<CheckoutScreen {...back} />)
  await user.click(await screen.findByRole('button', { name: 'Start Free Trial' }))
  expect(await screen.findByRole('button', { name: 'Setting up trial...' })).toBeDisabled()
  await waitFor(() => expect(assign).toHaveBeenCalledWith(PAYMENT_PAGE.url))
})

test('a checkout that cannot be created says why, and can be tried again', async () => {
  trpcServer({ billing: { startCheckout: () => Promise.reject(new AppError('CHECKOUT_FAILED')) } })
  renderRouted(<CheckoutScreen {...ada} />)
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Error creating checkout session: Failed to create checkout session',
  )
  expect(screen.getByRole('button', { name: 'Start Free Trial' })).toBeEnabled()
})

test.each([
  ['nobody answers', noServer, 'Network error'],
  [
    'the server says nothing',
    () => void trpcServer({ billing: { startCheckout: () => Promise.reject(WORDLESS) } }),
    'Unknown error occurred',
  ],
])('where %s, the screen says that too', async (_what, answer, text) => {
  answer()
  renderRouted(<CheckoutScreen {...ada} />)
  expect(await screen.findByRole('alert')).toHaveTextContent(`Error creating checkout session: ${text}`)
})

test('somebody who has a subscription already goes to the dashboard', async () => {
  trpcServer({
    billing: {
      startCheckout: () => Promise.reject(new AppError('ALREADY_SUBSCRIBED')),
      refresh: () => aSubscription(),
    },
  })
  const { address } = renderRouted(<CheckoutScreen {...ada} />)
  await waitFor(() => expect(address()).toBe('/dashboard'))
})

test('after a subscription has ended nothing starts by itself, and no second trial is offered', async () => {
  const server = trpcServer({})
  const deletesAt = new Date('2027-03-05T12:00:00Z')
  renderRouted(<CheckoutScreen {...ada} subscription={{ trialUsed: true, deletesAt }} />)
  expect(await screen.findByRole('button', { name: 'Subscribe' })).toBeEnabled()
  expect(screen.getByRole('heading', { name: 'Your subscription has ended' })).toBeVisible()
  expect(screen.queryByText(/Welcome/)).toBeNull()
  expect(screen.getByText(/We will keep your account/)).toHaveTextContent('Mar 5, 2027')
  expect(screen.getByRole('link', { name: 'export them' })).toHaveAttribute('href', '/your-data')
  expect(screen.queryByText('-$29.00')).toBeNull()
  expect(screen.queryByText('$0.00')).toBeNull()
  expect(server.calls).toEqual([])
})

test('whoever has had the trial, also in another account, is told why there is none', async () => {
  trpcServer({})
  renderRouted(<CheckoutScreen {...ada} subscription={{ trialUsed: true, deletesAt: null }} />)
  expect(await screen.findByText('The free trial for this email address has already been used.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Subscribe' })).toBeEnabled()
})

test('a visitor without an account gets the form, or first the plain page', async () => {
  trpcServer({})
  renderRouted(<CheckoutScreen {...ada} buyer={undefined} />)
  expect(await screen.findByText('the sign-up form')).toBeVisible()
})

test('the plain page leads to sign-up and sign-in', async () => {
  trpcServer({})
  const { user, address } = renderRouted(<CheckoutScreen {...ada} buyer={undefined} trial={false} />)
  expect(await screen.findByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/sign-in')
  expect(screen.getByText('14 days free, then $29/month. Cancel anytime.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Start Your Free Trial' }))
  expect(address()).toBe('/checkout?trial=true')
})

test('a trial that takes a verified address first asks for the code, and is then started', async () => {
  let isVerified = false
  const primaryEmailAddress = {
    emailAddress: 'ada@example.com',
    attemptVerification: async () => void (isVerified = true),
  }
  const server = trpcServer({
    billing: {
      startCheckout: () => (isVerified ? PAYMENT_PAGE : Promise.reject(new AppError('TRIAL_UNVERIFIED'))),
    },
    identity: { refresh: () => ({ email: 'ada@example.com', timeZone: null }) },
  })
  const { user } = renderRouted(<CheckoutScreen {...back} />, {
    requestClerk: () => {},
    ...sessionOf({ primaryEmailAddress }),
  })
  await user.click(await screen.findByRole('button', { name: 'Start Free Trial' }))
  const form = await screen.findByRole('region', { name: 'Verify your email address first' })
  expect(screen.queryByText(/Error creating/)).toBeNull()
  await user.type(await within(form).findByLabelText('Verification code'), '123456{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Start Free Trial' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith(PAYMENT_PAGE.url))
  expect(server.callsOf('identity.refresh')).toHaveLength(1)
})
