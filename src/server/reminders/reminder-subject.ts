import { createHmac } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'
import { isPaying } from '#shared/domain/access.ts'
import type { ClosedReason } from '#shared/domain/closed-address.ts'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import type { Addressee, Line, PastMessage, Subject } from '#shared/domain/reminder-plan.ts'
import { preferencesOf, type ReminderOverrides } from '#shared/domain/reminder-preferences.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { logoAddress } from '#server/company/company.view.ts'
import { closedReason } from '#server/customers/closed-address.rows.ts'
import type { LetterMessage } from '#server/mail/send-letter.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { writeDigest } from './digest-letter.ts'
import { writeReminder, type ReminderFacts, type WrittenReminder } from './reminder-letter.ts'
import { hasBounced } from './reminder-rows.ts'
import { readerToken } from './reader-link.ts'

/** A contract as its reminders need it. */
export interface SubjectRow {
  contractId: number
  customerId: number
  customerName: string
  email: string | null
  sendNotifications: boolean
  hasBounced: boolean
  closed: ClosedReason | null
  status: ContractStatus
  renewalDate: Day
  amountCents: Cents
  renewalCycle: RenewalCycle
  /** The customer is not written to about this renewal date. */
  isMuted: boolean
  own: ReminderOverrides | null
}

/** What decides whether a customer `c` can be written to. */
export function addresseeColumns(accountId: Sql): Sql {
  return sql`c.email, c.send_notifications as "sendNotifications",
    ${hasBounced(accountId, sql`c.email`)} as "hasBounced", ${closedReason(accountId, sql`c.mailbox`)} as closed`
}

/** The columns of a SubjectRow, from contracts `k`, their customers `c` and their own preferences `o`. */
export const SUBJECT_COLUMNS = sql`
  k.id as "contractId", k.customer_id as "customerId", c.name as "customerName", ${addresseeColumns(sql`k.account_id`)},
  k.status, k.renewal_date as "renewalDate", k.amount_cents::float8 as "amountCents",
  k.renewal_cycle as "renewalCycle", coalesce(k.muted_renewal_date = k.renewal_date, false) as "isMuted",
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
    isMuted: row.isMuted,
  }
}

export function customerOf({ email, sendNotifications, hasBounced, closed }: SubjectRow): Addressee {
  return { email, sendNotifications, hasBounced, closed }
}

interface Written {
  recipient: Line['recipient']
  account: ReminderAccount
  today: Day
}

export function factsOf(row: SubjectRow, { recipient, account, today }: Written): ReminderFacts {
  const customerName = withoutDirectionMarks(row.customerName)
  return { ...row, customerName, recipient, sender: senderOf(account), today }
}

/** Under whose name the account writes. Without one nothing is sent to customers: this stands in a preview alone. */
export function senderOf({ company }: Pick<ReminderAccount, 'company'>): string {
  return company.name ?? 'Your company'
}

interface MailWritten extends Written {
  /** A row of it, which the links name, and the Message-ID where it is not a repeat. */
  id: number
  /** Of the email that it repeats. */
  key?: string | undefined
  /** The address of TRAXX. */
  publicUrl: string
  /** What its links are sealed with. */
  linkKey: string
}

/** The e-mail about some contracts of one reader, as they are today. */
export function mailAbout(
  [first, ...others]: readonly [SubjectRow, ...SubjectRow[]],
  written: MailWritten,
): LetterMessage & { key: string } {
  const { account, recipient } = written
  const isToCustomer = recipient === 'customer'
  const links = isToCustomer ? readerLinks(first, written) : undefined
  const to = (isToCustomer ? first.email : account.owner.email) ?? ''
  return {
    ...letterAbout([first, ...others], written, links),
    to,
    ...(links && { unsubscribeUrl: links.unsubscribeUrl }),
    key: written.key ?? messageKey(written, to),
    ...(isToCustomer && sentBy(account)),
  }
}

/**
 * The same at every try to one address: events name it, and must not speak of what went to another one. Whoever has got
 * one message cannot tell the names of others.
 */
function messageKey({ linkKey, account, id }: MailWritten, to: string): string {
  const named = `message ${account.id} ${id} ${to.toLowerCase()}`
  const secret = createHmac('sha256', linkKey).update(named).digest('hex')
  return `reminder-${id}.${secret.slice(0, 32)}`
}

/** What an account has written itself is about one contract: several have a letter of their own. */
function letterAbout(
  [first, ...others]: readonly [SubjectRow, ...SubjectRow[]],
  written: MailWritten,
  links: ReaderLinks | undefined,
): WrittenReminder {
  const { account, publicUrl } = written
  const otherContracts = others.filter(
    ({ contractId }, place) =>
      contractId !== first.contractId && others.findIndex((one) => one.contractId === contractId) === place,
  )
  const facts = factsOf(first, written)
  const wording = { ...wordingOf(account, publicUrl), ...links }
  if (otherContracts.length > 0) {
    const all = [facts, ...otherContracts.map((row) => factsOf(row, written))]
    return writeDigest(facts, all, { ...wording, contractsUrl: `${publicUrl}/contracts` })
  }
  const contractUrl = `${publicUrl}/contracts?open=${first.contractId}`
  return writeReminder(facts, { ...wording, contractUrl })
}

/** What a Message-ID was made from. */
export function keyOfMessageId(messageId: string): string | undefined {
  return /^<(.+)@[^@]*>$/.exec(messageId)?.[1]
}

/** The row that a Message-ID names, which is one of those in that e-mail. */
export function rowOfMessageId(messageId: string): number | undefined {
  const [, id] = /^<?reminder-(\d{1,9})\./.exec(messageId) ?? []
  return id === undefined ? undefined : Number(id)
}

/** How the account's messages are worded, whichever contract they are about. */
export function wordingOf({ texts, company, subscription }: ReminderAccount, publicUrl: string) {
  const { logoPath, postalAddress } = company
  return {
    texts,
    logoUrl: logoPath ? publicUrl + logoAddress(logoPath) : undefined,
    postalAddress: postalAddress ?? undefined,
    mayLink: isPaying(subscription),
  }
}

/** Whose name a customer's message comes under, and where its answers go. */
export function sentBy({ company, owner }: ReminderAccount): Pick<LetterMessage, 'senderName' | 'replyTo'> {
  const { name: senderName } = company
  const replyTo = (company.isReplyToConfirmed && company.replyTo) || owner.email
  return { ...(senderName && { senderName }), ...(replyTo && { replyTo }) }
}

interface ReaderLinks {
  unsubscribeUrl: string
  reportUrl: string
}

/** By which the reader of a message says that they want no more, or report it. */
function readerLinks({ email }: SubjectRow, written: MailWritten): ReaderLinks {
  const { id: reminderId, account, publicUrl, linkKey } = written
  const message = { accountId: account.id, reminderId, address: email ?? '' }
  const token = readerToken(linkKey, message)
  return { unsubscribeUrl: `${publicUrl}/unsubscribe/${token}`, reportUrl: `${publicUrl}/report/${token}` }
}
