import { daysBetween, type Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import { domainOf, withoutLinks } from '#shared/domain/plain-text.ts'
import type { Line } from '#shared/domain/reminder-plan.ts'
import { fillText, paragraphsOf, type ReminderText, type TextKind } from '#shared/domain/reminder-text.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { amountText, CYCLE_NAMES, dateText, daysText, whenText } from '#server/mail/formats.ts'
import type { Fact, Letter } from '#server/mail/letter.ts'

/** What a message about a contract's renewal says. */
export interface ReminderFacts {
  recipient: Line['recipient']
  contractId: number
  customerName: string
  /** The customer's address. */
  email?: string | null
  /** The sender's name. */
  sender: string
  amountCents: Cents
  renewalCycle: RenewalCycle
  renewalDate: Day
  today: Day
}

/** The rest of a letter: the account's own templates, and its links. */
export interface Wording {
  texts: Record<TextKind, ReminderText>
  /** The contract, within the app. */
  contractUrl: string
  /** Where a customer can stop such messages. */
  unsubscribeUrl?: string | undefined
  /** What customers see of the company besides its name. */
  logoUrl?: string | undefined
  postalAddress?: string | undefined
  /** Whether the text may contain links. */
  mayLink: boolean
  /** Where they can report one. */
  reportUrl?: string | undefined
}

export interface WrittenReminder {
  subject: string
  letter: Letter
}

export const CYCLES: Record<RenewalCycle, string> = { monthly: 'a month', quarterly: 'a quarter', yearly: 'a year' }

/** The words of a reminder or follow-up, by the days left when it is written. */
export function writeReminder(facts: ReminderFacts, wording: Wording): WrittenReminder {
  return facts.recipient === 'customer' ? toCustomer(facts, wording) : toOwner(facts, wording)
}

function toCustomer(facts: ReminderFacts, wording: Wording): WrittenReminder {
  const { subject, body } = wording.texts[leftOf(facts) >= 0 ? 'reminder' : 'follow_up']
  const { sender } = facts
  const values = valuesOf(facts)
  // Values of variables may also be links, or form one together with the text around them.
  const filled = (text: string) => linkedIf(wording.mayLink, fillText(text, values), facts)
  return {
    subject: filled(subject),
    letter: {
      sender,
      logoUrl: wording.logoUrl,
      parts: paragraphsOf(body).map((paragraph) =>
        paragraph === undefined ? { facts: amountAndDate(facts) } : { text: filled(paragraph) },
      ),
      note: `TRAXX sent this email on behalf of ${sender}. You are receiving it because you have a contract with ${sender}.`,
      postalAddress: wording.postalAddress,
      unsubscribeUrl: wording.unsubscribeUrl,
      reportUrl: wording.reportUrl,
    },
  }
}

/** The text, if need be without links other than to the reader's own domain. */
export function linkedIf(mayLink: boolean, text: string, { email }: ReminderFacts): string {
  return mayLink ? text : withoutLinks(text, domainOf(email))
}

/** The values of a template's variables. */
function valuesOf(facts: ReminderFacts): Record<string, string> {
  const left = leftOf(facts)
  return {
    customer: facts.customerName,
    company: facts.sender,
    contract: `(${CYCLE_NAMES[facts.renewalCycle]}, ${amountOf(facts)})`,
    amount: amountOf(facts),
    cycle: CYCLE_NAMES[facts.renewalCycle],
    renewalDate: dateOf(facts),
    when: whenText(left),
    daysLeft: daysText(left),
    daysOverdue: daysText(-left),
  }
}

function toOwner(facts: ReminderFacts, { contractUrl }: Wording): WrittenReminder {
  const left = leftOf(facts)
  const isUpcoming = left >= 0
  const { customerName } = facts
  const says = isUpcoming
    ? `Your contract with ${customerName} renews ${whenText(left)}, on ${dateOf(facts)}.`
    : `Your contract with ${customerName} was due for renewal on ${dateOf(facts)}, ${whenText(left)}, and is still open.`
  return {
    subject: isUpcoming
      ? `${customerName} renews ${whenText(left)}`
      : `${customerName} is overdue by ${daysText(-left)}`,
    letter: {
      sender: 'TRAXX',
      parts: [
        { text: 'Hello,' },
        { text: says },
        { facts: [['Customer', customerName], ...amountAndDate(facts)] },
        { link: { label: 'View contract', url: contractUrl } },
        { text: "When this is settled, update the contract's renewal date or status." },
      ],
      note: 'You are receiving this email because email reminders are turned on in your TRAXX notification settings.',
    },
  }
}

function amountAndDate(facts: ReminderFacts): Fact[] {
  return [
    ['Amount', `${amountOf(facts)} ${CYCLES[facts.renewalCycle]}`],
    ['Renewal date', dateOf(facts)],
  ]
}

export function leftOf({ today, renewalDate }: ReminderFacts): number {
  return daysBetween(today, renewalDate)
}

export function amountOf({ amountCents }: ReminderFacts): string {
  return amountText(amountCents)
}

export function dateOf({ renewalDate }: ReminderFacts): string {
  return dateText(renewalDate)
}
