import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** Imports bring the contacts of customers along, and change contracts that have the same reference. */
export class UpdatesByImport extends Migration {
  override up(): void {
    this.contacts()
    this.references()
    this.updates()
  }

  /** A contact that comes with its customer is part of the creation, as the row says: no change, and no edit. */
  contacts(): void {
    this.addSql(`
      create or replace function record_contacts() returns trigger language plpgsql as $$
        declare
          who text := nullif(current_setting('app.actor', true), '');
        begin
          if who is null and current_user = 'traxx_app' then
            raise exception 'app.actor is not set';
          end if;
          if tg_op = 'INSERT' then
            perform record_contact(n.account_id, n.customer_id, who, null, ${wordsOf('n')}) from new_rows n
            where not exists (select from customers c
              where c.account_id = n.account_id and c.id = n.customer_id and 'import:' || c.import_id = who);
          elsif tg_op = 'UPDATE' then
            perform record_contact(n.account_id, n.customer_id, who, ${wordsOf('o')}, ${wordsOf('n')})
              from new_rows n join old_rows o on o.id = n.id;
          else
            perform record_contact(o.account_id, o.customer_id, who, ${wordsOf('o')}, null) from old_rows o;
          end if;
          return null;
        end $$;`)
  }

  /**
   * The same reference in any case. Equality is leakproof whatever the collation, unlike lower(), so that the index is used
   * under row-level security.
   */
  references(): void {
    this.addSql(`
      create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      create index contracts_reference on contracts (account_id, reference collate any_case)
        where reference is not null and deleted_at is null;`)
  }

  updates(): void {
    this.addSql(`
      alter table imports add updated int not null default 0, add unchanged int not null default 0,
        -- How many of the updates are still stored, and can be undone.
        add updated_kept int not null default 0;
      create table import_updates (
        account_id int not null,
        import_id int not null,
        contract_id int not null,
        before jsonb not null,
        -- The contract's version afterward: a later change has another one.
        version int not null,
        primary key (account_id, import_id, contract_id),
        foreign key (account_id, import_id) references imports (account_id, id) on delete cascade,
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete cascade
      );
      create index import_updates_contract on import_updates (account_id, contract_id);
      alter table import_updates enable row level security;
      alter table import_updates force row level security;
      create policy tenant on import_updates for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on import_updates to traxx_app;`)
  }
}

/** A contact in words, as the activity has it. */
function wordsOf(row: string): string {
  const words = ['name', 'role', 'email', 'phone'].map((column) => `${row}.${column}`).join(', ')
  return `concat_ws(', ', ${words}, case when not ${row}.reminders then 'no reminders' end)`
}
