import { daysBetween, type Day } from '#shared/domain/day.ts'
import { amountFromCents, type Cents } from '#shared/domain/money.ts'
import type { Line } from '#shared/domain/reminder-plan.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { letterHtml, letterText, type Letter } from '#server/mail/letter.ts'

/** What a message about a contract's renewal says. */
export interface ReminderFacts {
  recipient: Line['recipient']
  customerName: string
  /** Under whose name the account writes. */
  sender: string
  amountCents: Cents
  renewalCycle: RenewalCycle
  renewalDate: Day
  today: Day
  /** Where a customer can stop such messages. */
  unsubscribeUrl?: string | undefined
}

export interface WrittenReminder {
  subject: string
  text: string
  html: string
}

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const CYCLES: Record<RenewalCycle, string> = { monthly: 'a month', quarterly: 'a quarter', yearly: 'a year' }

/** The words of a reminder or follow-up, by how many days are left when it is written. */
export function writeReminder(facts: ReminderFacts): WrittenReminder {
  const { subject, letter } = facts.recipient === 'customer' ? toCustomer(facts) : toOwner(facts)
  return { subject, text: letterText(letter), html: letterHtml(subject, letter) }
}

/** The same for the bell and the notifications page. */
export function writeNotice(facts: ReminderFacts): { title: string; message: string } {
  const left = daysBetween(facts.today, facts.renewalDate)
  const contract = `${facts.customerName}: the ${facts.renewalCycle} contract of ${amountOf(facts)}`
  if (left >= 0) return { title: `Renewal ${whenOf(left)}`, message: `${contract} renews on ${dateOf(facts)}.` }
  return { title: `Overdue by ${days(-left)}`, message: `${contract} was due for renewal on ${dateOf(facts)}.` }
}

function toCustomer(facts: ReminderFacts): { subject: string; letter: Letter } {
  const left = daysBetween(facts.today, facts.renewalDate)
  const isAhead = left >= 0
  return {
    subject: isAhead
      ? `Your contract renews on ${dateOf(facts)}`
      : `Your contract was due for renewal on ${dateOf(facts)}`,
    letter: {
      greeting: `Hello ${facts.customerName},`,
      paragraphs: isAhead
        ? [`This is a reminder that your contract with ${facts.sender} renews ${whenOf(left)}, on ${dateOf(facts)}.`]
        : [
            `Your contract with ${facts.sender} was due for renewal on ${dateOf(facts)}, ${days(-left)} ago.`,
            'If you have already been in touch about it, there is nothing more to do.',
          ],
      facts: factsOf(facts),
      closing: ['If you have a question or something has changed, just reply to this message.', '', facts.sender],
      note: `You receive this because you have a contract with ${facts.sender}.`,
      unsubscribeUrl: facts.unsubscribeUrl,
    },
  }
}

function toOwner(facts: ReminderFacts): { subject: string; letter: Letter } {
  const left = daysBetween(facts.today, facts.renewalDate)
  const isAhead = left >= 0
  const { customerName } = facts
  return {
    subject: isAhead ? `${customerName} renews ${whenOf(left)}` : `${customerName} is overdue by ${days(-left)}`,
    letter: {
      greeting: 'Hello,',
      paragraphs: [
        isAhead
          ? `Your contract with ${customerName} renews ${whenOf(left)}, on ${dateOf(facts)}.`
          : `Your contract with ${customerName} was due for renewal on ${dateOf(facts)}, ${days(-left)} ago, and is still open.`,
      ],
      facts: [['Customer', customerName], ...factsOf(facts)],
      closing: ['Once it is settled, give the contract its next renewal date or another status in TRAXX.'],
      note: 'You receive this because reminders by email are turned on in the notification settings of your TRAXX account.',
    },
  }
}

function factsOf(facts: ReminderFacts): Letter['facts'] {
  return [
    ['Amount', `${amountOf(facts)} ${CYCLES[facts.renewalCycle]}`],
    ['Renewal date', dateOf(facts)],
  ]
}

function amountOf({ amountCents }: ReminderFacts): string {
  return money.format(amountFromCents(amountCents))
}

function dateOf({ renewalDate }: ReminderFacts): string {
  return longDay.format(new Date(`${renewalDate}T00:00:00Z`))
}

function whenOf(left: number): string {
  if (left === 0) return 'today'
  return left === 1 ? 'tomorrow' : `in ${days(left)}`
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`
}
