const CYCLE = `(case k.renewal_cycle when 'monthly' then 1 when 'quarterly' then 3 else 12 end)`
const MONTHS = `((extract(year from k.renewal_date) - extract(year from k.start_date)) * 12
  + extract(month from k.renewal_date) - extract(month from k.start_date))::int`

/** Like `termStartOf` in the domain. */
const TERM_START = `coalesce(k.term_start, case
  when ${MONTHS} < ${CYCLE} then k.start_date
  when (k.start_date + make_interval(months => ${MONTHS}))::date = k.renewal_date
    then (k.start_date + make_interval(months => ${MONTHS} - ${CYCLE}))::date
  else greatest(k.start_date, (k.renewal_date - make_interval(months => ${CYCLE}))::date) end)`

/**
 * What the reference server asks, with the best indexes and sums there are: one statement, prepared under a name, no
 * row-level security, no filter that may be absent. $1 is the account, $2 today.
 */
const CONTRACT = `
  k.id, k.customer_id as "customerId", c.name as "customerName", k.amount_cents::float8 / 100 as amount,
  k.start_date::text as "startDate", k.renewal_cycle as "renewalCycle", k.renewal_date::text as "renewalDate", k.status,
  case when k.pdf_path is not null then '/contracts/' || k.id || '/pdf' end as "pdfPath",
  k.title, k.reference, k.renews, k.notice_period as "noticePeriod", k.notice_date::text as "noticeDate", k.term_number as term,
  ${TERM_START}::text as "termStart", coalesce(k.anchor_date, k.start_date)::text as "anchorDate",
  k.next_amount_cents::float8 / 100 as "nextAmount", k.next_cycle as "nextCycle", k.ends_on::text as "endsOn", k.tags, k.version,
  k.renewal_date - $2::date as "daysLeft"`

export const CONTRACT_PAGE = `
  select ${CONTRACT}, k.open_first as "openFirst", (select sum(contracts)::int from contract_totals where account_id = $1) as total
  from contracts k join customers c on c.id = k.customer_id
  where k.account_id = $1 and k.deleted_at is null order by k.open_first, k.id limit 10`

export const CREATE_CONTRACT = `
  with k as (
    insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    values ($1, $3, $4, $5, $6, $7, $8) returning *)
  select ${CONTRACT} from k join customers c on c.id = k.customer_id`

const attention = (condition: string, by = 'k.renewal_date') => `
  select ${CONTRACT}, exists (select from reminders r where r.account_id = k.account_id and r.contract_id = k.id
      and r.recipient = 'customer' and r.sent_on = $2) as "isReminded",
    (select next_attempt_at from reminders r where r.account_id = k.account_id and r.contract_id = k.id
      and r.kind = 'manual' and r.state = 'planned' limit 1) as "goesOutAt"
  from contracts k join customers c on c.id = k.customer_id
  where k.account_id = $1 and k.deleted_at is null and k.status in ('pending', 'active') and ${condition}
  order by ${by}, k.id limit 100`

const NOTICE_DUE = 'k.ends_on is null and k.notice_date between $2 and $2::date + 7'

export const DASHBOARD = `
  select
    (select json_agg(t) from (
      select status, renewal_cycle as cycle, contracts, amount_cents as cents
      from contract_totals where account_id = $1) t) as totals,
    (select customers from customer_totals where account_id = $1) as customers,
    due.overdue, due.expiring, due."expiringRevenue", notice.*,
    (select count(*)::int from contracts
      where account_id = $1 and deleted_at is null and start_date > $2
        and start_date < date_trunc('month', $2::date) + interval '1 month') as later,
    (select json_agg(m) from (
      select to_char(start_month, 'YYYY-MM') as month, contracts, active_cents::float8 / 100 as revenue
      from contract_start_months where account_id = $1 and start_month between $3 and $2 order by start_month) m) as months,
    (select json_agg(a) from (${attention('k.renewal_date < $2')}) a) as "overdueRows",
    (select json_agg(a) from (${attention(NOTICE_DUE, 'k.notice_date')}) a) as "noticeRows",
    (select json_agg(a) from (${attention('k.renewal_date between $2 and $2::date + 30')}) a) as "expiringRows",
    (select id from imports where account_id = $1 and is_sample and undone_at is null) as "sampleImportId",
    exists (select from imports where account_id = $1 and not is_sample and created + created_customers > 0) as "hasImported",
    exists (select from companies where account_id = $1 and name is not null) as "hasCompanyName"
  from (
    select coalesce(sum(contracts) filter (where renewal_date < $2), 0)::int as overdue,
      coalesce(sum(contracts) filter (where renewal_date >= $2), 0)::int as expiring,
      coalesce(sum(amount_cents) filter (where renewal_date >= $2), 0)::float8 / 100 as "expiringRevenue"
    from contract_due_days where account_id = $1 and renewal_date <= $2::date + 30) due,
    (select count(*)::int as "noticeDue", (count(*) filter (where k.renewal_date > $2::date + 30))::int as "noticeDueLater"
      from contracts k where k.account_id = $1 and k.deleted_at is null and k.status in ('pending', 'active') and ${NOTICE_DUE}) notice`

const customers = (searched: string) => `
  with matches as materialized (
    select id, name from customers where account_id = $1 and deleted_at is null and ${searched} like $2),
  page as (select id from matches order by name, id limit 10)
  select c.id, c.name, c.address, c.phone, c.customer_number as "customerNumber", c.email,
    c.contact_name as "contactName", c.contact_role as "contactRole", c.tags, c.send_notifications as "sendNotifications", c.created_at as "createdAt", c.version,
    (select json_build_object('reason', x.reason, 'since', x.closed_at) from closed_addresses x
      where x.account_id = $1 and x.mailbox = c.mailbox) as "mailClosed",
    (select count(*)::int from matches) as total
  from page join customers c using (id) order by c.name, c.id`

export const CUSTOMER_SEARCH = customers('search_text')
export const CUSTOMER_SCAN = customers(`(search_text || '')`)
