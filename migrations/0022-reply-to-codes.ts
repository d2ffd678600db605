import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** The latest code that was mailed to an account's reply-to address; only a hash of it is kept. */
export class ReplyToCodes extends Migration {
  override up(): void {
    this.addSql(`
      create table reply_to_codes (
        account_id int primary key references accounts on delete cascade,
        address text not null,
        code_hash text not null,
        attempts int not null default 0,
        expires_at timestamptz not null
      );
      alter table reply_to_codes enable row level security;
      alter table reply_to_codes force row level security;
      create policy tenant on reply_to_codes for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on reply_to_codes to traxx_app;`)
  }
}
