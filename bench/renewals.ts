import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { bareRenewal } from './bare-renewals.ts'
import { contractPageCalls } from './contract-page-calls.ts'
import { openBenchData, type BenchAccount } from './data.ts'
import { openHttpClient, requestOf } from './http-client.ts'
import { interleave, median, refuseFailure, type Candidate } from './measure.ts'
import { printRatio, printTimes } from './report.ts'
import { startOurs } from './servers.ts'
import { timed } from './timed.ts'

/**
 * `npm run bench -- renewals [--quick] [--bulk]`: a renewal beside a create, a contract's page beside a list, and a change of some
 * 14,000 contracts beside one SQL statement, with the list of the same account meanwhile; with --bulk that change alone.
 * `npm run bench -- night` has what happens by itself.
 */
const QUICK = process.argv.includes('--quick')
const NEIGHBOURS = QUICK ? 20 : 1000
/** Each renewal adds a term of a month, and the contract has to stay overdue. */
const TIMES = QUICK ? 150 : 500
const LIST = `/trpc/contracts.list?input=${encodeURIComponent(JSON.stringify({ json: { sort: 'openFirst' } }))}`
/** What the change is about: 14 of 100 contracts. */
const SELECTED = { cycle: 'quarterly', status: 'active' }

await using stack = new AsyncDisposableStack()
const data = await openBenchData(NEIGHBOURS)
const { connection, large } = data
stack.defer(() => data.stop())
const owner = new pg.Client(connection)
await owner.connect()
stack.defer(() => owner.end())
const ours = await startOurs(connection)
stack.defer(() => ours.stop())

if (!process.argv.includes('--bulk')) await measureOne()
await measureMany()

/** A renewal beside a create of the same server, and all that a contract's page asks for beside a list. */
async function measureOne(): Promise<void> {
  const [customer] = await ask<{ id: number }[]>(get('/customers?limit=1'))
  const [listed = { id: 0, customerId: 0 }] = await ask<Listed[]>(get('/contracts?limit=1&sort=openFirst'))
  const fields = { renewalCycle: 'monthly', status: 'active', customerId: customer?.id, amount: 10 }
  // Overdue since 1900, so that it can be renewed again and again.
  const old = post('/contracts', { ...fields, startDate: '1900-01-31', renewalDate: '1900-02-28' })
  const overdue = await ask<{ id: number }>(old)
  const took = await interleave(
    {
      renew: post(`/contracts/${overdue.id}/renew`, {}),
      create: post('/contracts', { ...fields, startDate: '2026-01-31', renewalDate: '2027-02-28' }),
      page: get(pageOf(listed)),
      list: get(LIST),
    },
    TIMES,
  )
  printTimes({ what: 'renew, to create', ours: took('renew'), reference: took('create') }, 2)
  printTimes({ what: "contract's page, to list", ours: took('page'), reference: took('list') }, 3)
}

/** In one batch, as the browser asks. */
function pageOf(contract: Listed): string {
  const calls = contractPageCalls(contract)
  const input = JSON.stringify(Object.fromEntries(Object.values(calls).map((json, index) => [index, { json }])))
  return `/trpc/${Object.keys(calls).join(',')}?batch=1&input=${encodeURIComponent(input)}`
}

interface Listed {
  id: number
  customerId: number
}

interface Change {
  id: number
  state: string
  total: number
  changed: number
}

async function measureMany(): Promise<void> {
  const alone = await listTimes(async () => pause(QUICK ? 1000 : 5000))
  const bare = await timed(bareChange)
  let change: Change | undefined
  const begun = performance.now()
  const meanwhile = await listTimes(async () => {
    change = await ask<Change>(post('/bulk', { action: 'renew', contracts: { filter: SELECTED } }))
    while (change.state !== 'done') {
      await pause(50)
      change = await ask<Change>(get(`/bulk/${change.id}`))
    }
  })
  const seconds = (performance.now() - begun) / 1000
  if (change?.changed !== bare.result) throw new Error(`changed ${change?.changed}, and the statement ${bare.result}`)
  printRatio(`a change of ${bare.result}, seconds`, [seconds, bare.seconds], 3)
  printRatio('a list meanwhile, p50 in ms', [median(meanwhile), median(alone)], 3)
}

/** How many the bare statement changes, which is then undone. */
async function bareChange(): Promise<number> {
  await owner.query(`begin; set local app.actor = 'operator'`)
  const where = `account_id = ${large.id} and renewal_cycle = '${SELECTED.cycle}' and status = '${SELECTED.status}'`
  const { rowCount } = await owner.query(bareRenewal(where))
  await owner.query('rollback')
  await owner.query('vacuum analyze contracts, contract_terms, contract_decisions, activity')
  return rowCount ?? 0
}

/** How long lists of the account take, one after the other, until this work is done. */
async function listTimes(work: () => Promise<void>): Promise<number[]> {
  const client = await openHttpClient(ours.port)
  const { request } = get(LIST)
  let isDone = false
  const working = work().finally(() => (isDone = true))
  const took: number[] = []
  while (!isDone) {
    const begun = performance.now()
    refuseFailure(await client.send(request))
    took.push(performance.now() - begun)
    await pause(5)
  }
  await working
  client.close()
  return took
}

function get(path: string, { key }: BenchAccount = large): Candidate {
  return { port: ours.port, request: requestOf({ path, key }) }
}

function post(path: string, body: object, { key }: BenchAccount = large): Candidate {
  return { port: ours.port, request: requestOf({ path, key, body }) }
}

async function ask<T>({ port, request }: Candidate): Promise<T> {
  const client = await openHttpClient(port)
  const answer = await client.send(request)
  client.close()
  refuseFailure(answer)
  const parsed: T = JSON.parse(answer.body)
  return parsed
}
