import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** Words by which customers and contracts are grouped, and filters of the contracts page under a name. */
export class TagsAndViews extends Migration {
  override up(): void {
    this.addSql(`
      create table tags (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        name text not null check (name <> ''),
        -- The name without case and accents.
        key text not null,
        unique (account_id, key)
      );
      ${tenantTable('tags')}
      alter table customers add tags text[] not null default '{}' check (cardinality(tags) <= 20);
      alter table contracts add tags text[] not null default '{}' check (cardinality(tags) <= 20);
      create index customers_tagged on customers (account_id) where tags <> '{}';
      create index contracts_tagged on contracts (account_id) where tags <> '{}';

      create table saved_views (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        name text not null check (name <> ''),
        -- The name without case and accents.
        key text not null,
        -- The parameters of the address.
        search jsonb not null,
        position int not null,
        unique (account_id, key)
      );
      ${tenantTable('saved_views')}

      alter table bulk_contracts add before_tags text[], add after_tags text[];
      alter table bulk_changes drop constraint bulk_changes_action_check;
      alter table bulk_changes add constraint bulk_changes_action_check
        check (action in ('renew', 'end', 'change_price', 'delete', 'tag', 'remind'));`)
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
