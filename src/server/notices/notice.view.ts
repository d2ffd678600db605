import sql from 'sql-template-tag'
import { z } from 'zod'
import { daysBetween, type Day } from '#shared/domain/day.ts'
import { amountFromCents } from '#shared/domain/money.ts'
import { consequenceOf, deliveryOf } from '#shared/domain/notice-presets.ts'
import { remedyText, whyText, type RemedyRule, type WhyNoEmail } from '#shared/domain/notice-warning.ts'
import type { LetterDelivery, NoticeMeans } from '#shared/domain/notice-window.ts'
import { columnsOf, instant } from '#server/db/columns.ts'
import type { PageView } from '#server/db/page.ts'
import { EMAILS_THAT_COUNT } from '#server/notice-rules/notice-emails.ts'
import { NoticeEntity } from '#server/notice-rules/notice.entity.ts'
import { HAS_CERTIFICATE } from '#server/proofs/certificate.service.ts'
import type { WithWindow } from '#server/notice-rules/noticed-contracts.ts'

export interface NoticeWarningView {
  /** Until the last day of the window, which is 0. */
  daysLeft: number
  reason: WhyNoEmail
  why: string
  remedy: string
}

/** Due: the first to close first. Given and missed: the latest first. */
export interface NoticesView extends PageView<NoticeView> {
  /** The sum of what the next terms of all of them cost, in dollars. */
  amount: number
}

/** A notice window of one term of a contract, and whether it was kept. */
export interface NoticeView {
  /** Null where the contract was deleted. */
  contractId: number | null
  customerName: string
  renewalDate: Day
  /** What the next term costs, which depends on the notice. */
  amount: number
  /** The first and the last day on which the notice must reach the customer. */
  from: Day
  through: Day
  derivation: string
  means: NoticeMeans[]
  ruleName: string
  /** What a missed window means, by the rule. */
  consequence: string
  /** How a notice must be given, by the law; null by a rule of the account's own. */
  how: string | null
  /** The mail by which a letter must be sent unless it is handed over in person; null where any mail counts. */
  requiredMail: string | null
  /** The day on which the letter was posted or handed over, the number of its mail, and how it was delivered, if that was said. */
  postedOn: Day | null
  mailNumber: string | null
  delivery: LetterDelivery | null
  /** The window closes within 7 days, and no email is about to be sent: why, and what can still be done. */
  warning: NoticeWarningView | null
  /** The first email with the notice that did not bounce. */
  email: { address: string; sentAt: Date; deliveredAt: Date | null } | null
  /** That email and the letter in the ledger; null where there is none, or none that is proved. */
  emailReminderId: number | null
  letterReminderId: number | null
}

export const NOTICE = columnsOf(NoticeEntity, 'n', [
  'customerName',
  'renewalDate',
  'amountCents',
  'ruleName',
  'preset',
  'means',
  'firstDay',
  'lastDay',
  'derivation',
  'postedOn',
  'mailNumber',
  'delivery',
])
/** A subquery: the first email by which notice `n` was given, as JSON; null if none was. */
export const FIRST_EMAIL = sql`(
  select json_build_object('address', r.address, 'sentAt', r.sent_at, 'deliveredAt', r.delivered_at,
    'reminderId', case when ${HAS_CERTIFICATE} then r.id end)
  ${EMAILS_THAT_COUNT} order by r.sent_at limit 1)`

/** A subquery: the ID of the letter by which notice `n` was given; null if there is none, or none that is proved. */
export const PROVED_LETTER = sql`(
  select r.id::float8 from reminders r where r.account_id = n.account_id and r.kind = 'letter'
    and r.contract_id = n.contract_id and r.renewal_date = n.renewal_date and r.term_number = n.term_number
    and ${HAS_CERTIFICATE})`

const EmailRow = z.object({
  address: z.string(),
  sentAt: instant,
  deliveredAt: instant.nullable(),
  reminderId: z.int().nullable(),
})

/** A recorded window; its contract is null where it was deleted. */
export const NoticeRow = z.object({
  ...NOTICE.fields,
  contractId: z.int().nullable(),
  email: EmailRow.nullable(),
  letterReminderId: z.int().nullable(),
})
export type NoticeRow = z.output<typeof NoticeRow>

export function recordedView({ amountCents, preset, firstDay, lastDay, email, ...row }: NoticeRow): NoticeView {
  return {
    ...row,
    ...emailView(email),
    amount: amountFromCents(amountCents),
    from: firstDay,
    through: lastDay,
    consequence: consequenceOf(preset),
    ...deliveryOf(preset),
    warning: null,
  }
}

/** The email by which notice was given, as a reader gets it. */
export function emailView(email: NoticeRow['email']): Pick<NoticeView, 'email' | 'emailReminderId'> {
  if (!email) return { email: null, emailReminderId: null }
  const { reminderId, ...sent } = email
  return { email: sent, emailReminderId: reminderId }
}

/** A window that is open, or will be; `reason` is why it is about to close without notice, if it is. */
export function comingView(
  { contract, rule, days, derivation }: WithWindow,
  { today, reason }: { today: Day; reason?: WhyNoEmail | undefined },
): NoticeView {
  const { contractId, customerName, renewalDate, amountCents, nextAmountCents } = contract
  return {
    contractId,
    customerName,
    renewalDate,
    amount: amountFromCents(nextAmountCents ?? amountCents),
    ...days,
    derivation,
    means: rule.means,
    ruleName: rule.name,
    consequence: consequenceOf(rule.preset),
    ...deliveryOf(rule.preset),
    postedOn: null,
    mailNumber: null,
    delivery: null,
    email: null,
    emailReminderId: null,
    letterReminderId: null,
    warning: reason === undefined ? null : warningView(reason, rule, daysBetween(today, days.through)),
  }
}

function warningView(reason: WhyNoEmail, rule: RemedyRule, daysLeft: number): NoticeWarningView {
  return { daysLeft, reason, why: whyText(reason), remedy: remedyText(reason, rule) }
}
