import type pg from 'pg'

/** Accounts with a hundred open contracts each, whose terms end evenly over the days of their cycles. */
export async function loadOpenContracts(owner: pg.Client, accounts: number): Promise<void> {
  await owner.query(`set session_replication_role = replica; set maintenance_work_mem = '256MB'; select setseed(0.42)`)
  await owner.query(`
    insert into accounts (clerk_user_id, email, time_zone)
    select 'user_' || n, 'owner' || n || '@example.com', 'UTC' from generate_series(1, ${accounts}) n`)
  await owner.query(`insert into companies (account_id, name) select id, 'Company ' || id from accounts`)
  await owner.query(`insert into subscriptions (account_id, stripe_subscription_id, status, synced_at)
    select id, 'sub_' || id, 'active', now() from accounts`)
  await owner.query(`
    insert into customers (account_id, name, email)
    select a.id, 'Customer ' || n, 'c' || a.id || '.' || n || '@example.com' from accounts a, generate_series(1, 20) n
    order by a.id, n`)
  // An account's customers have ids that follow one another.
  await owner.query(`
    insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status,
      reminders_since)
    select a.id, (a.id - 1) * 20 + 1 + n % 20, 12000, current_date - 400, cycle,
      current_date - 30 + floor(random() * days)::int, 'active', now() - interval '90 days'
    from accounts a, generate_series(1, 100) n,
      lateral (values ('monthly', 30), ('quarterly', 91), ('yearly', 365)) cycles(cycle, days)
    where cycle = case when n % 10 < 4 then 'monthly' when n % 10 < 6 then 'quarterly' else 'yearly' end`)
  await owner.query(`insert into reminder_schedules (account_id, planned_through, next_plan_at)
    select id, current_date - 1, now() - interval '1 day' from accounts`)
  await owner.query(BARE_PLANNING('(current_date - 1)', 'sent'))
  await owner.query('set session_replication_role = default; select recount_totals()')
  await owner.query('vacuum analyze')
  await owner.query('checkpoint')
}

/**
 * Gives every contract a notice window, 20 to 10 days before it renews, in which a letter has to be mailed: nothing was
 * recorded before, so that all that are open are recorded, and warned of, on one day.
 */
export async function addNoticeWindows(owner: pg.Client): Promise<void> {
  await owner.query(`set session_replication_role = replica; update contracts set renews = 'automatic'`)
  await owner.query(`
    with rules as (
      insert into notice_rules (account_id, name, unit, from_count, until_count, counted_from, means, contents,
        except_monthly, created_at)
      select id, 'Ours', 'days', 20, 10, 'renewal_date', '{letter}', '{}', false, now() from accounts
      returning account_id, id)
    insert into notice_choices (account_id, rule_id) select account_id, id from rules`)
  await owner.query('set session_replication_role = default')
  await owner.query('vacuum analyze')
  await owner.query('checkpoint')
}

/** The least that decides a day: which contracts have a message, found and written by one statement for all accounts. */
export const BARE_PLANNING = (day: string, state: string) => `
  insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, kind, offset_days, due_on,
    recipient, channel, state, planned_at, next_attempt_at)
  select k.account_id, k.id, c.id, c.name, k.renewal_date, o.kind, o.days, ${day}, l.recipient, l.channel,
    '${state}', now(), ${state === 'planned' ? 'now()' : 'null'}
  from (values ('reminder', 30), ('reminder', 14), ('reminder', 7), ('reminder', 1), ('follow_up', 1),
      ('follow_up', 3), ('follow_up', 7)) o(kind, days)
    join contracts k on k.renewal_date = ${day} + case o.kind when 'reminder' then o.days else -o.days end
      and k.status in ('pending', 'active')
    join customers c on c.account_id = k.account_id and c.id = k.customer_id
    cross join (values ('customer', 'email'), ('owner', 'email'), ('owner', 'in_app')) l(recipient, channel)`
