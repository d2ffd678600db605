import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** Rows of `table` belong to the account in `column`: the app role sees no others, whoever forgets to ask. */
function tenantTable(table: string, column = 'account_id') {
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy tenant on ${table} for all to traxx_app using (${column} = ${TENANT}) with check (${column} = ${TENANT});
    grant select, insert, update, delete on ${table} to traxx_app;`
}

/** Work that crosses accounts (who is this token, what does this webhook mean) has a role of its own. */
function systemTable(table: string) {
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy system on ${table} for all to traxx_system using (true) with check (true);
    grant select, insert, update, delete on ${table} to traxx_system;`
}

export class AccountsCustomersContracts extends Migration {
  override up(): void {
    this.addSql('create extension if not exists pg_trgm; create extension if not exists btree_gin;')
    this.addSql('grant usage on schema public to traxx_app, traxx_system;')
    this.accounts()
    this.customers()
    this.contracts()
    this.notifications()
    this.billing()
  }

  accounts(): void {
    this.addSql(`
      create table accounts (
        id int generated always as identity primary key,
        clerk_user_id text not null unique check (clerk_user_id <> ''),
        email text not null,
        time_zone text,
        stripe_customer_id text unique,
        trial_used_at timestamptz,
        created_at timestamptz not null default now()
      );
      ${tenantTable('accounts', 'id')} ${systemTable('accounts')}

      create table api_keys (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        name text not null,
        key_hash bytea not null unique,
        last_used_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz not null default now()
      );
      create index api_keys_account on api_keys (account_id, id);
      ${tenantTable('api_keys')} ${systemTable('api_keys')}`)
  }

  customers(): void {
    this.addSql(`
      create table customers (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        name text collate "und-x-icu" not null check (btrim(name) <> ''),
        address text,
        phone text,
        customer_number text,
        email text,
        send_notifications boolean not null default true,
        created_at timestamptz not null default now(),
        unique (account_id, id)
      );
      create unique index customers_number on customers (account_id, lower(customer_number));
      create index customers_name on customers (account_id, name, id);
      create index customers_created on customers (account_id, created_at, id);
      create index customers_search on customers using gin (account_id, name gin_trgm_ops);
      ${tenantTable('customers')}`)
  }

  contracts(): void {
    this.addSql(`
      create table contracts (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        customer_id int not null,
        amount_cents bigint not null check (amount_cents between 1 and 999999999999),
        start_date date not null,
        renewal_cycle text not null check (renewal_cycle in ('monthly', 'quarterly', 'yearly')),
        renewal_date date not null,
        status text not null check (status in ('pending', 'active', 'expired', 'cancelled')),
        pdf_path text,
        created_at timestamptz not null default now(),
        check (renewal_date >= start_date),
        unique (account_id, id),
        foreign key (account_id, customer_id) references customers (account_id, id)
      );
      create index contracts_renewal on contracts (account_id, renewal_date, id);
      create index contracts_start on contracts (account_id, start_date, id);
      create index contracts_amount on contracts (account_id, amount_cents, id);
      create index contracts_customer on contracts (account_id, customer_id, id);
      create index contracts_due on contracts (account_id, renewal_date) include (amount_cents)
        where status in ('pending', 'active');
      create index contracts_totals on contracts (account_id, status, renewal_cycle, renewal_date) include (amount_cents);
      ${tenantTable('contracts')}`)
  }

  notifications(): void {
    this.addSql(`
      create table notifications (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        type text not null check (type in ('renewal_reminder', 'overdue', 'follow_up', 'other')),
        title text not null,
        message text not null,
        action_url text check (action_url ~ '^/([^/\\\\]|$)'),
        read_at timestamptz,
        created_at timestamptz not null default now()
      );
      create index notifications_latest on notifications (account_id, created_at desc, id desc);
      create index notifications_unread on notifications (account_id, created_at desc, id desc) where read_at is null;
      ${tenantTable('notifications')}`)
  }

  billing(): void {
    this.addSql(`
      create table subscriptions (
        account_id int primary key references accounts on delete cascade,
        stripe_subscription_id text not null unique,
        status text not null,
        trial_end timestamptz,
        current_period_end timestamptz,
        cancel_at timestamptz,
        canceled_at timestamptz,
        ended_at timestamptz,
        past_due_since timestamptz,
        ever_paid_or_trialed boolean not null default false,
        synced_at timestamptz not null
      );
      ${tenantTable('subscriptions')} ${systemTable('subscriptions')}

      create table stripe_events (
        id text primary key,
        type text not null,
        received_at timestamptz not null default now(),
        processed_at timestamptz
      );
      ${systemTable('stripe_events')}`)
  }
}
