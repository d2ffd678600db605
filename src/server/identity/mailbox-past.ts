import sql, { type Sql } from 'sql-template-tag'
import type { Caller } from '#server/context.ts'

/**
 * A statement that writes an account together with the past of its mailbox: a used trial, a mail stop, and closed
 * addresses of other accounts, deleted or not, including one whose new address has not been read from Clerk yet.
 * `account` is the part that writes the row, using `inherited` (trial_used_at, former_hashes), and returns its id.
 * `others` are more common table expressions.
 */
export function withMailboxPast(
  { email, clerkUserId }: Pick<Caller, 'email' | 'clerkUserId'>,
  { account, others }: { account: Sql; others?: Sql },
): Sql {
  return sql`
    with past as (select unnest(trial_hashes(${email}::text)) as hash),
    existing as (
      select id, email, trial_used_at from accounts
      where trial_hash(email) = trial_hash(${email}) and email <> '' and clerk_user_id <> ${clerkUserId}),
    existing_readers as (
      insert into kept_closures (email_hash, mailbox_hash, reason, closed_at)
      select trial_hash(l.email), kept_mailbox(trial_hash(l.email), c.mailbox), c.reason, c.closed_at
      from existing l join closed_addresses c on c.account_id = l.id
      on conflict do nothing returning email_hash),
    inherited as (
      select
        (select min(had.at) from (
          select used_at as at from spent_trials join past on past.hash = email_hash
          union all select trial_used_at from existing) had) as trial_used_at,
        (select array_agg(distinct known.email_hash) from (
          select email_hash from kept_closures join past on past.hash = email_hash
          union all select email_hash from existing_readers) known) as former_hashes),
    account as (${account}),
    ${others ? sql`${others},` : sql``}
    inherited_stop as (
      delete from kept_mail_stops where email_hash in (select hash from past) and exists (select from account)
      returning stopped_at, complaints, mails)
    insert into mail_stops (account_id, stopped_at, complaints, mails)
    select account.id, stop.stopped_at, stop.complaints, stop.mails from account, (
      select * from inherited_stop
      union all select s.stopped_at, s.complaints, s.mails from existing l join mail_stops s on s.account_id = l.id
        where s.lifted_at is null
      order by stopped_at limit 1) stop
    on conflict (account_id) where lifted_at is null do nothing`
}
