import { Migration } from '@mikro-orm/migrations'

/** An address whose mail came back can work again: its owner says so, and the ledger keeps both. */
export class ClearedAddresses extends Migration {
  override up(): void {
    this.addSql(`
      alter table reminders add cleared_at timestamptz check (cleared_at is null or bounced_at is not null);
      drop index reminders_bounced;
      create index reminders_bounced on reminders (account_id, lower(address))
        where bounced_at is not null and cleared_at is null;`)
  }
}
