import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** Versions of contacts, as customers and contracts have them, and what an account's lists show unless chosen otherwise. */
export class ContactVersionsAndListSettings extends Migration {
  override up(): void {
    this.addSql(`
      alter table customer_contacts add version int not null default 1;
      create trigger customer_contacts_version before update on customer_contacts
        for each row execute function count_version();`)
    this.addSql(`
      create table list_settings (
        account_id int primary key references accounts on delete cascade,
        -- Names separated by commas; null: the usual ones.
        contract_columns text
      );
      alter table list_settings enable row level security;
      alter table list_settings force row level security;
      create policy tenant on list_settings for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on list_settings to traxx_app;`)
  }
}
