import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { openOwnDatabase } from './own-database.ts'

/** How many rows an account of the bench has. */
export interface AccountSize {
  customers: number
  contracts: number
}

export interface BenchAccount extends AccountSize {
  id: number
  /** An API key of the account. */
  key: string
}

export interface BenchData {
  connection: pg.PoolConfig
  small: BenchAccount
  large: BenchAccount
  stop(): Promise<void>
}

const SMALL = { customers: 200, contracts: 1000 }
const LARGE = { customers: 20_000, contracts: 100_000 }

/**
 * A PostgreSQL of its own that waits for the disk as a real one does: an account of each size among `neighbours` accounts
 * of the small one.
 */
export async function openBenchData(neighbours: number): Promise<BenchData> {
  const { connection, stop } = await openOwnDatabase()
  try {
    return { connection, ...(await load(connection, neighbours)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function load(connection: pg.PoolConfig, neighbours: number) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const [firstId = 0, largeId = 0] = await addAccounts(client, neighbours + 2)
    await withoutUpkeep(client, async () => {
      await fill(client, { from: firstId, to: largeId - 1 }, SMALL)
      await fill(client, { from: largeId, to: largeId }, LARGE)
    })
    await client.query('vacuum analyze')
    await client.query('checkpoint')
    // In the middle of the others: not the first rows of every table.
    const smallId = firstId + Math.floor((largeId - firstId) / 2)
    return {
      small: { id: smallId, key: await addKey(client, smallId), ...SMALL },
      large: { id: largeId, key: await addKey(client, largeId), ...LARGE },
    }
  } finally {
    await client.end()
  }
}

/** Adds accounts with a subscription. The ids of the first and the last. */
export async function addAccounts(client: pg.Client, count: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `insert into accounts (clerk_user_id, email, time_zone)
      select 'user_' || n, 'user_' || n || '@example.com', 'UTC' from generate_series(1, $1::int) n returning id`,
    [count],
  )
  await client.query(`insert into subscriptions (account_id, stripe_subscription_id, status, synced_at)
    select id, 'sub_' || id, 'active', now() from accounts`)
  return [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0]
}

/** Fills accounts whose ids follow one another, and lets PostgreSQL look at them. */
export async function fillAccounts(client: pg.Client, accounts: Accounts, size: AccountSize): Promise<void> {
  await withoutUpkeep(client, () => fill(client, accounts, size))
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

/** Loads without foreign keys, triggers and indexes, which are rebuilt afterward. */
async function withoutUpkeep(client: pg.Client, work: () => Promise<void>) {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('customers', 'contracts') and not exists (select from pg_constraint where conname = indexname)`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(`set session_replication_role = replica; set maintenance_work_mem = '512MB'; select setseed(0.42)`)
  await work()
  await client.query('set session_replication_role = default')
  for (const { definition } of indexes) await client.query(definition)
  await client.query('select recount_totals()')
}

interface Accounts {
  from: number
  to: number
}

async function fill(client: pg.Client, { from, to }: Accounts, { customers, contracts }: AccountSize) {
  const { rows } = await client.query<{ first: number }>(
    `with added as (
      insert into customers (account_id, name, phone, customer_number, email, created_at)
      select a, ${NAME}, '555-' || lpad(n::text, 5, '0'), 'K-' || n, 'office' || n || '@example.com',
        now() - random() * interval '1095 days'
      from generate_series($1::int, $2::int) a, generate_series(1, $3::int) n order by a, n returning id)
    select min(id) as first from added`,
    [from, to, customers],
  )
  // An account's customers have ids that follow one another.
  await client.query(
    `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    select a, $5::int + (a - $1) * $3::int + floor(random() * $3)::int, 100 + floor(random() * 500000)::bigint,
      started, cycle, ${RENEWAL}, status
    from generate_series($1::int, $2::int) a, generate_series(1, $4::int) n,
      lateral (select current_date - floor(random() * 1095)::int as started, random() as c, random() as s,
        random() < 0.03 as is_late where n > 0) drawn,
      lateral (select case when c < 0.4 then 'monthly' when c < 0.6 then 'quarterly' else 'yearly' end as cycle,
        case when c < 0.4 then 30 when c < 0.6 then 91 else 365 end as days,
        case when s < 0.7 then 'active' when s < 0.8 then 'pending' when s < 0.92 then 'expired' else 'cancelled' end
          as status) chosen`,
    [from, to, customers, contracts, rows[0]?.first],
  )
}

/** One in 25 is a Schmidt; the numbers keep the names apart. */
const NAME = `(array['Schmidt','Meyer','Northwind','Contoso','Fabrikam','Globex','Initech','Umbrella','Stark','Wayne',
  'Hooli','Vandelay','Cyberdyne','Tyrell','Wonka','Duff','Oceanic','Soylent','Massive','Nakatomi','Gekko','Prestige',
  'Aperture','Monarch','Virtucon'])[1 + floor(random() * 25)::int]
  || ' ' || (array['Ltd','GmbH','Logistics','Foods','Energy','Labs','Partners','Media','Systems','Works'])[1 + n % 10]
  || ' ' || n`

/** Open terms end on their next renewal from today, three in a hundred up to 20 days ago; others ended with the first. */
const RENEWAL = `case
  when status in ('expired', 'cancelled') then started + days
  when is_late then greatest(started + 1, current_date - 1 - floor(random() * 20)::int)
  else started + days * greatest(1, ceil((current_date - started)::numeric / days))::int end`

/** A new API key of the account. */
export async function addKey(client: pg.Client, accountId: number): Promise<string> {
  const key = `traxx_${randomBytes(32).toString('base64url')}`
  const hash = createHash('sha256').update(key).digest()
  await client.query(`insert into api_keys (account_id, name, scope, key_hash) values ($1, 'Bench', 'all', $2)`, [
    accountId,
    hash,
  ])
  return key
}
