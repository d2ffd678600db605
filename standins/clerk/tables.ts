import type { Db } from './database.ts'

/** Creates missing tables. Servers that start together wait for each other. */
export async function createTables(db: Db): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('standin.clerk'))`)
  await db.query(TABLES)
  await db.query(LATER_COLUMNS)
  await db.query(`delete from standin.clerk_sign_ups where abandon_at < now()`)
  await db.query(`delete from standin.clerk_sign_ins where abandon_at < now()`)
}

const TABLES = `
create schema if not exists standin;

create table if not exists standin.clerk_instance (
  only_row boolean primary key default true check (only_row),
  id text not null,
  secret_key text not null,
  private_key text not null
);

create table if not exists standin.clerk_users (
  id text primary key,
  email_address_id text not null,
  email_address text not null unique check (email_address = lower(email_address)),
  password_hash text,
  first_name text,
  last_name text,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table if not exists standin.clerk_clients (
  id text primary key,
  cookie_hash text not null unique,
  last_active_session_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table if not exists standin.clerk_sessions (
  id text primary key,
  client_id text not null references standin.clerk_clients on delete cascade,
  user_id text not null references standin.clerk_users on delete cascade,
  status text not null default 'active' check (status in ('active', 'ended', 'removed', 'revoked')),
  user_agent text not null,
  ip_address text not null,
  last_active_at timestamptz not null default now(),
  expire_at timestamptz not null default now() + interval '7 days',
  abandon_at timestamptz not null default now() + interval '30 days',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index if not exists clerk_sessions_client on standin.clerk_sessions (client_id);
create index if not exists clerk_sessions_user on standin.clerk_sessions (user_id);

create table if not exists standin.clerk_sign_ups (
  id text primary key,
  client_id text not null references standin.clerk_clients on delete cascade,
  email_address text,
  password_hash text,
  first_name text,
  last_name text,
  verification jsonb,
  created_user_id text,
  created_session_id text,
  abandon_at timestamptz not null default now() + interval '1 day',
  created_at timestamptz not null default now()
);
create index if not exists clerk_sign_ups_client on standin.clerk_sign_ups (client_id);

create table if not exists standin.clerk_sign_ins (
  id text primary key,
  client_id text not null references standin.clerk_clients on delete cascade,
  user_id text not null references standin.clerk_users on delete cascade,
  status text not null default 'needs_first_factor'
    check (status in ('needs_first_factor', 'needs_new_password', 'complete')),
  wrong_passwords integer not null default 0,
  verification jsonb,
  created_session_id text,
  abandon_at timestamptz not null default now() + interval '1 day',
  created_at timestamptz not null default now()
);
create index if not exists clerk_sign_ins_client on standin.clerk_sign_ins (client_id);
create index if not exists clerk_sign_ins_user on standin.clerk_sign_ins (user_id);
`

/** What databases made before do not have yet. */
const LATER_COLUMNS = `
alter table standin.clerk_users
  add column if not exists totp_secret text,
  add column if not exists totp_verified boolean not null default false,
  add column if not exists totp_used_step integer not null default 0,
  add column if not exists backup_code_hashes text[] not null default '{}',
  add column if not exists wrong_codes integer not null default 0,
  add column if not exists locked_until timestamptz,
  add column if not exists email_verified boolean not null default true,
  add column if not exists email_verification jsonb;
alter table standin.clerk_sessions
  add column if not exists first_factor_at timestamptz not null default now(),
  add column if not exists second_factor_at timestamptz,
  add column if not exists verification jsonb;
alter table standin.clerk_sign_ins
  add column if not exists wrong_codes integer not null default 0,
  drop constraint if exists clerk_sign_ins_status_check,
  add constraint clerk_sign_ins_status_check
    check (status in ('needs_first_factor', 'needs_second_factor', 'needs_new_password', 'complete'));
`
