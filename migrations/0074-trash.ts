import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`
const IN_SIGHT = `(deleted_at is null or (select current_setting('app.trash', true)) = 'on')`
/** In the owner's name, whatever the caller may see; the pinned path keeps others' objects out. */
const AS_OWNER = 'security definer set search_path = pg_catalog, pg_temp'
const KEPT = 'deleted_at is null'

/** What the system role may see of what is in the trash. */
const SEEN_BY_PURGE = 'account_id, deleted_at'

/**
 * What is deleted stays in its table with the time of its deletion, out of sight unless the transaction sets `app.trash`.
 * Indexes leave it out.
 */
export class Trash extends Migration {
  override up(): void {
    this.policies()
    this.indexes()
    this.customersOfContracts()
    this.activity()
    this.searching()
    this.bulkChanges()
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
   * A statement that says `deleted_at is null` reads these, and then neither that nor the policy costs anything: the
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

/** Replaces an index by one of the same columns for what is outside the trash. */
function partial(table: string) {
  return (name: string, columns: string, where?: string) => `
    drop index ${table}_${name};
    create index ${table}_${name} on ${table} (account_id, ${columns}) where ${where ? `${where} and ` : ''}${KEPT};`
}
