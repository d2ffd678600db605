import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** How many changes of one customer or contract are kept; a few more until the oldest are forgotten. */
const MOST_CHANGES = 1000

/** What says nothing about a customer or contract that its owner would want to read: keys, counters, what TRAXX derives. */
const UNRECORDED = {
  customer: [
    'id',
    'account_id',
    'created_at',
    'created_by',
    'import_id',
    'source_id',
    'edited_at',
    'version',
    'search_text',
    'email_key',
    'mailbox',
  ],
  contract: [
    'id',
    'account_id',
    'created_at',
    'created_by',
    'import_id',
    'edited_at',
    'version',
    'reminders_since',
    'pdf_bytes',
    'open_first',
    'term_start',
    'anchor_date',
    'held_renewal_date',
    'acts_on',
  ],
}

/** Changing it alone is no edit of an imported customer. */
const KEPT_BY_TRAXX = ['import_id', 'edited_at', 'search_text', 'email_key', 'mailbox', 'version']

/** Whatever changes on a customer or contract is recorded by its table, so that no code can forget it; people add notes. */
export class ActivityAndNotes extends Migration {
  override up(): void {
    this.activity()
    this.creators()
    this.versions()
    this.notes()
  }

  activity(): void {
    this.addSql(`
      create table activity (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        about text not null check (about in ('customer', 'contract')),
        about_id int not null,
        at timestamptz not null default now(),
        actor text not null,
        -- The columns that changed. Of a deleted row: all of them, and nothing after.
        before jsonb not null,
        after jsonb
      );
      create index activity_about on activity (account_id, about, about_id, id desc);
      ${tenantTable('activity', 'select, insert, delete')}
      create function record_changes() returns trigger language plpgsql as $$
        declare
          who text := nullif(current_setting('app.actor', true), '');
          unrecorded text[] := tg_argv[1:];
        begin
          if who is null and current_user = 'traxx_app' then
            raise exception 'app.actor is not set';
          end if;
          if tg_op = 'UPDATE' then
            with added as (
              insert into activity (account_id, about, about_id, actor, before, after)
              select n.account_id, tg_argv[0], n.id, coalesce(who, 'operator'), changed.before, changed.after
              from (select account_id, id, to_jsonb(r) - unrecorded as fields from new_rows r) n
              join (select id, to_jsonb(r) - unrecorded as fields from old_rows r) o on o.id = n.id and o.fields <> n.fields
              cross join lateral (
                select jsonb_object_agg(f.key, o.fields -> f.key) as before, jsonb_object_agg(f.key, f.value) as after
                from jsonb_each(n.fields) f where o.fields -> f.key is distinct from f.value) changed
              returning id, account_id, about, about_id)
            -- Once in a hundred times, the oldest changes of a row that has very many are forgotten.
            delete from activity a using added n
            where n.id % 100 = 0 and a.account_id = n.account_id and a.about = n.about and a.about_id = n.about_id
              and a.id <= (select id from activity where account_id = n.account_id and about = n.about
                and about_id = n.about_id order by id desc offset ${MOST_CHANGES} limit 1);
          else
            -- The activity of an account that is being deleted goes with it.
            insert into activity (account_id, about, about_id, actor, before)
            select account_id, tg_argv[0], id, coalesce(who, 'operator'), to_jsonb(r) - unrecorded from old_rows r
            where exists (select from accounts a where a.id = r.account_id and a.deleting_at is null);
          end if;
          return null;
        end $$;
      ${recorded('customers', 'customer')}
      ${recorded('contracts', 'contract')}`)
  }

  /** Who created a row; nobody knows of those that exist already. */
  creators(): void {
    for (const table of ['customers', 'contracts'])
      this.addSql(`
        alter table ${table} add created_by text;
        alter table ${table} alter created_by set default nullif(current_setting('app.actor', true), '');`)
  }

  /** Customers count their changes, as contracts do. */
  versions(): void {
    this.addSql(`
      alter table customers add version int not null default 1;
      create trigger customers_version before update on customers for each row execute function count_version();
      drop trigger customers_edited on customers;
      create trigger customers_edited before update on customers for each row when (new.import_id is not null)
        execute function note_edit(${KEPT_BY_TRAXX.join(', ')});`)
  }

  notes(): void {
    this.addSql(`
      create table notes (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        customer_id int,
        contract_id int,
        text text not null check (text <> ''),
        created_at timestamptz not null,
        created_by text not null,
        edited_at timestamptz,
        check (num_nonnulls(customer_id, contract_id) = 1),
        foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade,
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete cascade
      );
      create index notes_of_customer on notes (account_id, customer_id, id desc) where customer_id is not null;
      create index notes_of_contract on notes (account_id, contract_id, id desc) where contract_id is not null;
      ${tenantTable('notes', 'select, insert, update, delete')}`)
  }
}

function recorded(table: string, about: keyof typeof UNRECORDED): string {
  const call = `for each statement execute function record_changes(${[about, ...UNRECORDED[about]].join(', ')})`
  return `
    create trigger ${table}_changed after update on ${table}
      referencing old table as old_rows new table as new_rows ${call};
    create trigger ${table}_deleted after delete on ${table} referencing old table as old_rows ${call};`
}

function tenantTable(table: string, granted: string): string {
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy tenant on ${table} for all to traxx_app
      using (account_id = ${TENANT}) with check (account_id = ${TENANT});
    grant ${granted} on ${table} to traxx_app;`
}
