import { resolve } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { builtPages } from '#server/pages/built-pages.ts'
import { styleHash } from '#server/security/style-hash.ts'
import { useApp } from '#support/app.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const pages = builtPages(resolve(import.meta.dirname, '../../dist/client'))
const lines: string[] = []
const logTo = { write: (line: string) => void lines.push(line) }
const server = useApp(world, { verifyToken: takingPastTokens }, { pages, logTo })
beforeAll(() => pages.screens?.prepare())

/** As others do it, and `past:<user id>` has run out. */
async function takingPastTokens(token: string, { leewayMs = 0 } = {}) {
  if (token.startsWith('past:') && leewayMs === 0) throw new Error('run out')
  return fakeServices().verifyToken(token.replace('past:', 'session:'))
}

/** The page that a browser gets which comes with the session cookie of this account. */
async function visit(url: string, request?: RequestContext) {
  const cookie = request && `other=1; __session=session:${request.caller?.clerkUserId}`
  const headers = { accept: 'text/html', ...(cookie && { cookie }) }
  const { body, headers: heads } = await server.app.inject({ url, headers })
  const html = /<div id="root">(.+?)<script nonce/s.exec(body)?.[1]
  return { body, html, heads }
}

test.each(['/', '/help', '/privacy', '/terms', '/contact', '/account-deleted'])(
  'the policy of %s allows its one inline style',
  async (url) => {
    const { body, heads } = await visit(url)
    const styles = [...body.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, style = '']) => styleHash(style))
    expect(styles).toHaveLength(1)
    expect(heads['content-security-policy']).toContain(`style-src 'self' ${styles[0]};`)
  },
)

describe('the first page of a visit', () => {
  test('shows the contracts before any script has run, with the answers that it was rendered from', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request, { name: 'Acme & Sons' })
    await aContract(request, { customerId, amount: 1234.5 })
    const { body, html, heads } = await visit('/contracts', request)
    expect(html).toContain('Acme &amp; Sons')
    expect(html).toContain('$1,234.50')
    expect(body).toContain('<title>Contracts · TRAXX</title>')
    expect(body).toContain(String.raw`customerName\":\"Acme & Sons\"`)
    expect(heads['cache-control']).toBe('private, no-store')
  })

  test('shows the dashboard and the customers as well', async () => {
    const request = await anAccount(world)
    await aContract(request, { amount: 777 })
    expect((await visit('/dashboard', request)).html).toContain('$777')
    expect((await visit('/customers', request)).html).toContain('Acme Ltd')
  })

  test('knows whose it is before the identity provider has answered', async () => {
    const request = await anAccount(world)
    await world.db.system.query(`update accounts set name = 'Quinn Zimmer' where id = $1`, [request.caller?.id])
    expect((await visit('/contracts', request)).html).toMatch(/>QZ</)
  })

  test('shows what its address asks for', async () => {
    const request = await anAccount(world)
    for (const name of ['Found', 'Unwanted']) await aCustomer(request, { name })
    const { html } = await visit('/customers?search=foun', request)
    expect(html).toContain('Found')
    expect(html).not.toContain('Unwanted')
  })

  test('shows nothing of another account', async () => {
    const [ours, theirs] = [await anAccount(world), await anAccount(world)]
    await aContract(theirs, { customerId: (await aCustomer(theirs, { name: 'Somebody else' })).id })
    for (const path of ['/contracts', '/customers', '/dashboard']) {
      const { body, html } = await visit(path, ours)
      expect(html).toBeDefined()
      expect(body).not.toContain('Somebody else')
    }
  })

  test.each(['//', '//evil.example/contracts', '///'])(
    'shows no screen at %s, where a host would be named, and has nothing to log',
    async (url) => {
      const request = await anAccount(world)
      await aContract(request, { customerId: (await aCustomer(request, { name: 'Acme' })).id })
      lines.length = 0
      expect((await visit(url, request)).body).not.toContain('Acme')
      expect(lines).toEqual([])
    },
  )

  test('lets no name of a customer become a script', async () => {
    const [harmless, hostile] = [await anAccount(world), await anAccount(world)]
    await aCustomer(harmless, { name: 'Acme' })
    await aCustomer(hostile, { name: '</script><script>alert(1)</script> $& __CSP_NONCE__' })
    const scripts = (page: { body: string }) => page.body.match(/<\/?script/g)?.length
    const page = await visit('/customers', hostile)
    expect(scripts(page)).toBe(scripts(await visit('/customers', harmless)))
    expect(page.body).toContain('__CSP_NONCE__')
  })
})

describe('the shell alone comes', () => {
  test('to somebody who is not known, whoever may have been there before', async () => {
    await aContract(await anAccount(world))
    const { body, html, heads } = await visit('/contracts')
    expect(html).toBeUndefined()
    expect(body).toContain('<div id="root"></div>')
    expect(heads['cache-control']).toBe('no-cache')
    const headers = { accept: 'text/html', cookie: '__session=nonsense' }
    expect((await server.app.inject({ url: '/contracts', headers })).body).toContain('<div id="root"></div>')
  })

  test('to somebody whose subscription does not open the app', async () => {
    const request = await anAccount(world, { status: null })
    expect((await visit('/contracts', request)).html).toBeUndefined()
  })

  test('to whom the landing page knows by a token that has run out, before and after it does', async () => {
    const request = await anAccount(world)
    await aCustomer(request)
    const cookie = `__client_uat=1; __session=past:${request.caller?.clerkUserId}`
    const pageAt = async (url: string) =>
      (await server.app.inject({ url, headers: { accept: 'text/html', cookie } })).body
    expect(await pageAt('/customers')).toContain('<div id="root"></div>')
    expect(await pageAt('/')).toContain('href="/dashboard"')
    expect(await pageAt('/customers')).toContain('<div id="root"></div>')
  })

  test('to a browser whose cookie holds an API key: a key is not somebody who has signed in', async () => {
    const request = await anAccount(world)
    const key = await anApiKey(request, { name: 'A script' })
    const headers = { accept: 'text/html', cookie: `__session=${key}` }
    expect((await server.app.inject({ url: '/customers', headers })).body).toContain('<div id="root"></div>')
  })

  test('to an address that leads elsewhere, and to a screen that is not rendered here', async () => {
    const request = await anAccount(world)
    for (const url of ['/contracts?page=nonsense', '/dashboard?stripe_success=true', '/profile', '/nowhere']) {
      expect((await visit(url, request)).html, url).toBeUndefined()
    }
  })
})

describe('an address at which there is no screen', () => {
  const NOWHERE = ['/no/such/page', '/dashboard/x', '/checkout/elsewhere', '/debug.php', '/%2e%2e%2f']

  test.each(NOWHERE)('%s is answered with 404, to people signed in or out', async (url) => {
    const request = await anAccount(world)
    const headers = { accept: 'text/html' }
    const cookie = `__session=session:${request.caller?.clerkUserId}`
    const answers = [
      await server.app.inject({ url, headers }),
      await server.app.inject({ url, headers: { ...headers, cookie } }),
    ]
    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(404)
      expect(body).toContain('<div id="root"></div>')
    }
  })

  test.each([
    '/dashboard',
    '/contracts?status=active',
    '/notifications/settings',
    '/checkout/signup/x',
    '/sign-in',
    '/login',
  ])('%s is not one', async (url) => {
    const { statusCode } = await server.app.inject({ url, headers: { accept: 'text/html' } })
    expect(statusCode).toBe(200)
  })
})

describe('while the server cannot render', () => {
  const asked = Promise.withResolvers<void>()
  const render = () => {
    asked.resolve()
    return new Promise<never>(() => {})
  }
  const never = { prepare: async () => {}, has: async () => true, render }
  const stuck = useApp(world, {}, { pages: { ...pages, screens: never } })

  test('the shell alone comes after three seconds', async () => {
    const { caller } = await anAccount(world)
    const headers = { accept: 'text/html', cookie: `__session=session:${caller?.clerkUserId}` }
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const isAnswered = vi.fn<() => void>()
    const answer = stuck.app.inject({ url: '/contracts', headers }).then((page) => {
      isAnswered()
      return page
    })
    await asked.promise
    await vi.advanceTimersByTimeAsync(2_999)
    expect(isAnswered).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect((await answer).body).toContain('<div id="root"></div>')
  })
})

test.each(['/.server/render-screen.js', '/.vite/manifest.json'])(
  '%s, which is for the server, is not served',
  async (url) => {
    expect((await server.app.inject({ url })).statusCode).toBe(404)
  },
)
