import { isDeepStrictEqual } from 'node:util'
import { openBenchData, type BenchAccount } from './data.ts'
import { headerOf, openHttpClient, requestOf, type HttpCall } from './http-client.ts'
import { interleave, median, pressInTurn, refuseFailure, type Candidate } from './measure.ts'
import { printMilliseconds, printRates, printRatio, printTimes } from './report.ts'
import { startReference, startOurs, type BenchServer } from './servers.ts'

/**
 * `npm run bench -- lists`: lists, dashboard, search and create beside the leanest server that gives the same JSON
 * (reference-server.ts), both over HTTP, asked in turn in one run. Each ratio is printed with its goal. `--quick` has
 * few neighbours and rounds, to look at while developing.
 */
const QUICK = process.argv.includes('--quick')
const NEIGHBOURS = QUICK ? 20 : 1000
const TIMES = QUICK ? 150 : 500
const LOAD = { connections: 32, milliseconds: QUICK ? 1500 : 3000, rounds: QUICK ? 3 : 7 }

const TERMS = { startDate: '2026-01-31', renewalCycle: 'monthly', renewalDate: '2027-02-28', status: 'active' }

const LIST = '/contracts?limit=10&sort=openFirst'
const SEARCH = '/customers?limit=10&search=schm'
const ONE_LETTER = '/customers?limit=10&search=s'
const TRPC_LIST = `/trpc/contracts.list?input=${encodeURIComponent(JSON.stringify({ json: { sort: 'openFirst' } }))}`

await using stack = new AsyncDisposableStack()
const data = await openBenchData(NEIGHBOURS)
const { connection, small, large } = data
stack.defer(() => data.stop())
const ours = await startOurs(connection)
stack.defer(() => ours.stop())
const reference = await startReference(connection)
stack.defer(() => reference.stop())

for (const path of [LIST, '/dashboard', SEARCH, ONE_LETTER]) await refuseDifference(path)
await measureReads()
await measureCreates()
await measureThroughput()
printRatio('memory after load, MB', [ours.memory(), reference.memory()], 1.6)

async function measureReads() {
  const took = await interleave(
    {
      'list of 1,000': get(ours, LIST, small),
      'reference list of 1,000': get(reference, LIST, small),
      'list of 100,000': get(ours, LIST, large),
      'reference list of 100,000': get(reference, LIST, large),
      'last page': get(ours, await lastPage(), large),
      'tRPC list of 1,000': get(ours, TRPC_LIST, small),
      'tRPC list of 100,000': get(ours, TRPC_LIST, large),
      'dashboard of 1,000': get(ours, '/dashboard', small),
      'reference dashboard of 1,000': get(reference, '/dashboard', small),
      'dashboard of 100,000': get(ours, '/dashboard', large),
      'reference dashboard of 100,000': get(reference, '/dashboard', large),
      search: get(ours, SEARCH, large),
      'reference search': get(reference, SEARCH, large),
      'search for one letter': get(ours, ONE_LETTER, large),
      'reference search for one letter': get(reference, ONE_LETTER, large),
    },
    TIMES,
  )
  const goals = { 'list of 1,000': 2.5, 'list of 100,000': 2.5, 'dashboard of 1,000': 2, 'dashboard of 100,000': 3 }
  for (const what of ['list of 1,000', 'list of 100,000', 'dashboard of 1,000', 'dashboard of 100,000'] as const) {
    printTimes({ what, ours: took(what), reference: took(`reference ${what}`) }, goals[what])
  }
  for (const what of ['list of 1,000', 'list of 100,000'] as const) {
    printTimes({ what: `tRPC ${what}`, ours: took(`tRPC ${what}`), reference: took(`reference ${what}`) }, 2.5)
  }
  const p50 = (name: Parameters<typeof took>[0]) => median(took(name))
  printRatio('list, 100,000 to 1,000', [p50('list of 100,000'), p50('list of 1,000')], 1.8)
  printRatio('dashboard, 100,000 to 1,000', [p50('dashboard of 100,000'), p50('dashboard of 1,000')], 1.8)
  printRatio('last page to the first, 100,000', [p50('last page'), p50('list of 100,000')], 1.2)
  for (const what of ['search', 'search for one letter'] as const) {
    printTimes({ what: `${what} in 20,000`, ours: took(what), reference: took(`reference ${what}`) }, 15 / 4)
  }
  printMilliseconds('search in 20,000', took('search'), 15)
}

async function measureCreates() {
  const took = await interleave(
    {
      'create beside 1,000': await create(ours, small),
      'reference create beside 1,000': await create(reference, small),
      'create beside 100,000': await create(ours, large),
      'reference create beside 100,000': await create(reference, large),
    },
    TIMES,
  )
  for (const what of ['create beside 1,000', 'create beside 100,000'] as const) {
    printTimes({ what, ours: took(what), reference: took(`reference ${what}`) }, 2.5)
  }
}

async function measureThroughput() {
  const rates = await pressInTurn(
    {
      '1,000': get(ours, LIST, small),
      'reference 1,000': get(reference, LIST, small),
      '100,000': get(ours, LIST, large),
      'reference 100,000': get(reference, LIST, large),
    },
    LOAD,
  )
  for (const size of ['1,000', '100,000'] as const) {
    const what = `list of ${size}, ${LOAD.connections} connections`
    printRates({ what, ours: rates(size), reference: rates(`reference ${size}`) }, 0.4)
  }
}

/** The reference checks no session, so the account stands in its address. */
function callOf(server: BenchServer, path: string, { id, key }: BenchAccount): HttpCall {
  if (server === ours) return { path, key }
  return { path: `${path}${path.includes('?') ? '&' : '?'}account=${id}` }
}

function get(server: BenchServer, path: string, account: BenchAccount): Candidate {
  return { port: server.port, request: requestOf(callOf(server, path, account)) }
}

async function create(server: BenchServer, account: BenchAccount): Promise<Candidate> {
  const { body } = await ask(get(ours, '/customers?limit=1', account))
  const [customer]: { id: number }[] = JSON.parse(body)
  const call = callOf(server, '/contracts', account)
  return {
    port: server.port,
    request: requestOf({ ...call, body: { customerId: customer?.id, amount: 1250.5, ...TERMS } }),
  }
}

/** The address of the last ten rows: after the eleventh from the end. */
async function lastPage(): Promise<string> {
  const answer = await ask(get(ours, '/contracts?limit=11&sort=openFirst&direction=desc', large))
  const cursor = /[?&]cursor=([^&>]+)/.exec(headerOf(answer, 'link'))?.[1]
  if (!cursor) throw new Error('The list from its end has no second page')
  // A cursor serves one direction only, so this one is rewritten for the other.
  const [order, ...position]: [string, ...unknown[]] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  const rewritten = JSON.stringify([order.replace(/ desc$/, ' asc'), ...position])
  return `${LIST}&cursor=${Buffer.from(rewritten).toString('base64url')}`
}

/** A reference that answers something else would be none. */
async function refuseDifference(path: string) {
  for (const account of [small, large]) {
    const [one, other] = await Promise.all([ask(get(ours, path, account)), ask(get(reference, path, account))])
    const isSame = isDeepStrictEqual(JSON.parse(one.body), JSON.parse(other.body))
    if (isSame && headerOf(one, 'x-total-count') === headerOf(other, 'x-total-count')) continue
    throw new Error(`${path} is answered differently:\n${one.head}\n${one.body}\n\n${other.head}\n${other.body}`)
  }
}

async function ask({ port, request }: Candidate) {
  const client = await openHttpClient(port)
  const answer = await client.send(request)
  client.close()
  refuseFailure(answer)
  return answer
}
