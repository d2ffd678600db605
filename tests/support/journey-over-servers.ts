import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { aPdf, formWith } from './pdf.ts'

/** What the journey expects of the servers: `LIMIT_EXPORTS`. */
export const EXPORTS = 5

const PATIENCE_MS = 60_000
const CARD = { number: '4242424242424242', expiry: '12 / 40', cvc: '123', name: 'Ada Lovelace' }
const TERMS = { startDate: '2026-01-31', renewalCycle: 'monthly', renewalDate: '2027-02-28', status: 'active' }
const ROWS = 300

/** Asks the proxy, and keeps in mind which servers have answered. */
function openCaller(url: string, served: string[]) {
  let cookie = ''
  return {
    call: async (method: string, path: string, { body, headers = {}, status = 200 }: Sent = {}) => {
      const isJson = body !== undefined && !(body instanceof FormData || body instanceof URLSearchParams)
      const sent = isJson ? JSON.stringify(body) : body
      const answer = await fetch(new URL(path, url), {
        method,
        redirect: 'manual',
        headers: { origin: url, cookie, ...(isJson && { 'content-type': 'application/json' }), ...headers },
        ...(sent !== undefined && { body: sent }),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      served.push(answer.headers.get('x-served-by') ?? '')
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
      const text = bytes.toString()
      assert.equal(answer.status, status, `${method} ${path}: ${text.slice(0, 500)}`)
      const json = answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined
      return { bytes, text, json, headers: answer.headers }
    },
  }
}

interface Sent {
  body?: object
  headers?: Record<string, string>
  status?: number
}

type Caller = ReturnType<typeof openCaller>
type Call = Caller['call']

/**
 * One person's way through TRAXX, over a proxy that passes each call to another server: sign-in, payment, creating with an
 * Idempotency-Key, an upload and its import, a bulk job, a limit, the first page, and the end of the session. Workers have to
 * run beside the servers. Returns which server answered each call. @throws where a call is not answered as by one server
 */
export async function takeJourney(url: string): Promise<string[]> {
  const served: string[] = []
  const { call } = openCaller(url, served)
  const { email, sessionId, token, password } = await signUp(call)
  const bearer = { authorization: `Bearer ${token}` }
  const as = (sent: Sent = {}): Sent => ({ ...sent, headers: { ...bearer, ...sent.headers } })
  await subscribe(call, as)

  const { json: customer } = await call('POST', '/customers', as({ body: { name: 'Harbor Ltd' }, status: 201 }))
  assert.equal((await call('GET', `/customers/${customer.id}`, as())).json.name, 'Harbor Ltd')
  const contract = await createTwice(call, as, customer.id)
  await attach(call, as, contract)
  await importRows(call, as)
  await raisePrices(call, as)
  for (let n = 0; n < EXPORTS; n += 1) await call('GET', '/customers/export.csv', as())
  await call('GET', '/customers/export.csv', as({ status: 429 }))

  const visit = { accept: 'text/html', cookie: `__client_uat=1; __session=${token}` }
  const page = await call('GET', '/customers?search=Harbor', { headers: visit })
  assert.ok(page.text.includes('Harbor Ltd'))
  assert.equal(page.headers.get('cache-control'), 'private, no-store')
  await endSession(openCaller(url, served), { email, password, sessionId })
  await call('POST', tokensOf(sessionId), { body: new URLSearchParams(), status: 401 })
  const stayed = served.findIndex((server, at) => server === served[at - 1])
  assert.equal(stayed, -1, `call ${stayed} was answered by the same server as the one before`)
  return served
}

type As = (sent?: Sent) => Sent

const tokensOf = (sessionId: string) => `/__clerk/v1/client/sessions/${sessionId}/tokens`

async function signUp(call: Call) {
  const [email, password] = [`ada.${randomUUID()}@example.com`, randomUUID()]
  const post = (path: string, fields: Record<string, string> = {}) =>
    call('POST', `/__clerk/v1/client/sign_ups${path}`, { body: new URLSearchParams(fields) })
  const { json: begun } = await post('', { email_address: email, password })
  await post(`/${begun.response.id}/prepare_verification`, { strategy: 'email_code' })
  const attempt = { strategy: 'email_code', code: '424242' }
  const { json: done } = await post(`/${begun.response.id}/attempt_verification`, attempt)
  const sessionId: string = done.response.created_session_id
  const { json: session } = await call('POST', tokensOf(sessionId), { body: new URLSearchParams() })
  return { email, password, sessionId, token: String(session.jwt) }
}

/** Pays, and waits for the webhook. No server may go on asking for a payment then. */
async function subscribe(call: Call, as: As): Promise<void> {
  const { json: checkout } = await call('POST', '/stripe/create-checkout-session', as({ body: {} }))
  await call('POST', new URL(checkout.url).pathname, { body: new URLSearchParams(CARD), status: 303 })
  await until('the subscription is known', async () => {
    const { json } = await call('GET', '/trpc/billing.subscription', as())
    return json.result.data.json.status === 'trialing'
  })
}

/** The second call gets the answer of the first. Returns the contract's id. */
async function createTwice(call: Call, as: As, customerId: number): Promise<number> {
  const headers = { 'idempotency-key': randomUUID() }
  const create = () =>
    call('POST', '/contracts', as({ headers, body: { customerId, amount: 100, ...TERMS }, status: 201 }))
  const [first, again] = [await create(), await create()]
  assert.deepEqual(again.json, first.json)
  assert.equal((await call('GET', '/contracts', as())).json.length, 1)
  return first.json.id
}

async function attach(call: Call, as: As, id: number): Promise<void> {
  const pdf = aPdf()
  await call('POST', `/contracts/${id}/pdf`, as({ body: formWith(pdf), status: 201 }))
  assert.deepEqual((await call('GET', `/contracts/${id}/pdf`, as())).bytes, pdf)
}

/** A file with ambiguous dates: one server asks, another gets the answer, a third knows of the import. */
async function importRows(call: Call, as: As): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, n) => `Customer ${n},${n + 1},03/04/2026,monthly,2027-03-04,active`)
  const file = ['Customer Name,Amount,Start Date,Renewal Cycle,Renewal Date,Status', ...rows].join('\n')
  const send = (answers: string, status: number) => {
    const body = new FormData()
    body.append('file', new Blob([file]), 'contracts.csv')
    return call('POST', `/contracts/bulk-upload?createCustomers=true${answers}`, as({ body, status }))
  }
  assert.equal((await send('', 409)).json.question.parameter, 'dateOrder')
  assert.equal((await send('&dateOrder=dmy', 200)).json.created, ROWS)
  assert.equal((await call('GET', '/imports', as())).json[0].created, ROWS)
  assert.equal((await send('&dateOrder=dmy', 409)).json.question.parameter, 'again')
}

/** A worker changes what one server is asked to change, and another one tells how far it is; then it is undone. */
async function raisePrices(call: Call, as: As): Promise<void> {
  const filter = { search: 'Customer' }
  const raise = { action: 'change_price', price: { by: 'percent', value: 10 }, contracts: { filter } }
  const { json: begun } = await call('POST', '/bulk', as({ body: raise, status: 202 }))
  const becomes = async (state: string) => {
    let bulk = begun
    await until(`the change is ${state}`, async () => {
      bulk = (await call('GET', `/bulk/${begun.id}`, as())).json
      return bulk.state === state
    })
    return bulk
  }
  assert.equal((await becomes('done')).changed, ROWS)
  await call('POST', `/bulk/${begun.id}/undo`, as({ status: 202 }))
  assert.equal((await becomes('undone')).undone, ROWS)
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await isSo());) {
    assert.ok(performance.now() < end, `still waiting until ${what}`)
    await pause(250)
  }
}

/** Another browser of the same person ends the session. */
async function endSession({ call }: Caller, { email, password, sessionId }: Record<string, string>) {
  const body = new URLSearchParams({ identifier: email ?? '', password: password ?? '' })
  const { json } = await call('POST', '/__clerk/v1/client/sign_ins', { body })
  const { json: session } = await call('POST', tokensOf(json.response.created_session_id), {
    body: new URLSearchParams(),
  })
  const headers = { authorization: `Bearer ${session.jwt}` }
  await call('POST', '/trpc/identity.endSession', { headers, body: { json: { id: sessionId } } })
}
