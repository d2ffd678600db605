import sql from 'sql-template-tag'
import { DEFAULT_SETTINGS, type ReminderSettings } from '#shared/schemas/reminders.ts'
import type { Addressee } from '#shared/domain/reminder-plan.ts'
import type { Read } from '#server/db/database.ts'

/** What is the same in all messages of an account. */
export interface ReminderAccount {
  id: number
  timeZone: string
  owner: Addressee
  settings: ReminderSettings
  /** The name of this database, which keeps its messages apart from others'. */
  installation: string
  /** What its links in e-mails are sealed with. */
  unsubscribeKey: string
}

interface AccountRow {
  email: string
  timeZone: string
  hasBounced: boolean
  installation: string
  unsubscribeKey: string
  settings: ReminderSettings | null
}

export async function readReminderAccount(read: Read, accountId: number): Promise<ReminderAccount> {
  const [row] = await read<AccountRow>(sql`
    select a.email, coalesce(a.time_zone, 'UTC') as "timeZone", installation() as installation,
      unsubscribe_key() as "unsubscribeKey",
      exists (select from reminders r where r.account_id = a.id and r.state = 'bounced' and r.address = a.email)
        as "hasBounced",
      case when p.account_id is not null then json_build_object('enableNotifications', p.enable_notifications,
        'reminderDays', p.reminder_days, 'followUpDays', p.follow_up_days,
        'notificationMethods', json_build_object('email', p.email, 'inApp', p.in_app),
        'hour', p.hour, 'senderName', p.sender_name, 'replyTo', p.reply_to) end as settings
    from accounts a left join reminder_preferences p on p.account_id = a.id
    where a.id = ${accountId}`)
  if (!row) throw new Error('An account that works has its row')
  const { email, timeZone, hasBounced, settings, ...keys } = row
  const owner = { email, sendNotifications: true, hasBounced }
  return { id: accountId, timeZone, owner, ...keys, settings: settings ?? DEFAULT_SETTINGS }
}
