import sql, { type Sql } from 'sql-template-tag'

/**
 * Common table expressions that store, by the address of each account in `former` (id, email, trial_used_at), what must
 * survive signing up again: a used trial, a mail stop, and the addresses of readers who unsubscribed or complained.
 */
export const KEPT_AFTER_DELETION: Sql = sql`
  kept_stops as (
    insert into kept_mail_stops (email_hash, stopped_at, complaints, mails)
    select trial_hash(f.email), s.stopped_at, s.complaints, s.mails
    from former f join mail_stops s on s.account_id = f.id
    where s.lifted_at is null and f.email <> ''
    on conflict do nothing),
  kept_readers as (
    insert into kept_closures (email_hash, mailbox_hash, reason, closed_at)
    select trial_hash(f.email), kept_mailbox(trial_hash(f.email), c.mailbox), c.reason, c.closed_at
    from former f join closed_addresses c on c.account_id = f.id
    where f.email <> ''
    on conflict (email_hash, mailbox_hash) do update set reason = excluded.reason, closed_at = excluded.closed_at),
  kept_trials as (
    insert into spent_trials (email_hash, used_at)
    select trial_hash(email), trial_used_at from former where trial_used_at is not null and email <> ''
    on conflict do nothing)`
