import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** What TRAXX sets besides what people decide: changing it alone is no edit of an imported contract. */
const KEPT_BY_TRAXX = [
  'import_id',
  'edited_at',
  'reminders_since',
  'pdf_bytes',
  'open_first',
  'term_number',
  'version',
  'acts_on',
]

/**
 * Contracts have terms, and renew by themselves, by agreement, or never. The current term is in the contract's own row;
 * no terms are made up for the time before.
 */
export class Terms extends Migration {
  override up(): void {
    this.contracts()
    this.versions()
    this.terms()
    this.decisions()
    this.settings()
    this.reminders()
  }

  contracts(): void {
    this.addSql(`
      alter table contracts
        add title text,
        add reference text,
        add renews text not null default 'by_agreement' check (renews in ('automatic', 'by_agreement', 'never')),
        add notice_period text check (notice_period ~ '^[1-9][0-9]{0,2} (days?|months?)$'),
        add term_number int not null default 1 check (term_number >= 1),
        add term_start date check (term_start < renewal_date),
        add anchor_date date,
        add next_amount_cents bigint check (next_amount_cents > 0),
        add next_cycle text check (next_cycle in ('monthly', 'quarterly', 'yearly')),
        add ends_on date,
        add held_renewal_date date,
        add version int not null default 1,
        add check ((term_start is null) = (term_number = 1)),
        -- When something happens to the contract by itself; see byItself in the domain.
        add acts_on date generated always as (case
          when status not in ('pending', 'active') then null
          when ends_on is not null then ends_on
          when status = 'active' and renews <> 'by_agreement' and held_renewal_date is distinct from renewal_date
            then renewal_date end) stored;
      create unique index contracts_acting on contracts (acts_on, id) include (account_id) where acts_on is not null;
      create policy acting on contracts for select to traxx_system using (acts_on is not null);
      grant select (account_id, acts_on) on contracts to traxx_system;
      drop trigger contracts_edited on contracts;
      create trigger contracts_edited before update on contracts for each row when (new.import_id is not null)
        execute function note_edit(${KEPT_BY_TRAXX.join(', ')});`)
  }

  /** Counts the changes of a row, so that nobody overwrites one that they have not seen. */
  versions(): void {
    this.addSql(`
      create function count_version() returns trigger language plpgsql as $$
        begin
          new.version := old.version + 1;
          return new;
        end $$;
      create trigger contracts_version before update on contracts for each row execute function count_version();`)
  }

  terms(): void {
    this.addSql(`
      create table contract_terms (
        account_id int not null references accounts on delete cascade,
        contract_id int not null,
        number int not null check (number >= 1),
        start_date date not null,
        renewal_date date not null check (renewal_date >= start_date),
        amount_cents bigint not null check (amount_cents > 0),
        renewal_cycle text not null check (renewal_cycle in ('monthly', 'quarterly', 'yearly')),
        decided_at timestamptz not null,
        decided_by text not null,
        primary key (account_id, contract_id, number),
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete cascade
      );
      ${tenantTable('contract_terms')}`)
  }

  decisions(): void {
    this.addSql(`
      create table contract_decisions (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        contract_id int not null,
        act text not null check (act in ('renew', 'end', 'expire', 'reopen')),
        decided_at timestamptz not null,
        decided_by text not null,
        reason text,
        note text,
        before jsonb not null,
        after jsonb not null,
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete cascade
      );
      create index contract_decisions_latest on contract_decisions (account_id, contract_id, id desc);
      ${tenantTable('contract_decisions')}`)
  }

  settings(): void {
    this.addSql(`
      create table renewal_settings (
        account_id int primary key references accounts on delete cascade,
        end_overdue_after_days int check (end_overdue_after_days between 1 and 365),
        end_reasons text[],
        ended_through date
      );
      ${tenantTable('renewal_settings')}
      create policy acting on renewal_settings for select to traxx_system using (end_overdue_after_days is not null);
      grant select (account_id, end_overdue_after_days, ended_through) on renewal_settings to traxx_system;`)
  }

  /** A message is about one term, whose renewal date may be that of an earlier one. */
  reminders(): void {
    this.addSql(`
      alter table reminders add term_number int not null default 1;
      do $$ begin
        execute (select 'alter table reminders drop constraint ' || quote_ident(conname) from pg_constraint
          where conrelid = 'reminders'::regclass and contype = 'u');
      end $$;
      create unique index reminders_key on reminders
        (account_id, contract_id, renewal_date, kind, offset_days, recipient, channel, term_number);`)
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
