import { isDeepStrictEqual } from 'node:util'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exportAccount } from '#server/exports/exports.service.ts'
import { anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { readRows } from './rows.ts'
import { tenantPolicy } from './tenant-policies.ts'

const world = useWorld()
/** Rows that belong to no account. */
const SHARED_TABLES = [
  'job_runs',
  'kept_closures',
  'kept_mail_stops',
  'mail_count_keys',
  'mail_counts',
  'mail_webhook_tokens',
  'migrations',
  'rate_limits',
  'secrets',
  'spent_trials',
  'stripe_events',
]

/** Files of the export that are not called as their table is. */
const EXPORTED_AS: Record<string, string> = {
  accounts: 'account.csv',
  companies: 'company.csv',
  contract_reminder_preferences: 'contract-reminder-settings.csv',
  reminder_preferences: 'notification-settings.csv',
}
/** What says nothing that the other tables do not: how far changes are, sums, what is planned anew each day, codes, answers kept for a day, files kept for an hour, and Stripe's own records. */
const NOT_EXPORTED = [
  'bulk_changes',
  'bulk_contracts',
  'contract_due_days',
  'contract_start_months',
  'contract_totals',
  'customer_totals',
  'idempotency_keys',
  'kept_pdfs',
  'reminder_schedules',
  'reply_to_codes',
  'subscriptions',
]

function select<Shape extends z.ZodRawShape>(text: string, row: Shape) {
  return readRows(world.db.system, { text, values: [] }, z.object(row))
}

/** Sums without an entity: the app reads them, and triggers write them in the name of the tables' owner. */
const KEPT_TABLES = ['contract_due_days', 'contract_start_months', 'contract_totals', 'customer_totals']

const WRITTEN_BY_OWNER = ['closed_addresses', 'proof_records', 'proofs']
const READ_BY_OWNER = ['customer_contacts', 'complaints', 'contracts', 'customers', 'reminders']

/** The policies that a table is to have: those of its entity, and those of the owner, whose functions count and search. */
function expectedOf(table: string): Definition[] {
  const entity = [...world.db.orm.getMetadata().getAll().values()].find(({ tableName }) => tableName === table)
  const keeper = { name: 'keeper', roles: ['current_user'], using: 'true' }
  const { check: _check, ...tenant } = tenantPolicy()
  const ofSums = [
    { ...keeper, check: 'true' },
    { ...tenant, command: 'select' },
  ]
  const read = READ_BY_OWNER.includes(table) ? [{ ...keeper, command: 'select' }] : []
  const ofOwner = WRITTEN_BY_OWNER.includes(table) ? [{ ...keeper, check: 'true' }] : read
  return Definition.array().parse(KEPT_TABLES.includes(table) ? ofSums : [...(entity?.policies ?? []), ...ofOwner])
}

const Definition = z.object({
  name: z.string(),
  command: z.string().default('all'),
  roles: z.array(z.string()),
  using: z.string(),
  check: z.string().optional(),
})
type Definition = z.output<typeof Definition>

function asStatement({ name, command, roles, using, check }: Definition, table: string): string {
  const checked = check === undefined ? '' : ` with check (${check})`
  return `create policy ${name} on ${table} for ${command} to ${roles.join(', ')} using (${using})${checked}`
}

/** The policies of a table as PostgreSQL writes them. */
function policiesOf(client: pg.Client, table: string) {
  const text = `
    select policyname as name, permissive, roles::text[] as roles, cmd as command, qual as using, with_check as check
    from pg_policies where schemaname = 'public' and tablename = '${table}' order by policyname`
  return readRows(client, { text, values: [] }, Policy)
}

const Policy = z.object({
  name: z.string(),
  permissive: z.string(),
  roles: z.array(z.string()),
  command: z.string(),
  using: z.string().nullable(),
  check: z.string().nullable(),
})

async function tenantTables(): Promise<string[]> {
  const rows = await select(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    { name: z.string() },
  )
  return rows.map((row) => row.name).filter((name) => !SHARED_TABLES.includes(name))
}

test('every entity has the columns of its table, and no others', async () => {
  for (const { tableName, props } of world.db.orm.getMetadata().getAll().values()) {
    // Columns that the table derives from others are its own affair.
    const rows = await select(
      `select attname as name, not attnotnull as nullable
      from pg_attribute where attrelid = '${tableName}'::regclass and attnum > 0 and not attisdropped
        and attgenerated = ''`,
      { name: z.string(), nullable: z.boolean() },
    )
    const columns = props.flatMap((prop) => prop.fieldNames.map((name) => ({ name, nullable: prop.nullable ?? false })))
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name)
    expect({ tableName, columns: columns.toSorted(byName) }).toEqual({ tableName, columns: rows.toSorted(byName) })
  }
})

describe('every table of an account', () => {
  test('has row-level security, also for its owner, and exactly the policies of its entity', async () => {
    const client = new pg.Client(world.connection)
    await client.connect()
    const wrong = []
    await client.query('begin')
    try {
      for (const table of await tenantTables()) {
        const { rowCount: isSecured } = await client.query(
          `select from pg_class where oid = '${table}'::regclass and relrowsecurity and relforcerowsecurity`,
        )
        const found = await policiesOf(client, table)
        for (const { name } of found) await client.query(`drop policy ${name} on ${table}`)
        for (const policy of expectedOf(table)) await client.query(asStatement(policy, table))
        const expected = await policiesOf(client, table)
        if (!isSecured || !isDeepStrictEqual(found, expected)) wrong.push({ table, isSecured, found, expected })
      }
    } finally {
      await client.end()
    }
    expect(wrong).toEqual([])
  })

  test('is an entity, or one of the kept sums', async () => {
    const entities = [...world.db.orm.getMetadata().getAll().values()].map(({ tableName }) => tableName)
    expect((await tenantTables()).filter((table) => !entities.includes(table)).toSorted()).toEqual(KEPT_TABLES)
  })

  test('begins its indexes with the account, but for keys that are unique in all accounts and those that only count', async () => {
    const rows = await select(
      `select t.relname as table,
      i.relname as index, a.attname as first
      from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
      where t.relnamespace = 'public'::regnamespace and not x.indisunique
        and i.relam <> (select oid from pg_am where amname = 'brin')`,
      { table: z.string(), index: z.string(), first: z.string() },
    )
    const tables = await tenantTables()
    const others = rows.filter(({ table, first }) => tables.includes(table) && first !== 'account_id')
    expect(others).toEqual([])
    expect(rows.length).toBeGreaterThan(8)
  })
})

describe('what an account has', () => {
  test('is in its export, table by table', async () => {
    const request = await anAccount(world)
    const chunks: Uint8Array[] = []
    await asSubscriber(request, async (ctx) => {
      for await (const chunk of exportAccount(ctx)) chunks.push(chunk)
    })
    const files = Object.keys(unzipSync(Buffer.concat(chunks)))
    const missing = (await tenantTables())
      .filter((table) => !NOT_EXPORTED.includes(table))
      .filter((table) => !files.includes(EXPORTED_AS[table] ?? `${table.replaceAll('_', '-')}.csv`))
    expect(missing).toEqual([])
  })

  test('goes with the row of the account, table by table', async () => {
    const rows = await select(
      `select conrelid::regclass::text as table,
      confrelid::regclass::text as parent from pg_constraint where contype = 'f' and confdeltype = 'c'`,
      { table: z.string(), parent: z.string() },
    )
    const goesWith = (table: string): boolean =>
      table === 'accounts' || rows.some((row) => row.table === table && row.parent !== table && goesWith(row.parent))
    for (const table of await tenantTables()) expect({ table, goes: goesWith(table) }).toEqual({ table, goes: true })
  })
})

test.each(['subject', 'count', 'told'])('nobody reads whom mail was counted for: %s', async (column) => {
  const text = `select ${column} from mail_counts`
  await expect(select(text, {})).rejects.toThrow('permission denied')
  await expect(world.db.writeAs(1, (em) => em.execute(text))).rejects.toThrow('permission denied')
  await expect(select('select key from mail_count_keys', {})).rejects.toThrow('permission denied')
})

test('the roles that the server works as cannot bypass row-level security', async () => {
  const rows = await select(
    `select rolname from pg_roles
    where rolname in ('traxx_app', 'traxx_system') and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb
      or exists (select from pg_auth_members where member = pg_roles.oid))`,
    { rolname: z.string() },
  )
  expect(rows).toEqual([])
})

test.each([
  [
    `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    values (1, 1, 0, '2026-01-01', 'monthly', '2026-02-01', 'active')`,
    'contracts_amount_cents_check',
  ],
  [
    `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    values (1, 1, 1, '2026-01-01', 'weekly', '2026-02-01', 'active')`,
    'contracts_renewal_cycle_check',
  ],
  [
    `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    values (1, 1, 1, '2026-01-01', 'monthly', '2026-02-01', 'ACTIVE')`,
    'contracts_status_check',
  ],
  [
    `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    values (1, 1, 1, '2026-01-01', 'monthly', '2025-02-01', 'active')`,
    'contracts_check',
  ],
  [`insert into customers (account_id, name) values (1, '  ')`, 'customers_name_check'],
  ...[`'//evil.test'`, `'https://evil.test'`, `'javascript:alert(1)'`, `'/\\evil.test'`, `e'/\\t/evil.test'`, `''`].map(
    (url) => [
      `insert into notifications (account_id, type, title, message, action_url) values (1, 'other', '', '', ${url})`,
      'notifications_action_url_check',
    ],
  ),
])('a wrong row is impossible: %s', async (statement, constraint) => {
  await expect(world.db.writeAs(1, (em) => em.execute(statement))).rejects.toThrow(constraint)
})
