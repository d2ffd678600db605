import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { addDays, dayIn } from '#shared/domain/day.ts'
import { readAnswerPage } from '#server/customer-answers/answer-page.service.ts'
import { shownText } from '#server/customer-answers/answer-shown.ts'
import { answerToken, pageToken, type LinkRef } from '#server/customer-answers/answer-token.ts'
import { checking } from '#server/db/rows.ts'
import { messageKey, readerToken } from '#server/deliverability/reader-keys.ts'
import type { Records } from './plain-values.ts'

const DAYS_LEFT = 30

/**
 * Adds a row of each kind to an account in the database, resets its reminder settings, and takes away what would refuse
 * the next call. The rows are of its own day: a call may have moved it to another time zone.
 */
export async function addRecords(client: pg.ClientBase, accountId: number, now: Date): Promise<Records> {
  const today = dayIn(now, await timeZoneOf(client, accountId))
  await client.query('delete from reminder_preferences where account_id = $1', [accountId])
  // An account may have a few keys alone; the first is what it is called with.
  await client.query(OTHER_KEYS, [accountId])
  await client.query(OTHER_RULES, [accountId])
  // Readers have reported it, as that is called too.
  for (const table of ['complaints', 'mail_stops'])
    await client.query(`delete from ${table} where account_id = $1`, [accountId])
  await client.query(REPLY_TO, [accountId])
  await client.query('delete from contracts where import_id in (select id from imports where is_sample)')
  await client.query('update imports set undone_at = now() where is_sample and undone_at is null')
  // A call may have changed the reasons, of which plain inputs name one.
  await client.query('delete from renewal_settings where account_id = $1', [accountId])
  await client.query(`delete from bulk_changes where account_id = $1 and state <> 'done'`, [accountId])
  await client.query(MAPPINGS, [accountId])
  // A call may have made as many as there can be.
  await client.query('delete from saved_views where account_id = $1', [accountId])
  await client.query('delete from tags where account_id = $1', [accountId])
  await client.query(TAG, [accountId])
  const renewalDate = addDays(today, DAYS_LEFT)
  const { rows } = await client.query<Added>({ ...ADD, values: [accountId, renewalDate] })
  const [added] = rows
  if (!added) throw new Error(`There is no account ${accountId}`)
  const { reminderId, linkId, address, linkKey, ...records } = added
  await client.query('update contracts set reminders_since = start_date where id = $1', [records.contractId])
  const message = { accountId, reminderId, address }
  const messageId = `${messageKey(linkKey, message)}@traxx.example`
  await client.query('update reminders set message_id = $1 where id = $2', [`<${messageId}>`, reminderId])
  const selection = { ids: [records.contractId] }
  const link = { accountId, linkId }
  const page = pageToken(linkKey, link, { answers: 0, shown: await shownBy(client, link, now), now })
  const seals = { token: readerToken(linkKey, message), answerToken: answerToken(linkKey, link), page }
  return { ...records, accountId, selection, renewalDate, today, messageId, ...seals }
}

/** What the page of a link shows. */
async function shownBy(client: pg.ClientBase, link: LinkRef, now: Date): Promise<string> {
  const read = checking(async (statement: Sql) => (await client.query(statement)).rows)
  return shownText(await readAnswerPage({ services: { now: () => now, billingNow: () => now } }, link, read))
}

async function timeZoneOf(client: pg.ClientBase, accountId: number): Promise<string> {
  const { rows } = await client.query<{ timeZone: string | null }>(
    'select time_zone as "timeZone" from accounts where id = $1',
    [accountId],
  )
  return rows[0]?.timeZone ?? 'UTC'
}

/** Ids of the rows to come that no other table has, so that no call is sound by the id of another kind of row. */
export async function spreadIds(client: pg.ClientBase): Promise<void> {
  const tables = ['customers', 'contracts', 'notes', 'imports', 'notifications', 'reminders', 'bulk_changes']
  const more = [
    'customer_answers',
    'answer_links',
    'saved_views',
    'customer_contacts',
    'api_keys',
    'tags',
    'accounts',
    'notice_rules',
  ]
  for (const [index, table] of [...tables, ...more].entries())
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [table, (index + 1) * 1_000_000])
}

interface Added extends Omit<
  Records,
  'accountId' | 'renewalDate' | 'today' | 'messageId' | 'selection' | 'token' | 'answerToken' | 'page'
> {
  reminderId: number
  linkId: number
  /** What was sent to it may be stopped, so each has another. */
  address: string
  linkKey: string
}

const OTHER_RULES = 'delete from notice_rules where account_id = $1'

const OTHER_KEYS = `
  delete from api_keys where account_id = $1 and id > (select min(id) from api_keys where account_id = $1)`

// One address gets a few codes a day, whichever account sends them.
const REPLY_TO = `
  insert into companies (account_id, name, reply_to) values ($1, 'Acme', 'a' || $1::int || '@example.com')
  on conflict (account_id) do update set reply_to = excluded.reply_to, reply_to_confirmed_at = null`

const MAPPINGS = `
  insert into import_mappings (account_id, kind, headings_key, mapping)
  select $1, kind, 'Acme', '{}' from unnest(array['customers', 'contracts']) kind on conflict do nothing`

const TAG = `insert into tags (account_id, name, key) values ($1, 'Acme', 'acme') on conflict do nothing`

/** By name, so that a connection plans it a few times and not each time, which takes longer than the rows. */
const ADD = {
  name: 'add records',
  text: `
  with customer as (
    insert into customers (account_id, name, address, email)
    values ($1, 'Acme', '1 Main Street', 'a' || floor(random() * 1e12)::bigint || '@example.com') returning id, email),
  free as (insert into customers (account_id, name) values ($1, 'Acme') returning id),
  contract as (
    insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status, renews)
    select $1, id, 1250, '2026-01-01', 'yearly', $2::date, 'active', 'automatic' from customer returning id),
  offered as (
    insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    select $1, id, 1250, '2026-01-01', 'yearly', $2::date, 'active' from customer, generate_series(1, 2) returning *),
  offers as (
    select id, row_number() over (order by id) as number, jsonb_build_object('customerId', customer_id, 'termNumber', 1,
      'amountCents', 1250, 'renewalCycle', 'yearly', 'renewalDate', renewal_date, 'renews', renews, 'noticePeriod', null,
      'nextAmountCents', null, 'nextCycle', null) as offer from offered),
  link as (
    insert into answer_links (account_id, contract_id, term_number, contact_id, address, offer, created_at)
    select $1, offers.id, 1, 0, email, offer, now() from offers, customer where number = 1 returning id),
  answer as (
    insert into customer_answers (account_id, contract_id, customer_id, customer_name, term_number, number, contact_id, address,
      choice, state, offer, answered_at)
    select $1, offers.id, customer.id, 'Acme', 1, 1, 0, email, 'renew', 'waiting', offer, now() from offers, customer
    where number = 2 returning id),
  deleted as (insert into customers (account_id, name, deleted_at) values ($1, 'Acme', now()) returning id),
  deleted_contract as (
    insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status, deleted_at)
    select $1, id, 1250, '2026-01-01', 'yearly', $2::date, 'active', now() from deleted returning id),
  notification as (
    insert into notifications (account_id, type, title, message) values ($1, 'other', 'T', 'M') returning id),
  import as (
    insert into imports (account_id, kind, file_name, sha256, headings, rows, finished_at)
    values ($1, 'contracts', 'a.csv', '', '[]', 1, now()) returning id),
  reminder as (
    insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, kind, offset_days, due_on,
      recipient, channel, state, address, subject, body, planned_at, sent_at)
    select $1, contract.id, customer.id, 'Acme', $2::date, 'reminder', 30, $2::date - 30, 'customer', 'email', 'sent', email,
      'Subject', 'Body', now(), now() from contract, customer returning id),
  bulk as (
    insert into bulk_changes (account_id, action, request, state, total, created_at, created_by)
    values ($1, 'renew', '{"change": {"action": "renew", "from": "term"}, "reason": null, "note": null}', 'done', 1, now(),
      'operator') returning id),
  note as (
    insert into notes (account_id, customer_id, text, created_at, created_by)
    select $1, id, 'A note', now(), 'key:1' from customer returning id),
  view as (
    insert into saved_views (account_id, name, key, search, sort_position) values ($1, 'Fuzzed', 'fuzzed', '{}', 1) returning id),
  contact as (
    insert into customer_contacts (account_id, customer_id, name, reminders, reminders_from, created_at)
    select $1, id, 'Ada', true, '2026-01-01', now() from customer returning id),
  rule as (
    insert into notice_rules (account_id, name, unit, from_count, until_count, counted_from, means, contents, except_monthly, created_at)
    values ($1, 'Fuzzed', 'days', 365, 0, 'renewal_date', '{letter}', '{}', false, now()) returning id),
  choice as (
    insert into notice_choices (account_id, contract_id, rule_id) select $1, contract.id, rule.id from contract, rule),
  key as (
    insert into api_keys (account_id, name, scope, key_hash)
    values ($1, 'Fuzzed', 'all', sha256(convert_to(random()::text, 'UTF8'))) returning id)
  select customer.id as "customerId", free.id as "freeCustomerId", contract.id as "contractId",
    link.id as "linkId", answer.id as "answerId", deleted.id as "deletedCustomerId", deleted_contract.id as "deletedContractId",
    notification.id as "notificationId", import.id as "importId", bulk.id as "bulkId", note.id as "noteId", view.id as "viewId", contact.id as "contactId", key.id as "apiKeyId", rule.id as "ruleId",
    accounts.clerk_user_id as "userId", reminder.id::float8 as "reminderId", customer.email as address,
    unsubscribe_key() as "linkKey", (select split_part(logo_path, '/', -1) from companies where account_id = $1) as "logoName"
  from customer, free, contract, link, answer, deleted, deleted_contract, notification, import, reminder, bulk, note, view, contact, rule, key, accounts where accounts.id = $1`,
}
