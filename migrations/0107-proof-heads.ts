import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** When the head of each account's chain is mailed to its owner. */
export class ProofHeads extends Migration {
  override up(): void {
    this.addSql(`
      create table proof_heads (
        account_id int primary key references accounts on delete cascade,
        weekly boolean not null default true,
        mailed_number int not null default 0,
        next_mail_at timestamptz not null
      );
      alter table proof_heads enable row level security;
      alter table proof_heads force row level security;
      create policy tenant on proof_heads for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      create policy system on proof_heads for all to traxx_system using (true) with check (true);
      grant select, insert, update, delete on proof_heads to traxx_app;
      grant select on proof_heads to traxx_system;`)
  }
}
