const MONTHS = `make_interval(months => case renewal_cycle when 'monthly' then 1 when 'quarterly' then 3 else 12 end)`

/** The least that renewing is, for all contracts `k` for which this is so: their next terms, the old ones, the decisions. */
export const bareRenewal = (where: string) => `
  with old as (select * from contracts k where ${where} for no key update),
  renewed as (
    update contracts k set term_number = o.term_number + 1, term_start = o.renewal_date,
      renewal_date = (o.renewal_date + ${MONTHS.replace('renewal_cycle', 'o.renewal_cycle')})::date, reminders_since = now()
    from old o where k.account_id = o.account_id and k.id = o.id returning k.*),
  terms as (
    insert into contract_terms (account_id, contract_id, number, start_date, renewal_date, amount_cents, renewal_cycle,
      decided_at, decided_by)
    select account_id, id, term_number, (renewal_date - ${MONTHS})::date, renewal_date, amount_cents, renewal_cycle, now(),
      'operator' from old)
  insert into contract_decisions (account_id, contract_id, act, decided_at, decided_by, before, after)
  select r.account_id, r.id, 'renew', now(), 'operator', to_jsonb(o), to_jsonb(r) from renewed r join old o using (id)`
