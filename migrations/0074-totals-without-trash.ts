import { Migration } from '@mikro-orm/migrations'

/** In the owner's name, whatever the caller may see; the pinned path keeps others' objects out. */
const AS_OWNER = 'security definer set search_path = pg_catalog, pg_temp'
const KEPT = 'deleted_at is null'

/** A table of sums: what its rows are sums by, what they sum, and of which rows. */
interface Kept {
  table: string
  keys: Record<string, string>
  sums: Record<string, string>
  where?: string
}

// Each changed row has a sign: 1 where it was added, -1 where it was removed.
const ROWS = 'sum(sign)'
const AMOUNTS = 'sum(sign * amount_cents)'
const CONTRACT_SUMS: Kept[] = [
  {
    table: 'contract_totals',
    keys: { account_id: 'account_id', status: 'status', renewal_cycle: 'renewal_cycle' },
    sums: { contracts: outside(ROWS), amount_cents: outside(AMOUNTS), in_trash: inside(ROWS) },
  },
  {
    table: 'contract_due_days',
    keys: { account_id: 'account_id', renewal_date: 'renewal_date' },
    sums: { contracts: ROWS, amount_cents: AMOUNTS },
    where: `status in ('pending', 'active') and ${KEPT}`,
  },
  {
    table: 'contract_start_months',
    keys: { account_id: 'account_id', start_month: 'start_date - (extract(day from start_date)::int - 1)' },
    sums: {
      contracts: ROWS,
      active_cents: `sum(case status when 'active' then sign * amount_cents else 0 end)`,
    },
    where: KEPT,
  },
]
const CUSTOMER_SUMS: Kept[] = [
  {
    table: 'customer_totals',
    keys: { account_id: 'account_id' },
    sums: { customers: outside(ROWS), in_trash: inside(ROWS) },
  },
]

/** Customers and contracts have a time of deletion. Sums leave out what is deleted, and count it beside the others. */
export class TotalsWithoutTrash extends Migration {
  override up(): void {
    this.columns()
    this.triggers()
    this.recount()
    this.drift()
  }

  columns(): void {
    this.addSql(`
      alter table customers add deleted_at timestamptz;
      alter table contracts add deleted_at timestamptz;
      alter table contract_totals add in_trash int not null default 0;
      alter table customer_totals add in_trash int not null default 0;`)
  }

  triggers(): void {
    const changed = `${ADDED} union all ${REMOVED}`
    this.addSql(`
      ${keeping('contracts', 'insert', adding(CONTRACT_SUMS, ADDED))}
      ${keeping('contracts', 'delete', subtracting(CONTRACT_SUMS) + NO_EMPTY_DAYS)}
      ${keeping('contracts', 'update', adding(CONTRACT_SUMS, changed) + NO_EMPTY_DAYS)}
      ${keeping('customers', 'insert', adding(CUSTOMER_SUMS, ADDED))}
      ${keeping('customers', 'delete', subtracting(CUSTOMER_SUMS))}
      ${keeping('customers', 'update', adding(CUSTOMER_SUMS, changed))}
      revoke all on function customers_keep_totals_of_update() from public;
      create trigger keep_totals_of_update after update on customers referencing old table as removed new table as added
        for each statement execute function customers_keep_totals_of_update();`)
  }

  recount(): void {
    const fill = (rows: string) => (kept: Kept) =>
      `
      delete from public.${kept.table};
      insert into public.${kept.table} (${names(kept.keys)}, ${names(kept.sums)}) ${grouped(kept, rows)};`
    this.addSql(`
      create or replace function recount_totals() returns void language plpgsql ${AS_OWNER} as $$
      begin
        lock table public.contracts, public.customers in share row exclusive mode;
        ${CONTRACT_SUMS.map(fill(EVERY_CONTRACT)).join('')}
        ${CUSTOMER_SUMS.map(fill(EVERY_CUSTOMER)).join('')}
      end $$;`)
  }

  drift(): void {
    const wrong = (rows: string) => (kept: Kept) =>
      `
      select '${kept.table}', account_id from (
        (${notZero(kept)} except ${grouped(kept, rows)}) union (${grouped(kept, rows)} except ${notZero(kept)})) differing`
    const checks = [...CONTRACT_SUMS.map(wrong(EVERY_CONTRACT)), ...CUSTOMER_SUMS.map(wrong(EVERY_CUSTOMER))]
    this.addSql(`
      create or replace function totals_drift() returns table (kept_table text, account_id int)
      language sql stable ${AS_OWNER} as $$ ${checks.join(' union ')} $$;`)
  }
}

const ADDED = 'select *, 1 as sign from added'
const REMOVED = 'select *, -1 as sign from removed'
const EVERY_CONTRACT = 'select *, 1 as sign from public.contracts'
const EVERY_CUSTOMER = 'select *, 1 as sign from public.customers'

// A day on which nothing is due any more would be read for ever.
const NO_EMPTY_DAYS = `
  delete from public.contract_due_days d using removed
  where d.account_id = removed.account_id and d.renewal_date = removed.renewal_date and d.contracts = 0;`

function outside(sum: string): string {
  return `coalesce(${sum} filter (where ${KEPT}), 0)`
}

function inside(sum: string): string {
  return `coalesce(${sum} filter (where deleted_at is not null), 0)`
}

function keeping(table: string, event: string, body: string): string {
  return `
    create or replace function ${table}_keep_totals_of_${event}() returns trigger language plpgsql ${AS_OWNER} as $$
    begin ${body}
      return null;
    end $$;`
}

/** In the order of the key, so that no two statements wait for each other crosswise. */
function adding(kept: Kept[], changed: string): string {
  return kept.map((one) => upsert(one, `${grouped(one, changed)} order by ${names(one.keys)}`)).join('')
}

/** The same for what is gone; where the sums are gone before it, an account is being deleted. */
function subtracting(kept: Kept[]): string {
  const left = (one: Kept) => `
    select changed.* from (${grouped(one, REMOVED)}) changed join public.${one.table} using (${names(one.keys)})
    order by ${names(one.keys)}`
  return kept.map((one) => upsert(one, left(one))).join('')
}

function upsert({ table, keys, sums }: Kept, rows: string): string {
  const added = Object.keys(sums).map((sum) => `${sum} = kept.${sum} + excluded.${sum}`)
  return `
    insert into public.${table} as kept (${names(keys)}, ${names(sums)}) ${rows}
    on conflict (${names(keys)}) do update set ${added.join(', ')};`
}

/** The sums of these rows by their keys, but for those that are 0. */
function grouped({ keys, sums, where }: Kept, rows: string): string {
  const columns = Object.entries(keys).map(([name, key]) => `${key} as ${name}`)
  const totals = Object.entries(sums).map(([name, sum]) => `(${sum})::bigint as ${name}`)
  return `
    select ${[...columns, ...totals].join(', ')} from (${rows}) counted ${where ? `where ${where}` : ''}
    group by ${Object.values(keys).join(', ')}
    having ${Object.values(sums)
      .map((sum) => `${sum} <> 0`)
      .join(' or ')}`
}

function notZero({ table, keys, sums }: Kept): string {
  const filled = Object.keys(sums).map((sum) => `${sum} <> 0`)
  return `select ${names(keys)}, ${names(sums)} from public.${table} where ${filled.join(' or ')}`
}

function names(columns: Record<string, string>): string {
  return Object.keys(columns).join(', ')
}
