import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** Rows of `table` belong to the account in `account_id`: the app role sees no others, whoever forgets to ask. */
function tenantTable(table: string) {
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy tenant on ${table} for all to traxx_app
      using (account_id = ${TENANT}) with check (account_id = ${TENANT});
    grant select, insert, update, delete on ${table} to traxx_app;`
}

/** Rows remember the import that made them, and whether anybody has changed these of their columns since. */
function importedTable(table: string, columns: string[]) {
  const values = (row: string) => `(${columns.map((column) => `${row}.${column}`).join(', ')})`
  return `
    alter table ${table} add import_id int, add edited_at timestamptz,
      add foreign key (account_id, import_id) references imports (account_id, id) on delete set null (import_id);
    create index ${table}_import on ${table} (account_id, import_id) where import_id is not null;
    create trigger ${table}_edited before update on ${table} for each row
      when (new.import_id is not null and ${values('old')} is distinct from ${values('new')})
      execute function note_edit();`
}

export class Imports extends Migration {
  override up(): void {
    this.addSql(`
      create table imports (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        kind text not null check (kind in ('customers', 'contracts')),
        file_name text not null,
        sha256 bytea not null,
        headings jsonb not null,
        rows int not null,
        created int not null default 0,
        created_customers int not null default 0,
        failed int not null default 0,
        through_line int not null default 0,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        finished_at timestamptz,
        taken_back_at timestamptz,
        unique (account_id, id)
      );
      create index imports_same_file on imports (account_id, sha256);
      ${tenantTable('imports')}

      create table import_failures (
        account_id int not null,
        import_id int not null,
        line int not null,
        problems jsonb not null,
        cells jsonb not null,
        primary key (account_id, import_id, line),
        foreign key (account_id, import_id) references imports (account_id, id) on delete cascade
      );
      ${tenantTable('import_failures')}

      create function note_edit() returns trigger language plpgsql as $$
        begin
          new.edited_at := now();
          return new;
        end $$;
      ${importedTable('customers', ['name', 'address', 'phone', 'customer_number', 'email', 'send_notifications'])}
      ${importedTable('contracts', ['customer_id', 'amount_cents', 'start_date', 'renewal_cycle', 'renewal_date', 'status', 'pdf_path'])}

      alter table customers add source_id int;
      create index customers_source on customers (account_id, source_id) where source_id is not null;`)
  }
}
