import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** The calls that were sent with an Idempotency-Key, and what they answered. */
export class IdempotencyKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotency_keys (
        account_id int not null references accounts on delete cascade,
        key text not null,
        request bytea,
        answer text,
        created_at timestamptz not null,
        primary key (account_id, key)
      );
      create index idempotency_keys_age on idempotency_keys (account_id, created_at);
      alter table idempotency_keys enable row level security;
      alter table idempotency_keys force row level security;
      create policy tenant on idempotency_keys for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on idempotency_keys to traxx_app;`)
  }
}
