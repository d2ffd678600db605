import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** The PDF that a contract had before, for as long as deleting or replacing it can be undone. */
export class KeptPdfs extends Migration {
  override up(): void {
    this.addSql(`
      create table kept_pdfs (
        account_id int not null references accounts on delete cascade,
        contract_id int not null,
        path text not null unique,
        bytes bigint,
        kept_at timestamptz not null,
        primary key (account_id, contract_id),
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete cascade
      );
      alter table kept_pdfs enable row level security;
      alter table kept_pdfs force row level security;
      create policy tenant on kept_pdfs for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      create policy system on kept_pdfs for all to traxx_system using (true) with check (true);
      grant select, insert, update, delete on kept_pdfs to traxx_app;
      grant select (account_id, path, kept_at), delete on kept_pdfs to traxx_system;`)
  }
}
