import type pg from 'pg'
import { addDays, type Day } from '#shared/domain/day.ts'
import type { Records } from './plain-values.ts'

const DAYS_LEFT = 40

/** Adds a row of each kind to an account in the database, and resets its reminder settings. */
export async function addRecords(client: pg.ClientBase, accountId: number, today: Day): Promise<Records> {
  await client.query('delete from reminder_preferences where account_id = $1', [accountId])
  // An account may have a few keys alone.
  await client.query(`delete from api_keys where account_id = $1 and name = 'Fuzzed'`, [accountId])
  const renewalDate = addDays(today, DAYS_LEFT)
  const { rows } = await client.query<Omit<Records, 'renewalDate'>>(ADD, [accountId, renewalDate])
  const [records] = rows
  if (!records) throw new Error(`There is no account ${accountId}`)
  await client.query('update contracts set reminders_since = start_date where id = $1', [records.contractId])
  return { ...records, renewalDate }
}

const ADD = `
  with customer as (
    insert into customers (account_id, name, email) values ($1, 'Acme', 'a@example.com') returning id),
  free as (insert into customers (account_id, name) values ($1, 'Acme') returning id),
  contract as (
    insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    select $1, id, 1250, '2026-01-01', 'yearly', $2::date, 'active' from customer returning id),
  notification as (
    insert into notifications (account_id, type, title, message) values ($1, 'other', 'T', 'M') returning id),
  import as (
    insert into imports (account_id, kind, file_name, sha256, headings, rows, finished_at)
    values ($1, 'contracts', 'a.csv', '', '[]', 1, now()) returning id),
  key as (
    insert into api_keys (account_id, name, scope, key_hash)
    values ($1, 'Fuzzed', 'all', sha256(convert_to(random()::text, 'UTF8'))) returning id)
  select customer.id as "customerId", free.id as "freeCustomerId", contract.id as "contractId",
    notification.id as "notificationId", import.id as "importId", key.id as "apiKeyId",
    accounts.clerk_user_id as "userId"
  from customer, free, contract, notification, import, key, accounts where accounts.id = $1`
