import type Stripe from 'stripe'
import { verifyMailServer } from '#server/mail/mailer.ts'
import { pemOf } from '#server/identity/key-set.ts'
import { openSigner } from '#server/security/signing-key.ts'
import { clockFinding } from './clock.ts'
import type { Finding } from './finding.ts'

/** The events that the webhook endpoint at Stripe has to send. */
export const STRIPE_EVENTS = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'customer.deleted',
  'refund.created',
]
const PRICE_CENTS = 2900
const WAIT_MS = 10_000

/** Logs in to the mail server, and sends nothing. */
export async function checkMail(url: string): Promise<Finding[]> {
  await verifyMailServer(url)
  return [{ check: 'Mail', state: 'ok', text: 'The mail server of SMTP_URL lets TRAXX in' }]
}

export function checkMailEvents(key: string | undefined): Finding[] {
  return key === undefined
    ? [
        {
          check: 'Mail events',
          state: 'warning',
          text: 'Without MAILGUN_WEBHOOK_KEY, only bounces during sending are noticed. Set it, and point the webhooks at /mail/webhook',
        },
      ]
    : [{ check: 'Mail events', state: 'ok', text: 'MAILGUN_WEBHOOK_KEY is set' }]
}

/** Names the key that signs proofs, so that two servers can be compared. */
export function checkProofs(privatePem: string): Finding[] {
  const { keyId } = openSigner(privatePem)
  return [{ check: 'Proofs', state: 'ok', text: `PROOF_SIGNING_KEY is the key ${keyId}; all servers need the same` }]
}

interface KeySource {
  jwks: { getJwks: () => Promise<{ keys?: { n: string; e: string }[] }> }
}

/** The secret key works, and CLERK_JWT_KEY is one of Clerk's present keys. */
export async function checkClerk({ jwks }: KeySource, jwtKey: string | undefined): Promise<Finding[]> {
  const { keys = [] } = await jwks.getJwks()
  const ok: Finding = { check: 'Clerk', state: 'ok', text: 'CLERK_SECRET_KEY is accepted' }
  if (jwtKey === undefined || keys.some((key) => samePem(pemOf(key), jwtKey))) return [ok]
  return [
    ok,
    {
      check: 'Clerk',
      state: 'problem',
      text: 'CLERK_JWT_KEY is none of the keys that Clerk signs with, so nobody can sign in. Copy it from the dashboard, API keys, JWT public key',
    },
  ]
}

function samePem(one: string, other: string): boolean {
  const plain = (pem: string) => pem.replaceAll(/-----[^-]+-----|\\n|\s/g, '')
  return plain(one) === plain(other)
}

interface Billing {
  stripe: Stripe
  lookupKey: string
  webhookUrl: string
}

/** The price, the webhook endpoint with its events, and Stripe's clock. */
export async function checkStripe({ stripe, lookupKey, webhookUrl }: Billing): Promise<Finding[]> {
  const prices = await stripe.prices.list({ lookup_keys: [lookupKey], active: true })
  const { date } = prices.lastResponse.headers
  const clock = date ? [clockFinding('Stripe', Date.parse(date))] : []
  return [priceFinding(prices.data, lookupKey), ...clock, await webhookFinding(stripe, webhookUrl)]
}

function priceFinding([price]: Stripe.Price[], lookupKey: string): Finding {
  if (!price) {
    const text = `No active price has the lookup key ${lookupKey}. Give it to the monthly price at Stripe`
    return { check: 'Price', state: 'problem', text }
  }
  const { unit_amount: cents, currency, recurring } = price
  const isRight = cents === PRICE_CENTS && currency === 'usd' && recurring?.interval === 'month'
  return isRight
    ? { check: 'Price', state: 'ok', text: `${lookupKey} is $29 a month` }
    : {
        check: 'Price',
        state: 'problem',
        text: `${lookupKey} is not $29 a month, which is what the pages say. Move the lookup key to a price that is`,
      }
}

async function webhookFinding(stripe: Stripe, url: string): Promise<Finding> {
  const check = 'Stripe webhook'
  const endpoints = await stripe.webhookEndpoints.list({ limit: 100 })
  const endpoint = endpoints.data.find((one) => one.url === url)
  if (!endpoint || endpoint.status !== 'enabled') {
    return {
      check,
      state: 'problem',
      text: `Stripe has no enabled endpoint at ${url}. Add one for ${STRIPE_EVENTS.join(', ')}`,
    }
  }
  const sent = endpoint.enabled_events
  const missing = sent.includes('*') ? [] : STRIPE_EVENTS.filter((name) => !sent.includes(name))
  return missing.length === 0
    ? { check, state: 'ok', text: `The endpoint at ${url} gets all events` }
    : { check, state: 'problem', text: `The endpoint at ${url} lacks events. Add ${missing.join(', ')}` }
}

/** Whether people reach the server at its public address. */
export async function checkPublicUrl(publicUrl: string): Promise<Finding[]> {
  const check = 'Public address'
  const options = { redirect: 'manual', signal: AbortSignal.timeout(WAIT_MS) } as const
  const answer = await fetch(`${publicUrl}/healthz`, options).catch(() => undefined)
  return answer?.ok
    ? [{ check, state: 'ok', text: `The server answers at ${publicUrl}` }]
    : [
        {
          check,
          state: 'warning',
          text: `Nothing answers at ${publicUrl}/healthz from this machine. Start the server, or check the proxy in front of it`,
        },
      ]
}
