import sql, { type Sql } from 'sql-template-tag'
import type { Write } from '#server/db/database.ts'
import { written, type NewNotification } from './texts.ts'

interface Notified {
  accountId: number
  now: Date
}

/** Notifies the owner of an account, in the transaction of the event. */
export async function notify(write: Write, to: Notified, ...notifications: NewNotification[]): Promise<void> {
  if (notifications.length > 0) await write(notificationsAdded(notifications, to))
}

/** The same as a statement, where several are sent in one round trip. */
export function notificationsAdded(notifications: readonly NewNotification[], to: Notified): Sql {
  const all = notifications.map((notification) => written(notification))
  const rows = sql`unnest(${all.map(({ type }) => type)}::text[], ${all.map(({ title }) => title)}::text[],
    ${all.map(({ message }) => message)}::text[], ${all.map(({ actionUrl }) => actionUrl)}::text[])
    as n(type, title, message, action_url)`
  return notificationsFrom(rows, to)
}

/** The same within a statement, for rows that have `type`, `title`, `message` and `action_url`. */
export function notificationsFrom(rows: Sql, { accountId, now }: Notified): Sql {
  return sql`
    insert into notifications (account_id, type, title, message, action_url, created_at)
    select ${accountId}, type, title, message, action_url, ${now}::timestamptz from ${rows}`
}
