import Fastify, { type FastifyReply } from 'fastify'
import pg from 'pg'
import { CONTRACT_PAGE, CREATE_CONTRACT, CUSTOMER_SCAN, CUSTOMER_SEARCH, DASHBOARD } from './reference-statements.ts'

/**
 * The leanest server that gives the same JSON: bare Fastify and pg, statements prepared under a name, the same tables,
 * indexes and sums, as their owner. It checks neither session nor input. What TRAXX costs is what it takes beyond this.
 */
const { PORT, CONNECTION = '{}' } = process.env
// Planned once: PostgreSQL would else plan anew for every account.
const pool = new pg.Pool({ ...JSON.parse(CONNECTION), max: 8, options: '-c plan_cache_mode=force_generic_plan' })
const app = Fastify()

interface Query {
  account: string
  search: string
}

app.get<{ Querystring: Query }>('/contracts', async ({ query }, reply) => {
  const values = [query.account, today()]
  const { rows } = await pool.query({ name: 'contracts', text: CONTRACT_PAGE, values })
  return page(reply, rows, 'openFirst')
})

app.post<{ Querystring: Query; Body: Record<string, unknown> }>('/contracts', async ({ query, body }, reply) => {
  const cents = Math.round(Number(body['amount']) * 100)
  const fields = [
    body['customerId'],
    cents,
    body['startDate'],
    body['renewalCycle'],
    body['renewalDate'],
    body['status'],
  ]
  const values = [query.account, today(), ...fields]
  const { rows } = await pool.query({ name: 'create', text: CREATE_CONTRACT, values })
  return reply.code(201).send(rows[0])
})

app.get<{ Querystring: Query }>('/customers', async ({ query }, reply) => {
  const values = [query.account, `%${query.search.toLowerCase()}%`]
  // No trigram, no index.
  const text = query.search.length < 3 ? CUSTOMER_SCAN : CUSTOMER_SEARCH
  const { rows } = await pool.query({ name: `customers ${text.length}`, text, values })
  return page(reply, rows, 'name')
})

app.get<{ Querystring: Query }>('/dashboard', async ({ query }) => {
  const day = today()
  const { rows } = await pool.query({ name: 'dashboard', text: DASHBOARD, values: [query.account, day, monthsBack(5)] })
  return dashboardOf(rows[0])
})

process.on('SIGTERM', () => process.exit())
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
console.log('The reference is ready')

function page(reply: FastifyReply, rows: Record<string, unknown>[], sort: string) {
  const last = rows.at(-1)
  if (last) {
    const cursor = Buffer.from(JSON.stringify([last[sort], last['id']])).toString('base64url')
    reply.header('link', `<${reply.request.url}&cursor=${cursor}>; rel="next"`)
  }
  reply.header('x-total-count', Number(last?.['total'] ?? 0))
  for (const row of rows) for (const extra of ['total', 'openFirst']) delete row[extra]
  return reply.send(rows)
}

interface Total {
  status: string
  cycle: 'monthly' | 'quarterly' | 'yearly'
  contracts: number
  cents: number
}

interface Attention {
  id: number
  customerName: string
  daysLeft: number
  isReminded: boolean
  goesOutAt: string | null
}

interface DashboardRow {
  totals: Total[]
  customers: number
  overdue: number
  expiring: number
  expiringRevenue: number
  later: number
  months: { contracts: number }[]
  noticeDue: number
  noticeDueLater: number
  overdueRows: Attention[] | null
  noticeRows: Attention[] | null
  expiringRows: Attention[] | null
  sampleImportId: number | null
  hasImported: boolean
  hasCompanyName: boolean
}

function dashboardOf({ totals, customers, overdue, expiring, expiringRevenue, later, months, ...row }: DashboardRow) {
  const { noticeDue, noticeDueLater, overdueRows, noticeRows, expiringRows, ...imports } = row
  const listed = [...(overdueRows ?? []), ...(noticeRows ?? []), ...(expiringRows ?? [])]
  const attention = [...new Map(listed.map((contract) => [contract.id, contract])).values()]
  const fresh = (months.at(-1)?.contracts ?? 0) - later
  const statuses: Record<string, number> = { pending: 0, active: 0, expired: 0, cancelled: 0 }
  const cents = { monthly: 0, quarterly: 0, yearly: 0 }
  let contracts = 0
  for (const total of totals) {
    contracts += total.contracts
    statuses[total.status] = (statuses[total.status] ?? 0) + total.contracts
    if (total.status === 'active') cents[total.cycle] += total.cents
  }
  const active = statuses['active'] ?? 0
  const revenue = cents.monthly + cents.quarterly + cents.yearly
  return {
    totalContracts: contracts,
    activeContracts: active,
    totalCustomers: customers,
    totalRevenue: revenue / 100,
    monthlyRevenue: Math.round((cents.monthly * 12 + cents.quarterly * 4 + cents.yearly) / 12) / 100,
    averageContractValue: Math.round(revenue / active) / 100,
    expiringSoon: expiring,
    expiringRevenue,
    overdue,
    noticeDue,
    requiringAttention: overdue + expiring + noticeDueLater,
    growthRate: Math.round((fresh * 1000) / contracts) / 10,
    successRate: Math.round((active * 1000) / contracts) / 10,
    contractsPerCustomer: Math.round((contracts * 10) / customers) / 10,
    contractsByStatus: statuses,
    revenueByCycle: { monthly: cents.monthly / 100, quarterly: cents.quarterly / 100, yearly: cents.yearly / 100 },
    months,
    overdueContracts: (overdueRows ?? []).map(plain),
    noticeContracts: (noticeRows ?? []).map(plain),
    expiringContracts: (expiringRows ?? []).map(plain),
    remindedToday: attention.filter((contract) => contract.isReminded).map(({ id }) => id),
    plannedReminders: attention.flatMap(({ id, goesOutAt }) => (goesOutAt ? [{ contractId: id, goesOutAt }] : [])),
    ...imports,
  }
}

function plain({ isReminded: _isReminded, goesOutAt: _goesOutAt, ...contract }: Attention) {
  return { ...contract, clientName: contract.customerName }
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

function monthsBack(count: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 10)
}
