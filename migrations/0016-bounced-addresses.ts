import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/**
 * That an address does not take mail is no property of a message: that is sent again to another address, and whoever
 * else is at the old one must still not be written to.
 */
export class BouncedAddresses extends Migration {
  override up(): void {
    this.table()
    this.moveFromLedger()
    this.secure()
  }

  table(): void {
    this.addSql(`
      create table bounced_addresses (
        account_id int not null references accounts on delete cascade,
        id int generated always as identity,
        address text not null check (address = lower(address)),
        bounced_at timestamptz not null,
        answer text,
        cleared_at timestamptz,
        primary key (account_id, id)
      );
      create unique index bounced_addresses_now on bounced_addresses (account_id, address) where cleared_at is null;`)
  }

  /** Messages that were refused did not come back. Row-level security binds the owner too, who may only read them. */
  moveFromLedger(): void {
    this.addSql(`
      insert into bounced_addresses (account_id, address, bounced_at, answer, cleared_at)
        select distinct on (account_id, lower(address), cleared_at)
          account_id, lower(address), bounced_at, answer, cleared_at
        from reminders where bounced_at is not null and address is not null
        order by account_id, lower(address), cleared_at, bounced_at, id;

      drop index reminders_bounced;
      alter table reminders drop cleared_at, no force row level security;
      update reminders set bounced_at = null where bounced_at is not null and state <> 'bounced';
      alter table reminders force row level security;`)
  }

  secure(): void {
    this.addSql(`
      alter table bounced_addresses enable row level security;
      alter table bounced_addresses force row level security;
      create policy tenant on bounced_addresses for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on bounced_addresses to traxx_app;`)
  }
}
