import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** The name, the logo and the addresses under which an account writes to its customers. */
export class Companies extends Migration {
  override up(): void {
    this.table()
    this.moveFromPreferences()
    this.secure()
  }

  table(): void {
    this.addSql(`
      create table companies (
        account_id int primary key references accounts on delete cascade,
        name text,
        reply_to text,
        reply_to_confirmed_at timestamptz,
        postal_address text,
        logo_path text,
        waiting_since timestamptz,
        owner_told_at timestamptz,
        check (reply_to is not null or reply_to_confirmed_at is null)
      );
      create unique index companies_logo on companies (logo_path) where logo_path is not null;`)
  }

  /** A reply-to address that nobody has confirmed is kept, and not used. Row-level security binds the owner too. */
  moveFromPreferences(): void {
    this.addSql(`
      alter table reminder_preferences no force row level security;
      insert into companies (account_id, name, reply_to)
        select account_id, nullif(btrim(sender_name), ''), nullif(btrim(reply_to), '')
        from reminder_preferences where btrim(sender_name) <> '' or btrim(reply_to) <> '';
      alter table reminder_preferences drop sender_name, drop reply_to;
      alter table reminder_preferences force row level security;`)
  }

  /** Across accounts, the sweep of files sees which logos there are, and a job whose owner has to be told. */
  secure(): void {
    this.addSql(`
      alter table companies enable row level security;
      alter table companies force row level security;
      create policy tenant on companies for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      create policy files on companies for select to traxx_system using (logo_path is not null);
      create policy untold on companies for select to traxx_system
        using (waiting_since is not null and owner_told_at is null);
      grant select, insert, update, delete on companies to traxx_app;
      grant select (account_id, logo_path, waiting_since, owner_told_at) on companies to traxx_system;`)
  }
}
