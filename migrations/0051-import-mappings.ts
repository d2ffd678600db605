import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** Which column of a file is which field, as somebody has chosen it for files with the same headings. */
export class ImportMappings extends Migration {
  override up(): void {
    this.addSql(`
      create table import_mappings (
        account_id int not null references accounts on delete cascade,
        kind text not null check (kind in ('customers', 'contracts')),
        headings_key text not null,
        mapping jsonb not null,
        updated_at timestamptz not null default now(),
        primary key (account_id, kind, headings_key)
      );
      alter table import_mappings enable row level security;
      alter table import_mappings force row level security;
      create policy tenant on import_mappings for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on import_mappings to traxx_app;`)
  }
}
