import sql from 'sql-template-tag'
import { accessOf, type SubscriptionState } from '#shared/domain/access.ts'
import type { Addressee } from '#shared/domain/reminder-plan.ts'
import { DEFAULT_TEXTS, type ReminderText, type TextKind } from '#shared/domain/reminder-text.ts'
import { DEFAULT_SETTINGS, type ReminderSettings } from '#shared/schemas/reminders.ts'
import { COMPANY_JSON, companyOf, type Company } from '#server/company/company.view.ts'
import { columnsOf, type RowOf } from '#server/db/columns.ts'
import type { Read } from '#server/db/database.ts'
import { hasBounced } from '#server/deliverability/bounces.service.ts'
import { AccountEntity } from '#server/identity/account.entity.ts'
import { isStopped } from '#server/deliverability/mail-stops.service.ts'

/** What is the same in all messages of an account. */
export interface ReminderAccount {
  id: number
  timeZone: string
  owner: Addressee
  settings: ReminderSettings
  /** Who writes to its customers. */
  company: Company
  /** What customers are told, in its own words. */
  texts: Record<TextKind, ReminderText>
  subscription: SubscriptionState | null
  /** Its mail to customers is paused, because of complaints. */
  isMailStopped: boolean
}

const OWNER = columnsOf(AccountEntity, 'a', ['email'])

export interface AccountRow extends RowOf<typeof OWNER> {
  timeZone: string
  hasBounced: boolean
  isMailStopped: boolean
  settings: ReminderSettings | null
  company: Company
  /** Only those that the account has written itself. */
  texts: Partial<Record<TextKind, ReminderText>>
  subscription: (Omit<SubscriptionState, Instants> & Record<Instants, string | null>) | null
}

type Instants = 'trialEnd' | 'pastDueSince' | 'endedAt'

/** The columns of an AccountRow, from accounts `a` and their preferences `p`. */
export const ACCOUNT_COLUMNS = sql`
  ${OWNER}, coalesce(a.time_zone, 'UTC') as "timeZone",
  ${hasBounced(sql`a.id`, sql`a.email`)} as "hasBounced", ${isStopped(sql`a.id`)} as "isMailStopped",
  case when p.account_id is not null then json_build_object('enableNotifications', p.enable_notifications,
    'reminderDays', p.reminder_days, 'followUpDays', p.follow_up_days,
    'notificationMethods', json_build_object('email', p.email, 'inApp', p.in_app),
    'hour', p.hour) end as settings,
  ${COMPANY_JSON} as company,
  (select coalesce(json_object_agg(t.kind, json_build_object('subject', t.subject, 'body', t.body)), '{}')
    from reminder_texts t where t.account_id = a.id) as texts,
  (select json_build_object('status', status, 'trialEnd', trial_end, 'pastDueSince', past_due_since,
      'endedAt', ended_at, 'everPaidOrTrialed', ever_paid_or_trialed)
    from subscriptions where account_id = a.id) as subscription`

export const ACCOUNT_TABLES = sql`
  accounts a left join reminder_preferences p on p.account_id = a.id left join companies co on co.account_id = a.id`

export async function readReminderAccount(read: Read, accountId: number): Promise<ReminderAccount> {
  const [row] = await read<AccountRow>(sql`select ${ACCOUNT_COLUMNS} from ${ACCOUNT_TABLES} where a.id = ${accountId}`)
  if (!row) throw new Error('An account that works has its row')
  return reminderAccountOf(accountId, row)
}

export function reminderAccountOf(id: number, row: AccountRow): ReminderAccount {
  const { email, timeZone, hasBounced, settings, company, texts } = row
  const owner = { email, sendNotifications: true, hasBounced, closed: null }
  return {
    id,
    timeZone,
    owner,
    settings: settings ?? DEFAULT_SETTINGS,
    company: companyOf(company),
    texts: { ...DEFAULT_TEXTS, ...texts },
    subscription: subscriptionOf(row),
    isMailStopped: row.isMailStopped,
  }
}

/** Without it nothing is due, and nothing that waits is sent (docs/decisions/0016). */
export function hasFullAccess({ subscription }: ReminderAccount, billingNow: Date): boolean {
  return accessOf(subscription, billingNow) === 'full'
}

function subscriptionOf({ subscription }: AccountRow): SubscriptionState | null {
  if (!subscription) return null
  const { trialEnd, pastDueSince, endedAt, ...rest } = subscription
  return { ...rest, trialEnd: instant(trialEnd), pastDueSince: instant(pastDueSince), endedAt: instant(endedAt) }
}

function instant(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
