import type pg from 'pg'

/**
 * What is wrong after customers have answered once or not at all, with "Renew", where each account has chosen what that does.
 * An acknowledged answer must be there. Each answer must be there once and whole: with its two emails, with its
 * notification, its proof, and, where it takes effect at once, with one new term; without an answer there must be none of
 * it.
 */
export async function auditAnswers(owner: pg.Client, acknowledged: number[]): Promise<string[]> {
  const { rows } = await owner.query<{ fault: string }>(
    `with counted as (
      select k.id, k.account_id, k.term_number,
        (select count(*) from customer_answers w where (w.account_id, w.contract_id) = (k.account_id, k.id)) as answers,
        (select count(*) from customer_answers w where (w.account_id, w.contract_id) = (k.account_id, k.id)
          and w.state = case s.renewal when 'at_once' then 'done' else 'waiting' end) as expected,
        (select count(*) from contract_terms t where (t.account_id, t.contract_id) = (k.account_id, k.id)) as terms,
        (select count(*) from contract_decisions d where (d.account_id, d.contract_id) = (k.account_id, k.id)) as decisions,
        (select count(*) from reminders r where (r.account_id, r.contract_id) = (k.account_id, k.id) and r.kind = 'answer') as emails,
        (select count(*) from customer_answers w join proofs p on (p.account_id, p.answer_id) = (w.account_id, w.id)
          where (w.account_id, w.contract_id) = (k.account_id, k.id)) as proofs,
        case s.renewal when 'at_once' then 1 else 0 end as renewed
      from contracts k join answer_settings s on s.account_id = k.account_id)
    select 'contract ' || id || ': ' || answers || ' answers, term ' || term_number || ', ' || terms || ' terms, '
      || decisions || ' decisions, ' || emails || ' emails, ' || proofs || ' proofs' as fault
    from counted
    where answers > 1 or expected <> answers or emails <> 2 * answers or proofs <> answers
      or (term_number - 1, terms, decisions) <> (renewed * answers, renewed * answers, renewed * answers)
    union all select 'the acknowledged answer about contract ' || id || ' is lost'
      from counted where answers = 0 and id = any($1::int[])
    union all select 'account ' || account_id || ' has not one notification for each answer'
      from counted group by account_id
      having sum(answers) <> (select count(*) from notifications n where n.account_id = counted.account_id)
    union all select distinct kept_table || ' is not what the rows add up to' from totals_drift()`,
    [acknowledged],
  )
  return rows.map(({ fault }) => fault)
}
