import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { destinationOrHome } from '#client/browser/destination.ts'
import { openApp } from '#support/open-app.tsx'

const PROTECTED = [
  '/dashboard',
  '/customers',
  '/contracts',
  '/profile',
  '/notifications',
  '/notifications/settings',
  '/reminders',
  '/test-auth',
]
const NO_SUBSCRIPTION = { screens: 'checkout', access: 'checkout', status: 'none' } as const
const EVERY_CALL_OF_A_SCREEN = ['dashboard.get', 'customers.list', 'contracts.list', 'notifications.list']

afterEach(() => sessionStorage.clear())

type App = ReturnType<typeof openApp>

/** Neither the frame of the app nor any call of a screen inside it. */
function expectNothingProtected({ callsOf }: App) {
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument()
  expect(EVERY_CALL_OF_A_SCREEN.flatMap((path) => callsOf(path))).toEqual([])
}

test('no screen shows while it is not known who is there', async () => {
  const app = openApp('/dashboard', { signedOut: 'unknown' })
  expect(await screen.findByRole('status', { name: 'Loading...' })).toBeVisible()
  expectNothingProtected(app)
})

test('no screen shows while it is not known what a subscription opens', async () => {
  const answers = { billing: { subscription: () => new Promise<never>(() => {}) } }
  const app = openApp('/dashboard', { answers })
  expect(await screen.findByRole('status', { name: 'Loading...' })).toBeVisible()
  expectNothingProtected(app)
})

describe('somebody who is signed out', () => {
  test.each(PROTECTED)('is led from %s to the sign-in, and asks the server for nothing', async (path) => {
    const app = openApp(path, { signedOut: true })
    const back = path === '/dashboard' ? '' : `?redirect_url=${encodeURIComponent(path)}`
    await waitFor(() => expect(app.address()).toBe(`/sign-in${back}`))
    expectNothingProtected(app)
    expect(app.callsOf('billing.subscription')).toEqual([])
  })

  test.each([
    ['/login', '/sign-in'],
    ['/signin', '/sign-in'],
    ['/sign-up', '/checkout'],
    ['/sign-up/verify', '/checkout'],
    ['/your-data', '/sign-in?redirect_url=%2Fyour-data'],
    ['/dashboard?stripe_success=true', '/sign-in?redirect_url=%2Fdashboard%3Fstripe_success%3Dtrue'],
  ])('is led from %s to %s', async (path, expected) => {
    const app = openApp(path, { signedOut: true })
    await waitFor(() => expect(app.address()).toBe(expected))
  })
})

describe('an address at which there is nothing', () => {
  const offered = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'))

  test('says so to somebody signed out, with a way on', async () => {
    const app = openApp('/no/such/page', { signedOut: true })
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeVisible()
    expect(offered()).toEqual(['/', '/', '/sign-in', '/help', '/contact'])
    expect(app.address()).toBe('/no/such/page')
    expectNothingProtected(app)
  })

  test('says so to somebody signed in, who is led back to the dashboard', async () => {
    document.cookie = '__client_uat=1795286841'
    openApp('/no/such/page')
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeVisible()
    expect(offered()).toEqual(['/', '/dashboard', '/help', '/contact'])
    document.cookie = '__client_uat=0'
  })
})

test('/sso-callback says that it is processing the sign-in', async () => {
  openApp('/sso-callback/oauth', { signedOut: true })
  expect(await screen.findByRole('heading', { name: 'Processing sign-in...' })).toBeVisible()
})

describe('somebody without a subscription', () => {
  test.each([...PROTECTED, '/sign-in', '/checkout', '/checkout/signup'])(
    'is led from %s to the checkout, and asks for nothing else',
    async (path) => {
      const app = openApp(path, { subscription: NO_SUBSCRIPTION })
      await waitFor(() => expect(app.address()).toBe('/checkout?trial=true'))
      expectNothingProtected(app)
    },
  )

  test('is remembered where they wanted to go', async () => {
    const app = openApp('/contracts?status=active', { subscription: NO_SUBSCRIPTION })
    await waitFor(() => expect(app.address()).toBe('/checkout?trial=true'))
    expect(destinationOrHome()).toBe('/contracts?status=active')
  })

  test('reaches their data and the deletion of the account, also by signing in', async () => {
    const identity = {
      config: () => new Promise<never>(() => {}),
      account: () => ({ email: 'a@b.test', timeZone: null }),
    }
    const app = openApp('/sign-in?redirect_url=%2Fyour-data', { subscription: NO_SUBSCRIPTION, answers: { identity } })
    await waitFor(() => expect(app.address()).toBe('/your-data'))
    expect(await screen.findByRole('button', { name: 'Delete Account' })).toBeVisible()
  })
})

describe('somebody with a subscription', () => {
  test.each([
    ['/sign-in', '/dashboard'],
    ['/checkout', '/dashboard'],
    ['/checkout?trial=true', '/dashboard'],
    ['/checkout/signup', '/dashboard'],
    ['/your-data', '/profile'],
    ['/sign-in?redirect_url=%2Fcustomers', '/customers'],
  ])('is led from %s to %s', async (path, expected) => {
    const app = openApp(path)
    await waitFor(() => expect(app.address()).toBe(expected))
  })

  test.each(['active', 'trialing', 'past_due', 'unpaid'])('whose status is %s sees the screen', async (status) => {
    const screens = status === 'unpaid' ? 'app-read-only' : 'app'
    const app = openApp('/dashboard', { subscription: { status, screens } })
    expect(await screen.findByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    expect(app.address()).toBe('/dashboard')
  })
})

test.each([
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  'https://evil.test/dashboard',
  'javascript:alert(1)',
  'data:text/html,x',
  '/\t/evil.test',
  '/..//evil.test',
  '%2F%2Fevil.test',
])('no sign-in leads away from here: %j', async (wanted) => {
  const app = openApp(`/sign-in?redirect_url=${encodeURIComponent(wanted)}`)
  await waitFor(() => expect(app.address()).toBe('/dashboard'))
  expect(await screen.findByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
})
