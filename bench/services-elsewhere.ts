import http from 'node:http'
import https from 'node:https'

// Loaded into a server before its own code: Clerk's and Stripe's API are where these variables say.
const CLERK = 'https://api.clerk.com'
const STRIPE = 'api.stripe.com'
const { fetch } = globalThis
const clerk = process.env['CLERK_ELSEWHERE'] ?? CLERK
const stripe = new URL(process.env['STRIPE_ELSEWHERE'] ?? `https://${STRIPE}`)

globalThis.fetch = (input, options) => {
  const address = input instanceof Request ? input.url : String(input)
  if (!address.startsWith(CLERK)) return fetch(input, options)
  const moved = address.replace(CLERK, clerk)
  return fetch(input instanceof Request ? new Request(moved, input) : moved, options)
}

const { request } = https
Reflect.set(https, 'request', (options: https.RequestOptions) =>
  options.host === STRIPE
    ? http.request({ ...options, host: stripe.hostname, port: stripe.port, agent: http.globalAgent })
    : request(options),
)
