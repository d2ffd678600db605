import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startApp, WORKER, type AppProcess } from './app-process.ts'

export interface KilledRenewals {
  connection: pg.PoolConfig
  /** DATABASE_URL of the same database. */
  url: string
}

/** More than one transaction of the night renews, which has 20 accounts; each is told of more than five at once. */
const ACCOUNTS = 80
const DUE_OF_EACH = 6
/** More than one transaction of a change has, which is 500. */
const SELECTED = 1500

/**
 * Kills a worker in the middle of a night's renewals, and the next one in the middle of a change of many contracts, and
 * lets a third one finish. Returns what then must not be.
 */
export async function killRenewals({ connection, url }: KilledRenewals): Promise<string[]> {
  await using stack = new AsyncDisposableStack()
  const owner = new pg.Client(connection)
  await owner.connect()
  stack.defer(() => owner.end())
  await addDue(owner)
  const faults: string[] = []
  for (const what of [NIGHT, CHANGE]) {
    if (what === CHANGE) await addChange(owner)
    const release = await holdLast(connection)
    const worker = startWorker(url)
    // Its jobs begin then; looking while it loads would take as much of the processor as it does.
    await worker.says('TRAXX plans and sends reminders')
    while (await isAll(owner, what.waiting)) await pause(2)
    worker.child.kill('SIGKILL')
    await worker.ended
    await release()
    if (!(await isAny(owner, what.waiting))) faults.push(`the worker was killed after ${what.name}`)
  }
  const last = startWorker(url)
  while ((await isAny(owner, NIGHT.waiting)) || (await isAny(owner, CHANGE.waiting))) await pause(100)
  last.child.kill('SIGTERM')
  await last.ended
  return [...faults, ...(await audit(owner))]
}

/** Lets nobody change the last contract until it is called: whatever a worker is at, it is not done with it. */
async function holdLast(connection: pg.PoolConfig): Promise<() => Promise<void>> {
  const holder = new pg.Client(connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from contracts order by id desc limit 1 for update')
  return () => holder.end()
}

function startWorker(url: string): AppProcess {
  const variables = { NODE_ENV: 'test', DATABASE_URL: url, DATA_DIR: '.data/test-kill', LOG_LEVEL: 'fatal' }
  return startApp({ ...variables, SMTP_URL: 'smtp://127.0.0.1:9' }, WORKER)
}

interface Work {
  name: string
  /** Whether all of it, and whether any of it, is still to be done. */
  waiting: string
}

const NIGHT: Work = {
  name: 'the night',
  waiting: `select acts_on is not null and acts_on <= current_date as waits from contracts where renews = 'automatic'`,
}
const CHANGE: Work = { name: 'the change', waiting: `select state = 'waiting' as waits from bulk_contracts` }

async function isAll(owner: pg.Client, waiting: string): Promise<boolean> {
  const { rows } = await owner.query<{ is: boolean }>(
    `select coalesce(bool_and(waits), false) as is from (${waiting}) w`,
  )
  return rows[0]?.is ?? false
}

async function isAny(owner: pg.Client, waiting: string): Promise<boolean> {
  const { rows } = await owner.query<{ is: boolean }>(
    `select coalesce(bool_or(waits), false) as is from (${waiting}) w`,
  )
  return rows[0]?.is ?? false
}

/** Accounts with contracts that renew automatically today, and one with contracts that are renewed by hand. */
async function addDue(owner: pg.Client): Promise<void> {
  await owner.query(`select set_config('app.actor', 'operator', false)`)
  await owner.query(`
    with added as (
      insert into accounts (clerk_user_id, email, time_zone)
      select 'renewed_' || n, 'owner' || n || '@killed.test', 'UTC' from generate_series(1, ${ACCOUNTS}) n returning id),
    subscribed as (
      insert into subscriptions (account_id, stripe_subscription_id, status, synced_at)
      select id, 'sub_killed_' || id, 'active', now() from added),
    told as (
      insert into companies (account_id, name) select id, 'Company' from added returning account_id),
    confirming as (insert into renewal_settings (account_id, confirm_renewals) select account_id, true from told),
    customers as (
      insert into customers (account_id, name, email)
      select id, 'Customer', case when id > (select min(id) from added) then 'customer' || id || '@killed.test' end
      from added returning account_id, id)
    insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status, renews)
    select account_id, id, 100, current_date - 365, 'yearly', current_date, 'active', 'automatic'
    from customers, generate_series(1, ${DUE_OF_EACH})`)
}

async function addChange(owner: pg.Client): Promise<void> {
  await owner.query(`
    with customer as (select account_id, id from customers order by id limit 1),
    selected as (
      insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
      select account_id, id, 100, current_date - 300, 'yearly', current_date + 65, 'active'
      from customer, generate_series(1, ${SELECTED}) returning account_id, id),
    change as (
      insert into bulk_changes (account_id, action, request, total, created_at, created_by)
      select account_id, 'renew',
        '{"change": {"action": "renew", "from": "term"}, "reason": null, "note": null, "confirm": true}',
        ${SELECTED}, now(), 'person:' || account_id from customer returning account_id, id)
    insert into bulk_contracts (account_id, bulk_id, contract_id, term_number)
    select c.account_id, c.id, s.id, 1 from change c join selected s using (account_id)`)
}

/** Every contract must have been renewed once, with one decision, one entry of its activity and one confirmation. */
async function audit(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ fault: string }>(`
    select 'contract ' || k.id || ': term ' || k.term_number || ', ' || terms || ' terms, ' || decisions || ' decisions, '
      || entries || ' entries, ' || confirmations || ' confirmations' as fault
    from contracts k cross join lateral (select
      (select count(*) from contract_terms t where t.contract_id = k.id) as terms,
      (select count(*) from contract_decisions d where d.contract_id = k.id) as decisions,
      (select count(*) from activity a where a.about = 'contract' and a.about_id = k.id) as entries,
      (select count(*) from reminders r where r.contract_id = k.id and r.kind = 'confirmation' and r.term_number = 2)
        as confirmations) c
    where (k.term_number, terms, decisions, entries, confirmations) <> (2, 1, 1, 1, 1)
    union all select 'change ' || id || ' is ' || state from bulk_changes where state <> 'done'
    union all select 'contract ' || contract_id || ' was ' || state from bulk_contracts
      where state <> 'changed' or decision_id is null
    union all select n || ' notifications of account ' || id from (
      select a.id, (select count(*) from notifications where account_id = a.id) as n from accounts a) told where n <> 1
    union all select distinct kept_table || ' is not what the rows add up to' from totals_drift()`)
  return rows.map(({ fault }) => fault)
}
