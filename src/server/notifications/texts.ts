import type { Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import type { Line } from '#shared/domain/reminder-plan.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import type { Renews } from '#shared/domain/renews.ts'
import { REMINDER_REASONS, type ReminderReason } from '#shared/schemas/reminders.ts'
import { answeredText, skippedAnswerEmailText, type AnsweredFacts, type SkippedAnswerEmail } from './answered-text.ts'
import { severalText, type SeveralFacts } from './several-text.ts'
import { noticeAtRiskText, noticesAtRiskText, type NoticeAtRisk } from './notice-texts.ts'
import { amountText, CYCLE_NAMES, dateText, daysText, emailsText, whenText } from '#server/mail/formats.ts'

/** Those with a badge; all others are `other`. */
export const NOTIFICATION_TYPES = ['renewal_reminder', 'overdue', 'follow_up', 'other'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

interface Terms {
  contractId: number
  customerName: string
  title: string | null
  amountCents: Cents
  renewalCycle: RenewalCycle
}

interface Contract extends Terms {
  renews: Renews
  renewalDate: Day
  /** Below zero once the renewal date has passed. */
  daysLeft: number
}

/** The reader of an email: a customer, or somebody at an address that was a customer's. */
interface Reader {
  name: string
  customerId: number | null
}

const FAILED = { reminder: 'A reminder', confirmation: 'The confirmation of a renewal', notice: 'A notice' }

/** The values in each kind of notification. */
interface Facts {
  renewal_reminder: Contract
  overdue: Contract
  follow_up: Contract
  /** The first message waiting for the company name. */
  waiting_for_company: object
  reminder_skipped: { customerName: string; reason: ReminderReason }
  reminder_failed: {
    about: keyof typeof FAILED
    recipient: Line['recipient']
    customerName: string
    reason: ReminderReason
    /** The mail server's response. */
    answer: string | null
  }
  reminders_delayed: { from: Date; through: Date; timeZone: string }
  owner_bounced: { address: string }
  customer_bounced: Reader & { address: string }
  unsubscribed: Reader
  complained: Reader
  subscribed_again: Reader
  mail_stopped: object
  mail_resumed: object
  address_limit: { limit: number }
  /** `limitWithPaidPlan` is null if the account has a paid plan. */
  account_limit: { limit: number; limitWithPaidPlan: number | null }
  closed_addresses_imported: { customers: number }
  customer_answered: AnsweredFacts
  answer_email_skipped: SkippedAnswerEmail
  /** A notice window is about to close without notice; or several are, the first of them on `lastDay`. */
  notice_at_risk: NoticeAtRisk
  notices_at_risk: { count: number; lastDay: Day }
  /** `terms` is how many were begun, more than 1 if some had been missed; the customer may be told by email. */
  renewed_by_itself: Terms & { renewalDate: Day; terms: number; isTold: boolean }
  expired_by_itself: Terms & { renewalDate: Day }
  /** Whether its owner had decided that it ends; otherwise it was overdue for too long. */
  ended_by_itself: Terms & { wasDecided: boolean }
  several_by_themselves: SeveralFacts
}

type Kind = keyof Facts
export type NewNotification = { [K in Kind]: { kind: K } & Facts[K] }[Kind]

interface Text {
  title: string
  message: string
  /** Where a click leads, within the app. */
  actionUrl: string
}

export interface WrittenNotification extends Text {
  type: NotificationType
}

const OVER_LIMIT = 'Messages over the limit wait until the next day, or are skipped if that would be too late.'
const TEXTS: { [K in Kind]: (facts: Facts[K]) => Text } = {
  renewal_reminder: aboutContract,
  overdue: aboutContract,
  follow_up: aboutContract,
  waiting_for_company: () => ({
    title: 'Messages to your customers are waiting',
    message:
      'Enter your company name so that customers know who is writing to them. The messages that are waiting will then be sent.',
    actionUrl: '/company',
  }),
  reminder_skipped: ({ customerName, reason }) => ({
    title: `The reminder to ${customerName} was not sent`,
    message: `${REMINDER_REASONS[reason]}.`,
    actionUrl: '/reminders?tab=ledger&state=skipped',
  }),
  reminder_failed: ({ about, recipient, customerName, reason, answer }) => ({
    title: recipient === 'owner' ? 'Email to your address failed' : `Email to ${customerName} failed`,
    message: `${FAILED[about]} could not be sent. ${REMINDER_REASONS[reason]}${answer === null ? '' : `: ${answer.slice(0, 200)}`}.`,
    actionUrl: '/reminders?tab=ledger&state=failed',
  }),
  reminders_delayed: ({ from, through, timeZone }) => {
    const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone })
    return {
      title: 'Reminders were delayed',
      message: `No reminders were sent from ${clock.format(from)} to ${clock.format(through)}. Missed reminders have been sent since.`,
      actionUrl: '/reminders?tab=ledger',
    }
  },
  owner_bounced: ({ address }) => ({
    title: 'Email to your address bounced',
    message: `${returned(address)} To get reminders by email again, change your address, or mark it as working in your profile.`,
    actionUrl: '/profile',
  }),
  customer_bounced: (reader) => ({
    title: `Email to ${reader.name} bounced`,
    message: `${returned(reader.address)} Correct the address, or mark it as working.`,
    actionUrl: urlOf(reader),
  }),
  unsubscribed: (reader) => ({
    title: `${reader.name} unsubscribed`,
    message: `${reader.name} unsubscribed from email reminders. We will not send to this address unless they subscribe again.`,
    actionUrl: urlOf(reader),
  }),
  complained: (reader) => ({
    title: `${reader.name} reported a reminder as spam`,
    message: `${reader.name} reported a reminder as spam. We will not send to this address unless they subscribe again.`,
    actionUrl: urlOf(reader),
  }),
  subscribed_again: (reader) => ({
    title: `${reader.name} subscribed again`,
    message: `${reader.name} wants email reminders again. We send them according to your settings.`,
    actionUrl: urlOf(reader),
  }),
  mail_stopped: () => ({
    title: 'Messages to your customers are paused',
    message:
      'Too many people complained about them. Your messages are on hold until we have reviewed this. Please contact us.',
    actionUrl: '/reminders',
  }),
  mail_resumed: () => ({
    title: 'Messages to your customers have resumed',
    message:
      'We have reviewed the complaints. The messages that were waiting are now being sent, unless it is too late for them.',
    actionUrl: '/reminders',
  }),
  address_limit: ({ limit }) => ({
    title: 'Messages to a customer are waiting',
    message: `TRAXX sends at most ${emailsText(limit)} a day to one address, counting all senders. ${OVER_LIMIT}`,
    actionUrl: '/reminders?tab=ledger&state=planned',
  }),
  account_limit: ({ limit, limitWithPaidPlan }) => {
    const more = limitWithPaidPlan === null ? '' : ` (${limitWithPaidPlan.toLocaleString('en-US')} with a paid plan)`
    return {
      title: 'Messages to customers are waiting',
      message: `You have reached today's limit of ${emailsText(limit)} to customers${more}. ${OVER_LIMIT}`,
      actionUrl: '/reminders?tab=ledger&state=planned',
    }
  },
  closed_addresses_imported: ({ customers }) => {
    const who =
      customers === 1 ? '1 imported customer has' : `${customers.toLocaleString('en-US')} imported customers have`
    return {
      title: 'Some imported customers will not get emails',
      message: `${who} unsubscribed or reported an email as spam. No emails will be sent to their addresses.`,
      actionUrl: '/customers',
    }
  },
  customer_answered: answeredText,
  answer_email_skipped: skippedAnswerEmailText,
  notice_at_risk: noticeAtRiskText,
  notices_at_risk: noticesAtRiskText,
  renewed_by_itself: ({ renewalDate, terms, isTold, ...contract }) => ({
    title: `${contract.customerName} was renewed`,
    message: `${named(contract)} renewed automatically${terms > 1 ? ` for ${terms} terms` : ''}. It now renews on ${dateText(renewalDate)}.${isTold ? ' The customer gets an email about it today.' : ''}`,
    actionUrl: urlOfContract(contract),
  }),
  expired_by_itself: ({ renewalDate, ...contract }) => ({
    title: `The contract with ${contract.customerName} expired`,
    message: `${named(contract)} expired on ${dateText(renewalDate)}, because it does not renew.`,
    actionUrl: urlOfContract(contract),
  }),
  ended_by_itself: ({ wasDecided, ...contract }) => ({
    title: `The contract with ${contract.customerName} ended`,
    message: wasDecided
      ? `${named(contract)} ended today, as you decided.`
      : `${named(contract)} ended, because it was overdue for as long as your settings allow.`,
    actionUrl: urlOfContract(contract),
  }),
  several_by_themselves: severalText,
}

/** What a notification says, and where it leads. */
export function written<K extends Kind>(one: { kind: K } & Facts[K]): WrittenNotification {
  return { ...TEXTS[one.kind](one), type: NOTIFICATION_TYPES.find((type) => type === one.kind) ?? 'other' }
}

function aboutContract({ daysLeft, renewalDate, renews, ...terms }: Contract): Text {
  const contract = named(terms)
  const actionUrl = urlOfContract(terms)
  const date = dateText(renewalDate)
  if (daysLeft < 0) {
    const message = `${contract} was due for renewal on ${date}.`
    return { title: `Overdue by ${daysText(-daysLeft)}`, message, actionUrl }
  }
  const title = `${renews === 'never' ? 'Ends' : 'Renewal'} ${whenText(daysLeft)}`
  return { title, message: `${contract} ${HAPPENS[renews]} on ${date}.`, actionUrl }
}

const HAPPENS: Record<Renews, string> = {
  automatic: 'renews automatically',
  by_agreement: 'is due for renewal',
  never: 'ends',
}

function named({ renewalCycle, customerName, title, amountCents }: Terms): string {
  const contract = title === null ? 'contract' : `contract "${withoutDirectionMarks(title)}"`
  return `The ${CYCLE_NAMES[renewalCycle]} ${contract} with ${customerName} (${amountText(amountCents)})`
}

function urlOfContract({ contractId }: Terms): string {
  return `/contracts?open=${contractId}`
}

function returned(address: string): string {
  return `Our email to ${address} was returned, so we stopped sending to it.`
}

function urlOf({ customerId }: Reader): string {
  return customerId === null ? '/customers' : `/customers?open=${customerId}`
}
