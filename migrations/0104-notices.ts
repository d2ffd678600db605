import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** Notice windows that have opened, and the letters by which they were kept. They stay when their contracts are deleted. */
export class Notices extends Migration {
  override up(): void {
    this.addSql(`
      create table notices (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        contract_id int,
        customer_id int,
        customer_name text not null,
        term_number int not null,
        renewal_date date not null,
        -- What the next term costs.
        amount_cents bigint not null,
        -- The rule as it was while the window was open.
        rule_name text not null,
        preset text,
        means text[] not null check (cardinality(means) > 0),
        first_day date not null,
        last_day date not null check (last_day >= first_day),
        derivation text not null,
        -- The letter: when it was posted or handed over, and the number of certified mail.
        posted_on date,
        mail_number text,
        posted_at timestamptz,
        check ((posted_on is null) = (posted_at is null) and (posted_on is not null or mail_number is null)),
        unique (account_id, contract_id, term_number, renewal_date),
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete set null (contract_id),
        foreign key (account_id, customer_id) references customers (account_id, id) on delete set null (customer_id)
      );
      create index notices_by_last_day on notices (account_id, last_day, id);
      create index notices_of_customers on notices (account_id, customer_id);
      alter table notices enable row level security;
      alter table notices force row level security;
      create policy tenant on notices for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on notices to traxx_app;`)
  }
}
