import type pg from 'pg'

/** Held by every writer: the stand-in does one thing after the other. */
export const WRITERS_LOCK = 7_784_601

const TABLES = `
create schema if not exists standin;

create table if not exists standin.stripe_settings (
  name text primary key,
  value text not null
);

create table if not exists standin.stripe_objects (
  id text primary key,
  object text not null,
  seq bigint generated always as identity,
  customer text,
  due_at bigint,
  data jsonb not null,
  hidden jsonb not null
);
create index if not exists stripe_objects_list on standin.stripe_objects (object, seq);
create index if not exists stripe_objects_customer on standin.stripe_objects (customer, object, seq) where customer is not null;
create index if not exists stripe_objects_due on standin.stripe_objects (due_at) where due_at is not null;

create table if not exists standin.stripe_deliveries (
  id bigint generated always as identity primary key,
  event text not null references standin.stripe_objects (id),
  state text not null default 'pending' check (state in ('pending', 'sending', 'delivered', 'given up')),
  tries integer not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  answer text
);
create index if not exists stripe_deliveries_pending on standin.stripe_deliveries (next_try_at)
  where state in ('pending', 'sending');
create index if not exists stripe_deliveries_event on standin.stripe_deliveries (event);

create table if not exists standin.stripe_idempotency (
  key text primary key,
  path text not null,
  input jsonb not null,
  status integer not null,
  body jsonb not null,
  request_id text not null,
  created_at timestamptz not null default clock_timestamp()
);
`

export async function createTables(client: pg.PoolClient): Promise<void> {
  await client.query(TABLES)
}
