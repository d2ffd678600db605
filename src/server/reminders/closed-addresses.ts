import sql, { type Sql } from 'sql-template-tag'
import type { ClosedReason } from '#shared/domain/closed-address.ts'

interface Closing {
  accountId: number
  address: string
  reason: ClosedReason
  now: Date
}

const CLOSED_TEXTS: Record<ClosedReason, { title: string; message: string }> = {
  unsubscribed: {
    title: 'unsubscribed',
    message: 'does not want reminders by email any more. No more are sent to this address until its reader wants them.',
  },
  complained: {
    title: 'reported a message',
    message: 'complained about a reminder. No more are sent to this address until its reader wants them.',
  },
}

/**
 * Nothing more is sent to a mailbox, whichever customer of the account has it and however they write it. The owner is told once; a complaint of
 * somebody who had unsubscribed before is told as well.
 */
export function closeAddress({ accountId, address, reason, now }: Closing): Sql {
  return sql`
    with closed as (
      insert into closed_addresses as x (account_id, address, reason, closed_at)
      values (${accountId}, lower(${address}), ${reason}, ${now})
      on conflict (account_id, mailbox) do update set reason = excluded.reason
        where x.reason = 'unsubscribed' and excluded.reason = 'complained'
      returning account_id, address, mailbox)
    ${noticesOf(CLOSED_TEXTS[reason], now)}`
}

/** Messages go to the address again, as far as the account wants them. The owner is told. */
export function reopenAddress({ accountId, address, now }: Omit<Closing, 'reason'>): Sql {
  const message = 'wants reminders by email again. They are sent as the settings say.'
  return sql`
    with closed as (
      delete from closed_addresses where account_id = ${accountId} and mailbox = mailbox_of(${address})
      returning account_id, address, mailbox),
    forgotten as (
      delete from kept_closures k using accounts a
      where a.id = ${accountId} and k.email_hash = a.former_hash
        and k.mailbox_hash = kept_mailbox(a.former_hash, mailbox_of(${address})))
    ${noticesOf({ title: 'subscribed again', message }, now)}`
}

/** One for each customer at the address `closed`; where there is none any more, one that names the address. */
function noticesOf({ title, message }: { title: string; message: string }, now: Date): Sql {
  return sql`
    insert into notifications (account_id, type, title, message, action_url, created_at)
    select x.account_id, 'other', coalesce(c.name, x.address) || ' ' || ${title}::text,
      coalesce(c.name, x.address) || ' ' || ${message}::text, '/customers?open=' || c.id, ${now}
    from closed x left join customers c on c.account_id = x.account_id and c.mailbox = x.mailbox
    order by c.id`
}
