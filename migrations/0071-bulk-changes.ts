import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** The same change for many contracts, which a job carries out and can take back. */
export class BulkChanges extends Migration {
  override up(): void {
    this.addSql(`
      create table bulk_changes (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        action text not null check (action in ('renew', 'end', 'change_price')),
        request jsonb not null,
        state text not null default 'running' check (state in ('running', 'done', 'undoing', 'undone')),
        total int not null check (total > 0),
        -- The last contract that has been looked at.
        through int not null default 0,
        created_at timestamptz not null,
        created_by text not null,
        ended_at timestamptz,
        unique (account_id, id)
      );
      create unique index bulk_changes_running on bulk_changes (account_id) where state in ('running', 'undoing');
      ${tenantTable('bulk_changes')}
      create policy running on bulk_changes for select to traxx_system using (state in ('running', 'undoing'));
      grant select (id, account_id, state, created_by) on bulk_changes to traxx_system;

      create table bulk_contracts (
        account_id int not null references accounts on delete cascade,
        bulk_id int not null,
        contract_id int not null,
        state text not null default 'waiting' check (state in ('waiting', 'changed', 'left_out', 'undone', 'kept')),
        -- Why it was left out, or not taken back.
        reason text,
        decision_id int,
        before_cents bigint,
        after_cents bigint,
        primary key (account_id, bulk_id, contract_id),
        foreign key (account_id, bulk_id) references bulk_changes (account_id, id) on delete cascade
      );
      ${tenantTable('bulk_contracts')}`)
  }
}

function tenantTable(table: string): string {
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy tenant on ${table} for all to traxx_app
      using (account_id = ${TENANT}) with check (account_id = ${TENANT});
    grant select, insert, update, delete on ${table} to traxx_app;`
}
