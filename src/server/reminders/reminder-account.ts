import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { accessOf, type SubscriptionState } from '#shared/domain/access.ts'
import type { OwnAnswerPreferences } from '#shared/domain/customer-answer.ts'
import type { Addressee } from '#shared/domain/reminder-plan.ts'
import { DEFAULT_TEXTS, type ReminderText, type TextKind } from '#shared/domain/reminder-text.ts'
import { AppError } from '#shared/errors.ts'
import { DEFAULT_SETTINGS, type ReminderSettings } from '#shared/schemas/reminders.ts'
import { COMPANY_JSON, Company, companyOf } from '#server/company/company.view.ts'
import { answersJson, AnswersField } from '#server/customer-answers/answer-settings.rows.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Read } from '#server/db/database.ts'
import { hasBounced } from '#server/deliverability/bounces.service.ts'
import { AccountEntity } from '#server/identity/account.entity.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from '#server/identity/subscription.rows.ts'
import { isStopped } from '#server/deliverability/mail-stops.service.ts'
import { ReminderPreferencesEntity, ReminderTextEntity } from './reminder-preferences.entity.ts'

/** An account's facts that all its messages share. */
export interface ReminderAccount {
  id: number
  timeZone: string
  owner: Addressee
  /** Whether the identity provider has verified the owner's address: otherwise the account has none. */
  isOwnerVerified: boolean
  settings: ReminderSettings
  /** The sender of its messages to customers. */
  company: Company
  /** Its message templates. */
  texts: Record<TextKind, ReminderText>
  subscription: SubscriptionState | null
  /** Its mail to customers is paused, because of complaints. */
  isMailStopped: boolean
  /** How its customers answer; null where that was never chosen. */
  answers: OwnAnswerPreferences | null
}

const OWNER = columnsOf(AccountEntity, 'a', ['email'])

const SETTINGS = columnsOf(ReminderPreferencesEntity, 'p', [
  'enableNotifications',
  'reminderDays',
  'followUpDays',
  'email',
  'inApp',
  'hour',
])
const TEXT = columnsOf(ReminderTextEntity, 't', ['subject', 'body'])
const TextField = z.object(TEXT.fields)

export const AccountRow = z.object({
  ...OWNER.fields,
  timeZone: z.string(),
  hasBounced: z.boolean(),
  isMailStopped: z.boolean(),
  settings: z.object(SETTINGS.fields).nullable(),
  company: Company,
  /** The default, for templates that the account has not changed. */
  texts: z.object({
    reminder: TextField.default(DEFAULT_TEXTS.reminder),
    reminder_automatic: TextField.default(DEFAULT_TEXTS.reminder_automatic),
    reminder_never: TextField.default(DEFAULT_TEXTS.reminder_never),
    follow_up: TextField.default(DEFAULT_TEXTS.follow_up),
    confirmation: TextField.default(DEFAULT_TEXTS.confirmation),
    notice: TextField.default(DEFAULT_TEXTS.notice),
  }),
  subscription: SubscriptionField,
  answers: AnswersField,
})
type AccountRow = z.output<typeof AccountRow>

/** The columns of an AccountRow, from accounts `a` and their preferences `p`. */
export const ACCOUNT_COLUMNS = sql`
  ${OWNER}, coalesce(a.time_zone, 'UTC') as "timeZone",
  ${hasBounced(sql`a.id`, sql`a.email`)} as "hasBounced", ${isStopped(sql`a.id`)} as "isMailStopped",
  case when p.account_id is not null then (select row_to_json(o) from (select ${SETTINGS}) o) end as settings,
  ${COMPANY_JSON} as company,
  (select coalesce(json_object_agg(t.kind, (select row_to_json(o) from (select ${TEXT}) o)), '{}')
    from reminder_texts t where t.account_id = a.id) as texts,
  (select ${SUBSCRIPTION_JSON} from subscriptions s where s.account_id = a.id) as subscription,
  ${answersJson(sql`a.id`)} as answers`

export const ACCOUNT_TABLES = sql`
  accounts a left join reminder_preferences p on p.account_id = a.id left join companies co on co.account_id = a.id`

/** Reads an AccountRow. */
export function accountFacts(accountId: number): Sql {
  return sql`select ${ACCOUNT_COLUMNS} from ${ACCOUNT_TABLES} where a.id = ${accountId}`
}

/** @throws NOT_SIGNED_IN if another process has deleted the account */
export async function readReminderAccount(read: Read, accountId: number): Promise<ReminderAccount> {
  const [row] = await read(accountFacts(accountId), AccountRow)
  if (!row) throw new AppError('NOT_SIGNED_IN')
  return reminderAccountOf(accountId, row)
}

export function reminderAccountOf(id: number, row: AccountRow): ReminderAccount {
  const { email, timeZone, hasBounced, settings, company, texts, subscription, isMailStopped, answers } = row
  const owner = { email, sendNotifications: true, hasBounced, closed: null }
  return {
    id,
    timeZone,
    owner,
    isOwnerVerified: email !== '',
    settings: settings ? settingsOf(settings) : DEFAULT_SETTINGS,
    company: companyOf(company),
    texts,
    subscription,
    isMailStopped,
    answers,
  }
}

/** Without full access, nothing is planned and no waiting message is sent (docs/decisions/0016). */
export function hasFullAccess({ subscription }: ReminderAccount, billingNow: Date): boolean {
  return accessOf(subscription, billingNow) === 'full'
}

function settingsOf({ email, inApp, ...settings }: NonNullable<AccountRow['settings']>): ReminderSettings {
  return { ...settings, notificationMethods: { email, inApp } }
}
