import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`
const IN_SIGHT = `(deleted_at is null or (select current_setting('app.trash', true)) = 'on')`
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

/** What the system role may see of what is in the trash. */
const SEEN_BY_PURGE = 'account_id, deleted_at'

/**
 * What is deleted stays in its table with the time of its deletion, out of sight unless the transaction sets `app.trash`.
 * Sums and indexes leave it out.
 */
export class Trash extends Migration {
  override up(): void {
    this.columns()
    this.policies()
    this.indexes()
    this.triggers()
    this.recount()
    this.drift()
    this.customersOfContracts()
    this.activity()
    this.searching()
    this.bulkChanges()
  }

  columns(): void {
    this.addSql(`
      alter table customers add deleted_at timestamptz;
      alter table contracts add deleted_at timestamptz;
      alter table contract_totals add in_trash int not null default 0;
      alter table customer_totals add in_trash int not null default 0;`)
  }

  policies(): void {
    for (const table of ['customers', 'contracts'])
      this.addSql(`
        drop policy tenant on ${table};
        create policy tenant on ${table} for all to traxx_app
          using (account_id = ${TENANT} and ${IN_SIGHT}) with check (account_id = ${TENANT});
        create policy trash on ${table} for select to traxx_system using (deleted_at is not null);
        grant select (${SEEN_BY_PURGE}) on ${table} to traxx_system;`)
    this.addSql(`
      drop policy acting on contracts;
      create policy acting on contracts for select to traxx_system using (acts_on is not null and ${KEPT});`)
  }

  /**
   * A statement that says \`deleted_at is null\` reads these, and then neither that nor the policy costs anything: the
   * index implies both. The customer of a contract is looked up in the trash as well, by its foreign key.
   */
  indexes(): void {
    const [contracts, customers] = [partial('contracts'), partial('customers')]
    const open = `status in ('pending', 'active')`
    this.addSql(`
      ${contracts('renewal', 'renewal_date, id')}
      ${contracts('start', 'start_date, id')}
      ${contracts('amount', 'amount_cents, id')}
      ${contracts('status', 'status, renewal_date, id')}
      ${contracts('open_first', 'open_first, id')}
      ${contracts('due', 'renewal_date, id', open)}
      ${contracts('notice', 'notice_date, id', `${open} and notice_date is not null`)}
      ${customers('name', 'name, id')}
      ${customers('created', 'created_at, id')}
      ${customers('phone', `coalesce(phone, ''), id`)}
      ${customers('by_number', `coalesce(customer_number, ''), id`)}
      drop index customers_number;
      create unique index customers_number on customers (account_id, lower(customer_number)) where ${KEPT};
      drop index contracts_acting;
      create unique index contracts_acting on contracts (acts_on, id) include (account_id)
        where acts_on is not null and ${KEPT};
      drop index contracts_customer;
      create index contracts_customer on contracts (account_id, customer_id, id) include (deleted_at);
      create index contracts_trash on contracts (account_id, deleted_at, id) where deleted_at is not null;
      create index customers_trash on customers (account_id, deleted_at, id) where deleted_at is not null;`)
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

  /**
   * A contract outside the trash has a customer outside the trash. The foreign key holds the customer by the time that
   * these look, and whoever deletes customers locks them for update, so that neither misses the other.
   */
  customersOfContracts(): void {
    const refuse = (problem: string) => `raise foreign_key_violation using message = '${problem}';`
    const ofTrash = (contract: string) => `
      (select from public.customers c where c.account_id = ${contract}.account_id and c.id = ${contract}.customer_id
        and c.deleted_at is not null offset 0)`
    this.addSql(`
      create function refuse_contracts_of_trash() returns trigger language plpgsql ${AS_OWNER} as $$
      begin
        if exists (select from added k where k.${KEPT} and exists ${ofTrash('k')}) then ${refuse('the customer is in the trash')} end if;
        return null;
      end $$;
      create function refuse_contract_of_trash() returns trigger language plpgsql ${AS_OWNER} as $$
      begin
        if exists ${ofTrash('new')} then ${refuse('the customer is in the trash')} end if;
        return null;
      end $$;
      create function refuse_trash_with_contracts() returns trigger language plpgsql ${AS_OWNER} as $$
      begin
        if exists (select from public.contracts k where k.account_id = new.account_id and k.customer_id = new.id
          and k.${KEPT}) then ${refuse('the customer has contracts')} end if;
        return null;
      end $$;
      revoke all on function refuse_contracts_of_trash(), refuse_contract_of_trash(), refuse_trash_with_contracts()
        from public;
      create trigger needs_customers after insert on contracts referencing new table as added
        for each statement execute function refuse_contracts_of_trash();
      create trigger needs_customer after update of customer_id, deleted_at on contracts
        for each row when (new.${KEPT}) execute function refuse_contract_of_trash();
      create trigger needs_no_contracts after update of deleted_at on customers
        for each row when (old.${KEPT} and new.deleted_at is not null) execute function refuse_trash_with_contracts();`)
  }

  /** Deleting and restoring are changes that are recorded, and no edits of an imported row. */
  activity(): void {
    for (const table of ['customers', 'contracts'] as const)
      this.addSql(`
        drop trigger ${table}_edited on ${table};
        create trigger ${table}_edited before update on ${table} for each row when (new.import_id is not null)
          execute function note_edit(${KEPT_BY_TRAXX[table].join(', ')});`)
  }

  /** As before, without what is in the trash. */
  searching(): void {
    const select = `return query select id from public.customers c where c.account_id = account and c.${KEPT} and`
    const matches = (text: string) => String.raw`${text} like (pattern collate "C")
            and (not in_name_alone or split_part(c.search_text, E'\n', 1) like (pattern collate "C"))`
    this.addSql(String.raw`
      create or replace function find_customers(account int, search text, in_name_alone boolean) returns setof int
      language plpgsql stable rows 100 security definer set search_path = pg_catalog, pg_temp
      set plan_cache_mode = force_generic_plan as $$
      declare
        pattern text := public.search_pattern(search);
        digits text := case when not in_name_alone then public.digits_pattern(search) end;
      begin
        if account is distinct from nullif(current_setting('app.account_id', true), '')::int then
          raise exception 'customers of another account' using errcode = 'insufficient_privilege';
        end if;
        if pattern ~ '\w{3}' then
          ${select} ${matches('c.search_text')};
        else
          ${select} ${matches(`(c.search_text || '')`)};
        end if;
        if digits is not null then
          ${select} c.search_text like (digits collate "C") and not c.search_text like (pattern collate "C");
        end if;
      end $$;`)
  }

  bulkChanges(): void {
    this.addSql(`
      alter table bulk_changes drop constraint bulk_changes_action_check,
        add check (action in ('renew', 'end', 'change_price', 'delete', 'tag', 'remind'));
      alter table bulk_contracts add deleted_at timestamptz;`)
  }
}

/** Changing it alone is no edit of an imported row. */
const KEPT_BY_TRAXX = {
  customers: ['import_id', 'edited_at', 'search_text', 'email_key', 'mailbox', 'version', 'deleted_at'],
  contracts: [
    'import_id',
    'edited_at',
    'reminders_since',
    'pdf_bytes',
    'open_first',
    'term_number',
    'version',
    'acts_on',
    'notice_date',
    'deleted_at',
  ],
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

/** Replaces an index by one of the same columns for what is outside the trash. */
function partial(table: string) {
  return (name: string, columns: string, where?: string) => `
    drop index ${table}_${name};
    create index ${table}_${name} on ${table} (account_id, ${columns}) where ${where ? `${where} and ` : ''}${KEPT};`
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
