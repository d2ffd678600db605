import type { Page } from '@playwright/test'
import { anEmail, mailedCode, PASSWORD } from './journey.ts'

/**
 * Signs in without the form, for journeys that are about something else: what the form does, by the calls it makes. The
 * page then still shows what it showed.
 */
export async function signIn(page: Page, { email, password = PASSWORD }: { email: string; password?: string }) {
  await keepSession(page, await clerk(page, 'sign_ins', { strategy: 'password', identifier: email, password }))
}

/** A new account that has bought nothing yet, signed in, without the form. @returns the session's token */
export async function signUpOnly(page: Page, email: string): Promise<string> {
  const { response } = await clerk(page, 'sign_ups', { email_address: email, password: PASSWORD, first_name: 'Ada' })
  await clerk(page, `sign_ups/${response.id}/prepare_verification`, { strategy: 'email_code' })
  const code = { strategy: 'email_code', code: await mailedCode(page, email) }
  return keepSession(page, await clerk(page, `sign_ups/${response.id}/attempt_verification`, code))
}

/** The address of the account that is signed in counts as one that was never verified. */
export async function unverifyAddress(page: Page, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const answers = [
    await page.request.post('/__clerk/dev/unverify-address'),
    await page.request.post('/trpc/identity.refresh', { headers, data: {} }),
  ]
  for (const answer of answers) if (!answer.ok()) throw new Error(`${answer.url()}: ${answer.status()}`)
}

/** A new account that has begun its trial, signed in and on the dashboard, without the forms on the way there. */
export async function startTrial(page: Page, email = anEmail()): Promise<string> {
  await payForTrial(page, email)
  await page.goto('/dashboard?stripe_success=true')
  await page.waitForURL((at) => at.pathname === '/dashboard' && at.search === '')
  return email
}

/** The same for journeys that begin on another page, or with calls: the page shows nothing yet. */
export async function startTrialUnseen(page: Page, email = anEmail()): Promise<string> {
  const headers = await payForTrial(page, email)
  const refreshed = await page.request.post('/trpc/billing.refresh', { headers, data: {} })
  if (!refreshed.ok()) throw new Error(`the trial was answered with ${refreshed.status()}`)
  return email
}

async function payForTrial(page: Page, email: string): Promise<{ authorization: string }> {
  const headers = { authorization: `Bearer ${await signUpOnly(page, email)}` }
  const checkout = await page.request.post('/stripe/create-checkout-session', { headers, data: {} })
  const { url } = await checkout.json()
  const card = { number: '4242424242424242', expiry: '12 / 40', cvc: '123', name: 'Ada Lovelace' }
  const paid = await page.request.post(url, { form: card, maxRedirects: 0 })
  if (paid.status() !== 303) throw new Error(`the card was answered with ${paid.status()}`)
  return headers
}

/** A new token of the session that this browser holds, whatever the page shows. */
export async function sessionToken(page: Page): Promise<string> {
  const cookies = await page.context().cookies()
  const held = cookies.find(({ name }) => name === '__session')?.value.split('.')[1]
  if (held === undefined) throw new Error('Nobody is signed in')
  const { sid } = JSON.parse(Buffer.from(held, 'base64url').toString())
  const answer = await page.request.post(`/__clerk/v1/client/sessions/${sid}/tokens`)
  if (!answer.ok()) throw new Error(`the session was answered with ${answer.status()}`)
  return (await answer.json()).jwt
}

interface ClerkAnswer {
  response: { id: string }
  client: { sessions: { last_active_token: { jwt: string } }[] } | null
}

async function clerk(page: Page, path: string, form: Record<string, string>): Promise<ClerkAnswer> {
  const answer = await page.request.post(`/__clerk/v1/client/${path}`, { form })
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return await answer.json()
}

/** The cookies that Clerk's script sets for our server. @returns the session's token */
async function keepSession(page: Page, { client }: ClerkAnswer): Promise<string> {
  const token = client?.sessions.at(-1)?.last_active_token.jwt ?? ''
  const [known] = await page.context().cookies()
  const at = { domain: known?.domain ?? 'localhost', path: '/' }
  await page.context().addCookies([
    { name: '__session', value: token, ...at },
    { name: '__client_uat', value: String(Math.floor(Date.now() / 1000)), ...at },
  ])
  return token
}
