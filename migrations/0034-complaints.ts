import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** What readers complained about, and the accounts whose mail to customers is paused because of it. */
export class Complaints extends Migration {
  override up(): void {
    this.complaints()
    this.stops()
  }

  /** One a message. Of the reader there is nothing but what the ledger has. */
  complaints(): void {
    this.addSql(`
      create table complaints (
        account_id int not null references accounts on delete cascade,
        id int generated always as identity,
        reminder_id int not null,
        source text not null check (source in ('report', 'provider')),
        reason text check (reason in ('unknown_sender', 'unwanted', 'fraud')),
        complained_at timestamptz not null,
        primary key (account_id, id),
        unique (account_id, reminder_id)
      );
      ${tenantTable('complaints')}`)
  }

  /** The operator lifts a stop; the next one is another row. */
  stops(): void {
    this.addSql(`
      create table mail_stops (
        account_id int not null references accounts on delete cascade,
        id int generated always as identity,
        stopped_at timestamptz not null,
        complaints int not null,
        mails int not null,
        told_at timestamptz,
        lifted_at timestamptz,
        primary key (account_id, id)
      );
      create unique index mail_stops_now on mail_stops (account_id) where lifted_at is null;
      ${tenantTable('mail_stops')}
      create policy system on mail_stops for all to traxx_system using (true) with check (true);
      grant select, update on mail_stops to traxx_system;`)
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
