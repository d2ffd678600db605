import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** Rules that say when and how customers must be given notice, and to which contracts each applies. */
export class NoticeRules extends Migration {
  override up(): void {
    this.addSql(`
      create table notice_rules (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        name text not null check (name <> ''),
        -- The law from which it was taken over; null: the account's own.
        preset text check (preset in ('new_york_services', 'new_york_leases', 'wisconsin_business')),
        unit text not null check (unit in ('days', 'months')),
        from_count int not null check (from_count between 0 and 365),
        until_count int not null check (until_count between 0 and from_count),
        counted_from text not null check (counted_from in ('renewal_date', 'last_day_for_notice')),
        means text[] not null check (cardinality(means) > 0 and means <@ array['email', 'letter']),
        contents text[] not null check (contents <@ array['renews', 'deadline', 'price', 'how_to_decline']),
        except_monthly boolean not null,
        created_at timestamptz not null,
        unique (account_id, id)
      );
      ${tenantTable('notice_rules')}

      create table notice_choices (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        -- At most one of these; none of them: all contracts of the account.
        contract_id int,
        customer_id int,
        tag_key text,
        -- Null: no rule, whatever is chosen less specifically.
        rule_id int,
        check (num_nonnulls(contract_id, customer_id, tag_key) <= 1),
        unique nulls not distinct (account_id, contract_id, customer_id, tag_key),
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete cascade,
        foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade,
        foreign key (account_id, tag_key) references tags (account_id, key) on update cascade on delete cascade,
        foreign key (account_id, rule_id) references notice_rules (account_id, id) on delete cascade
      );
      create index notice_choices_customers on notice_choices (account_id, customer_id) where customer_id is not null;
      create index notice_choices_tags on notice_choices (account_id, tag_key) where tag_key is not null;
      create index notice_choices_rules on notice_choices (account_id, rule_id);
      ${tenantTable('notice_choices')}`)
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
