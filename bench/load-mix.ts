import type { Random } from '#support/random.ts'
import type { HttpCall } from './http-client.ts'

/** Somebody at a screen. Several may share an account. */
export interface Person {
  /** Of a session, as browsers send it. */
  key: string
  customers: number[]
  /** Pending and active ones. */
  contracts: number[]
  /** Others of them, each of which is renewed once. */
  toRenew: number[]
}

interface Kind {
  kind: string
  /** Of a hundred calls. */
  share: number
  call: (person: Person, random: Random) => HttpCall
}

const WORDS = ['schm', 'north', 'foods', 'ltd', '12', 'contoso']
const SORTS = ['amount', 'startDate', 'renewalDate', 'added']
const STATUSES = ['active', 'pending', 'expired']
const TERMS = { startDate: '2026-01-31', renewalCycle: 'monthly', renewalDate: '2027-02-28', status: 'active' }

/** What people do, as the requests of the screens. A request carries what a screen asks for at once. */
export const MIX: Kind[] = [
  { kind: 'contracts page', share: 18, call: ({ key }) => contractsPage(key, {}) },
  {
    kind: 'sort or filter',
    share: 12,
    call: ({ key }, random) =>
      list(
        key,
        random.chance(0.5) ? { sort: random.pick(SORTS), direction: 'desc' } : { status: random.pick(STATUSES) },
      ),
  },
  { kind: 'search', share: 12, call: ({ key }, random) => list(key, { search: random.pick(WORDS) }) },
  {
    kind: 'open a contract',
    share: 18,
    call: ({ key, contracts }, random) => {
      const id = random.pick(contracts)
      return query(key, { 'contracts.get': { id }, 'contracts.terms': { id } })
    },
  },
  {
    kind: 'edit a contract',
    share: 6,
    call: ({ key, contracts }, random) =>
      mutation(key, 'contracts.update', { id: random.pick(contracts), amount: amountFrom(random) }),
  },
  {
    kind: 'create a contract',
    share: 6,
    call: ({ key, customers }, random) =>
      mutation(key, 'contracts.create', { customerId: random.pick(customers), amount: amountFrom(random), ...TERMS }),
  },
  {
    kind: 'renew a contract',
    share: 2,
    call: ({ key, toRenew }) => {
      const id = toRenew.shift()
      return id ? mutation(key, 'contracts.renew', { id, confirm: false }) : query(key, { 'dashboard.get': undefined })
    },
  },
  { kind: 'dashboard', share: 10, call: ({ key }) => query(key, { 'dashboard.get': undefined }) },
  {
    kind: 'customers page',
    share: 7,
    call: ({ key }) => query(key, { 'customers.list': {}, 'customers.figures': undefined }),
  },
  {
    kind: 'notifications',
    share: 8,
    call: ({ key }) => query(key, { 'notifications.list': {}, 'notifications.unreadCount': undefined }),
  },
  { kind: 'export contracts', share: 1, call: ({ key }) => ({ path: '/contracts/export.csv', key }) },
]

const SHARES = MIX.reduce((sum, { share }) => sum + share, 0)

/** The next thing that somebody does. */
export function nextOf(random: Random): Kind {
  let left = random.share() * SHARES
  for (const kind of MIX) {
    left -= kind.share
    if (left < 0) return kind
  }
  throw new Error('The mix is empty')
}

/** The time until somebody's next call: 3 seconds on average. */
export function thinkMs(random: Random): number {
  return random.int(1000, 5000)
}

function amountFrom(random: Random): number {
  return random.int(100, 500_000) / 100
}

function contractsPage(key: string, filter: object): HttpCall {
  return query(key, {
    'contracts.list': filter,
    'contracts.figures': undefined,
    'views.list': undefined,
    'views.listSettings': undefined,
  })
}

function list(key: string, filter: object): HttpCall {
  return query(key, { 'contracts.list': filter })
}

function query(key: string, calls: Record<string, object | undefined>): HttpCall {
  const inputs = Object.values(calls).map((json, at) => [at, json && { json }] as const)
  const input = JSON.stringify(Object.fromEntries(inputs))
  return { path: `/trpc/${Object.keys(calls).join(',')}?batch=1&input=${encodeURIComponent(input)}`, key }
}

function mutation(key: string, name: string, json: object): HttpCall {
  return { path: `/trpc/${name}?batch=1`, key, body: { 0: { json } } }
}
