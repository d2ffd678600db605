import { Migration } from '@mikro-orm/migrations'

const ACCOUNT = `nullif(current_setting('app.account_id', true), '')::int`
/** In the owner's name, whatever the caller may see; the pinned path keeps others' objects out. */
const AS_OWNER = 'security definer set search_path = pg_catalog, pg_temp'

/** A table of sums: what its rows are sums by, what they sum, and of which rows. */
interface Kept {
  table: string
  keys: Record<string, string>
  sums: Record<string, string>
  where?: string
}

// Each changed row has a sign: 1 where it was added, -1 where it was removed.
const CONTRACTS = 'sum(sign)'
const CONTRACT_SUMS: Kept[] = [
  {
    table: 'contract_totals',
    keys: { account_id: 'account_id', status: 'status', renewal_cycle: 'renewal_cycle' },
    sums: { contracts: CONTRACTS, amount_cents: 'sum(sign * amount_cents)' },
  },
  {
    table: 'contract_due_days',
    keys: { account_id: 'account_id', renewal_date: 'renewal_date' },
    sums: { contracts: CONTRACTS },
    where: `status in ('pending', 'active')`,
  },
  {
    table: 'contract_start_months',
    keys: { account_id: 'account_id', start_month: 'start_date - (extract(day from start_date)::int - 1)' },
    sums: {
      contracts: CONTRACTS,
      active_cents: `sum(case status when 'active' then sign * amount_cents else 0 end)`,
    },
  },
]
const CUSTOMER_SUMS: Kept[] = [
  { table: 'customer_totals', keys: { account_id: 'account_id' }, sums: { customers: 'sum(sign)' } },
]

export class Totals extends Migration {
  override up(): void {
    this.indexes()
    this.sums()
    this.triggers('contracts', CONTRACT_SUMS)
    this.triggers('customers', CUSTOMER_SUMS)
    this.recount()
    this.drift()
  }

  indexes(): void {
    this.addSql(`
      drop index contracts_totals;
      create index contracts_status on contracts (account_id, status, renewal_date, id);
      drop index contracts_due;
      create index contracts_due on contracts (account_id, renewal_date, id) where status in ('pending', 'active');`)
  }

  sums(): void {
    this.addSql(`
      create table contract_totals (
        account_id int not null references accounts on delete cascade,
        status text not null,
        renewal_cycle text not null,
        contracts int not null,
        amount_cents bigint not null,
        primary key (account_id, status, renewal_cycle)
      ) with (fillfactor = 50);
      create table contract_due_days (
        account_id int not null references accounts on delete cascade,
        renewal_date date not null,
        contracts int not null,
        primary key (account_id, renewal_date)
      ) with (fillfactor = 80);
      create table contract_start_months (
        account_id int not null references accounts on delete cascade,
        start_month date not null,
        contracts int not null,
        active_cents bigint not null,
        primary key (account_id, start_month)
      ) with (fillfactor = 80);
      create table customer_totals (
        account_id int primary key references accounts on delete cascade,
        customers int not null
      ) with (fillfactor = 50);
      ${[...CONTRACT_SUMS, ...CUSTOMER_SUMS].map(({ table }) => keptTable(table)).join('')}
      ${['contracts', 'customers'].map(readByOwner).join('')}`)
  }

  /** Once a statement, not once a row. The account of a row never changes, so customers need no trigger for updates. */
  triggers(table: string, kept: Kept[]): void {
    this.addSql(`
      ${trigger(table, 'insert', { referencing: 'new table as added', body: adding(kept, ADDED) })}
      ${trigger(table, 'delete', { referencing: 'old table as removed', body: subtracting(kept) })}`)
    if (table !== 'contracts') return
    const body = adding(kept, `${ADDED} union all ${REMOVED}`) + NO_EMPTY_DAYS
    this.addSql(trigger(table, 'update', { referencing: 'old table as removed new table as added', body }))
  }

  /** For the first filling, and after rows were loaded past the triggers. Writers wait until it is committed. */
  recount(): void {
    const fill = (rows: string) => (kept: Kept) =>
      `
      delete from public.${kept.table};
      insert into public.${kept.table} ${grouped(kept, rows)};`
    this.addSql(`
      create function recount_totals() returns void language plpgsql ${AS_OWNER} as $$
      begin
        lock table public.contracts, public.customers in share row exclusive mode;
        ${CONTRACT_SUMS.map(fill(EVERY_CONTRACT)).join('')}
        ${CUSTOMER_SUMS.map(fill(EVERY_CUSTOMER)).join('')}
      end $$;
      revoke all on function recount_totals() from public;
      select recount_totals();`)
  }

  /** The accounts whose kept sums are not what their rows add up to: none, unless somebody wrote past the triggers. */
  drift(): void {
    const wrong = (rows: string) => (kept: Kept) =>
      `
      select '${kept.table}', account_id from (
        (${notZero(kept)} except ${grouped(kept, rows)}) union (${grouped(kept, rows)} except ${notZero(kept)})) differing`
    const checks = [...CONTRACT_SUMS.map(wrong(EVERY_CONTRACT)), ...CUSTOMER_SUMS.map(wrong(EVERY_CUSTOMER))]
    this.addSql(`
      create function totals_drift() returns table (kept_table text, account_id int) language sql stable ${AS_OWNER}
      as $$ ${checks.join(' union ')} $$;
      revoke all on function totals_drift() from public;
      grant execute on function totals_drift() to traxx_system;`)
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

/** The app role reads the sums of its account, and nobody but the owner's triggers writes them. */
function keptTable(table: string): string {
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy tenant on ${table} for select to traxx_app using (account_id = (select ${ACCOUNT}));
    create policy keeper on ${table} for all to current_user using (true) with check (true);
    grant select on ${table} to traxx_app;`
}

// An owner who is no superuser is bound by the tables' forced row-level security, and could count and find nothing.
function readByOwner(table: string): string {
  return `create policy keeper on ${table} for select to current_user using (true);`
}

function trigger(table: string, event: string, { referencing, body }: { referencing: string; body: string }): string {
  const name = `keep_totals_of_${event}`
  return `
    create function ${table}_${name}() returns trigger language plpgsql ${AS_OWNER} as $$
    begin ${body}
      return null;
    end $$;
    revoke all on function ${table}_${name}() from public;
    create trigger ${name} after ${event} on ${table} referencing ${referencing}
      for each statement execute function ${table}_${name}();`
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
  const emptied = kept.some(({ table }) => table === 'contract_due_days') ? NO_EMPTY_DAYS : ''
  return kept.map((one) => upsert(one, left(one))).join('') + emptied
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
