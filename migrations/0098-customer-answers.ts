import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`
const TABLES = ['answer_settings', 'answer_links', 'customer_answers']

const SETTINGS_AND_LINKS = `
      create table answer_settings (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        -- Null: the account's own. In each column null leaves the choice to the account, or to the defaults.
        contract_id int,
        has_link boolean,
        renewal text check (renewal in ('at_once', 'waits')),
        deadline text check (deadline in ('notice', 'renewal', 'open')),
        late_end text check (late_end in ('refuse', 'pass_on')),
        shows_pdf boolean,
        unique nulls not distinct (account_id, contract_id),
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete cascade
      );
      create table answer_links (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        contract_id int not null,
        term_number int not null,
        contact_id int not null,
        -- Where it was sent, in lower case.
        address text not null,
        -- What the customer was asked about.
        offer jsonb not null,
        created_at timestamptz not null,
        revoked_at timestamptz,
        unique (account_id, id),
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete cascade
      );
      create unique index answer_links_used on answer_links (account_id, contract_id, term_number, contact_id, address, offer)
        where revoked_at is null;`

const ANSWERS = `
      create table customer_answers (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        contract_id int,
        customer_id int,
        customer_name text not null,
        term_number int not null,
        -- Within its term, from 1.
        number int not null,
        link_id int,
        contact_id int not null,
        address text not null,
        choice text not null check (choice in ('renew', 'change', 'end')),
        state text not null check (state in ('waiting', 'done', 'accepted', 'declined', 'withdrawn', 'overtaken')),
        is_late boolean not null default false,
        is_change boolean not null default false,
        wished_amount_cents bigint,
        wished_date date,
        reason text,
        words text,
        offer jsonb not null,
        -- The network from which it came, shortened.
        network text,
        answered_at timestamptz not null,
        decided_at timestamptz check ((decided_at is not null) = (state in ('accepted', 'declined', 'overtaken'))),
        decided_by text,
        reply text,
        -- What became of the contract.
        agreed jsonb,
        unique (account_id, contract_id, term_number, number),
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete set null (contract_id),
        foreign key (account_id, customer_id) references customers (account_id, id) on delete set null (customer_id),
        foreign key (account_id, link_id) references answer_links (account_id, id) on delete set null (link_id)
      );
      create index customer_answers_waiting on customer_answers (account_id, id) where state = 'waiting';
      create index customer_answers_customer on customer_answers (account_id, customer_id);
      create index customer_answers_link on customer_answers (account_id, link_id);`

/** Customers answer reminders through a link: how they can, the links, and what they answered. */
export class CustomerAnswers extends Migration {
  override up(): void {
    this.addSql(SETTINGS_AND_LINKS)
    this.addSql(ANSWERS)
    this.addSql(TABLES.map(secured).join('\n'))
    this.addSql(`
      alter table reminders drop constraint reminders_kind_check;
      alter table reminders add constraint reminders_kind_check
        check (kind in ('reminder', 'follow_up', 'manual', 'confirmation', 'answer', 'reply')) not valid;`)
  }
}

function secured(table: string): string {
  return `
      alter table ${table} enable row level security;
      alter table ${table} force row level security;
      create policy tenant on ${table} for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on ${table} to traxx_app;`
}
