import sql, { raw } from 'sql-template-tag'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import type { Addressee, Line, PastMessage, Subject } from '#shared/domain/reminder-plan.ts'
import { preferencesOf, type ReminderOverrides } from '#shared/domain/reminder-preferences.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import type { LetterMessage } from '#server/mail/letter.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { writeReminder, type ReminderFacts, type Wording } from './reminder-letter.ts'
import { hasBounced } from './reminder-rows.ts'
import { unsubscribeToken } from './unsubscribe.service.ts'

/** A contract as its reminders need it. */
export interface SubjectRow {
  contractId: number
  customerId: number
  customerName: string
  email: string | null
  sendNotifications: boolean
  hasBounced: boolean
  status: ContractStatus
  renewalDate: Day
  amountCents: Cents
  renewalCycle: RenewalCycle
  own: ReminderOverrides | null
}

/** The columns of a SubjectRow, from contracts `k`, their customers `c` and their own preferences `o`. */
export const SUBJECT_COLUMNS = sql`
  k.id as "contractId", k.customer_id as "customerId", c.name as "customerName", c.email,
  c.send_notifications as "sendNotifications",
  ${hasBounced(sql`k.account_id`, sql`c.email`)} as "hasBounced",
  k.status, k.renewal_date as "renewalDate", k.amount_cents::float8 as "amountCents",
  k.renewal_cycle as "renewalCycle",
  case when o.contract_id is not null then json_build_object('enableNotifications', o.enable_notifications,
    'reminderDays', o.reminder_days, 'followUpDays', o.follow_up_days, 'email', o.email, 'inApp', o.in_app) end as own`

export const SUBJECT_TABLES = sql`
  contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
  left join contract_reminder_preferences o on o.account_id = k.account_id and o.contract_id = k.id`

/** What has been sent, or may yet be: everything but what was skipped or failed for good. */
export const COUNTS = raw(`r.state not in ('skipped', 'failed')`)

export function subjectOf(row: SubjectRow, account: ReminderAccount, history: PastMessage[] = []): Subject {
  return {
    contract: row,
    customer: customerOf(row),
    owner: account.owner,
    preferences: preferencesOf(account.settings, row.own),
    history,
  }
}

export function customerOf({ email, sendNotifications, hasBounced }: SubjectRow): Addressee {
  return { email, sendNotifications, hasBounced }
}

interface Written {
  recipient: Line['recipient']
  account: ReminderAccount
  today: Day
}

export function factsOf(row: SubjectRow, { recipient, account, today }: Written): ReminderFacts {
  return { ...row, recipient, sender: companyOf(account), today }
}

/** Under whose name the account writes. */
export function companyOf({ settings, owner }: Pick<ReminderAccount, 'settings' | 'owner'>): string {
  return settings.senderName || owner.email || 'TRAXX'
}

interface MailWritten extends Written {
  id: number
  /** The address of TRAXX. */
  publicUrl: string
}

/** The e-mail about a contract, as it is today. */
export function mailAbout(row: SubjectRow, written: MailWritten): LetterMessage & { key: string } {
  const { account, recipient, publicUrl } = written
  const isToCustomer = recipient === 'customer'
  const unsubscribeUrl = isToCustomer ? unsubscribeUrlOf(row, written) : undefined
  const wording: Wording = {
    texts: account.texts,
    contractUrl: `${publicUrl}/contracts?open=${row.contractId}`,
    unsubscribeUrl,
  }
  return {
    ...writeReminder(factsOf(row, written), wording),
    to: (isToCustomer ? row.email : account.owner.email) ?? '',
    ...(unsubscribeUrl && { unsubscribeUrl }),
    key: `reminder-${written.id}.${account.installation}`,
    ...(isToCustomer && sentBy(account)),
  }
}

/** Whose name a customer's message comes under, and where its answers go. */
export function sentBy({ settings, owner }: ReminderAccount): Pick<LetterMessage, 'senderName' | 'replyTo'> {
  const { senderName } = settings
  const replyTo = settings.replyTo || owner.email
  return { ...(senderName && { senderName }), ...(replyTo && { replyTo }) }
}

function unsubscribeUrlOf({ customerId }: SubjectRow, { account, publicUrl }: MailWritten): string {
  return `${publicUrl}/unsubscribe/${unsubscribeToken(account.unsubscribeKey, { accountId: account.id, customerId })}`
}
