import sql, { type Sql } from 'sql-template-tag'
import type { NotificationType } from '#shared/schemas/notifications.ts'
import type { Read } from '#server/db/database.ts'

/** What the owner of an account reads in the app. */
export interface NewNotification {
  /** Other where it is not said. */
  type?: NotificationType
  title: string
  message: string
  /** Where a click leads, within the app. */
  actionUrl?: string | null
}

interface Notified {
  accountId: number
  now: Date
}

/** Notifies the owner of an account, in the transaction of what there is to tell. */
export async function notify(write: Read, to: Notified, ...notifications: NewNotification[]): Promise<void> {
  if (notifications.length > 0) await write(notificationsAdded(notifications, to))
}

/** The same as a statement, where several are sent in one round trip. */
export function notificationsAdded(notifications: readonly NewNotification[], to: Notified): Sql {
  const rows = sql`unnest(${notifications.map(({ type }) => type ?? 'other')}::text[],
    ${notifications.map(({ title }) => title)}::text[], ${notifications.map(({ message }) => message)}::text[],
    ${notifications.map(({ actionUrl }) => actionUrl ?? null)}::text[]) as n(type, title, message, action_url)`
  return notificationsFrom(rows, to)
}

/** The same within a statement, for rows that have `type`, `title`, `message` and `action_url`. */
export function notificationsFrom(rows: Sql, { accountId, now }: Notified): Sql {
  return sql`
    insert into notifications (account_id, type, title, message, action_url, created_at)
    select ${accountId}, type, title, message, action_url, ${now}::timestamptz from ${rows}`
}
