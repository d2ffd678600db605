import { addDaysIfAny, daysBetween, type Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import { lastDayForNotice, parseNoticePeriod } from '#shared/domain/notice-period.ts'
import type { Line } from '#shared/domain/reminder-plan.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import type { Renews } from '#shared/domain/renews.ts'
import { amountText, CYCLE_NAMES, dateText, daysText, priceText, whenText } from '#server/mail/formats.ts'
import type { Fact } from '#server/mail/letter.ts'

/** What a message about a contract's renewal says. */
export interface ReminderFacts {
  recipient: Line['recipient']
  contractId: number
  customerName: string
  /** The customer's address. */
  email?: string | null
  /** The sender's name. */
  sender: string
  title: string | null
  reference: string | null
  amountCents: Cents
  renewalCycle: RenewalCycle
  renews: Renews
  renewalDate: Day
  noticePeriod: string | null
  /** What is scheduled for the next term; null if that stays the same. */
  nextAmountCents: Cents | null
  nextCycle: RenewalCycle | null
  /** Of a message that confirms a renewal: the term that has begun. */
  renewed?: RenewedTerm | undefined
  /** Whether it is the notice that a rule requires. */
  isNotice?: boolean | undefined
  /** Whether it is mailed as a letter, rather than sent by email. */
  isOnPaper?: boolean | undefined
  /** Whether the message has a link by which its reader answers. */
  isAnswerable?: boolean | undefined
  today: Day
}

/** The first day of a contract's new term, and what the term before cost; null if that is not known. */
export interface RenewedTerm {
  termStart: Day
  before: { amountCents: Cents; renewalCycle: RenewalCycle } | null
}

/** The values of a template's variables. A contract without one of them gets words that fit in its place. */
export function valuesOf(facts: ReminderFacts): Record<string, string> {
  const { title, reference, renewalCycle } = facts
  const left = leftOf(facts)
  const amount = amountText(facts.amountCents)
  const terms = `(${CYCLE_NAMES[renewalCycle]}, ${amount})`
  const names = [title, reference].filter((name) => name !== null).join(', ')
  return {
    customer: facts.customerName,
    company: facts.sender,
    contract: names ? `${names} ${terms}` : terms,
    title: title ?? 'contract',
    reference: reference ?? String(facts.contractId),
    amount,
    cycle: CYCLE_NAMES[renewalCycle],
    newAmount: amountText(facts.nextAmountCents ?? facts.amountCents),
    newCycle: CYCLE_NAMES[facts.nextCycle ?? renewalCycle],
    renewalDate: dateOf(facts),
    noticeDate: dateText(lastDayToTell(facts)),
    notice: noticeSentence(facts),
    renewal: renewalSentence(facts),
    price: priceSentence(facts),
    decline: declineSentence(facts),
    when: whenText(left),
    daysLeft: daysText(left),
    daysOverdue: daysText(-left),
    ...(facts.renewed && valuesOfRenewal(facts, facts.renewed)),
  }
}

function valuesOfRenewal(now: ReminderFacts, { termStart, before }: RenewedTerm): Record<string, string> {
  const { amountCents, renewalCycle } = before ?? now
  return {
    startDate: dateText(termStart),
    oldAmount: amountText(amountCents),
    oldCycle: CYCLE_NAMES[renewalCycle],
    changes: changesSentence(now, { amountCents, renewalCycle }),
  }
}

function changesSentence(now: ReminderFacts, before: Pick<ReminderFacts, 'amountCents' | 'renewalCycle'>): string {
  const isSameCycle = now.renewalCycle === before.renewalCycle
  if (isSameCycle && now.amountCents === before.amountCents) return 'The amount and the renewal cycle stay the same.'
  if (isSameCycle) return `Previously, the amount was ${amountText(before.amountCents)}.`
  if (now.amountCents === before.amountCents)
    return `Previously, the contract renewed ${CYCLE_NAMES[before.renewalCycle]}.`
  return `Previously, the contract renewed ${CYCLE_NAMES[before.renewalCycle]} and the amount was ${amountText(before.amountCents)}.`
}

/** A contract's details, after those that say which one it is. */
export function detailsOf(facts: ReminderFacts, date: Fact): Fact[] {
  const { amountCents, renewalCycle, nextAmountCents, nextCycle, renews, renewed } = facts
  const amount = priceText(facts)
  const before = renewed?.before && priceText(renewed.before)
  const next = priceText({ amountCents: nextAmountCents ?? amountCents, renewalCycle: nextCycle ?? renewalCycle })
  const noticeDate = noticeDateOf(facts)
  return [
    ['Amount', amount],
    ...factIf(before !== amount, before ? ['Previous amount', before] : undefined),
    ...factIf(true, renewed && ['New term begins', dateText(renewed.termStart)]),
    ...factIf(renews !== 'never' && next !== amount, ['From the next term', next]),
    date,
    ...factIf(leftOf(facts) >= 0, noticeDate && ['Last day for notice', dateText(noticeDate)]),
  ]
}

/** The title and reference of a contract that has them, after the name of its customer if that is needed. */
export function namesOf({ title, reference }: ReminderFacts, customerName?: string): Fact[] {
  const names = [customerName, title ?? undefined].filter((name) => name !== undefined).join(', ')
  return [...factIf(names !== '', ['Contract', names]), ...factIf(reference !== null, ['Reference', reference ?? ''])]
}

function factIf(isShown: boolean, fact: Fact | undefined): Fact[] {
  return isShown && fact ? [fact] : []
}

/** The last day for notice; undefined without a notice period, and for a contract that does not renew. */
export function noticeDateOf({ renews, renewalDate, noticePeriod }: ReminderFacts): Day | undefined {
  const period = noticePeriod === null ? undefined : parseNoticePeriod(noticePeriod)
  return period && renews !== 'never' ? lastDayForNotice(renewalDate, period) : undefined
}

/** The last day on which something can be said before the contract renews, which is early on its renewal date. */
function lastDayToTell(facts: ReminderFacts): Day {
  return noticeDateOf(facts) ?? addDaysIfAny(facts.renewalDate, -1) ?? facts.renewalDate
}

function renewalSentence(facts: ReminderFacts): string {
  return `It renews automatically on ${dateOf(facts)} unless you decline.`
}

function priceSentence({ amountCents, renewalCycle, nextAmountCents, nextCycle }: ReminderFacts): string {
  const now = priceText({ amountCents, renewalCycle })
  const next = priceText({ amountCents: nextAmountCents ?? amountCents, renewalCycle: nextCycle ?? renewalCycle })
  return now === next
    ? `The next term costs ${next}, the same as now.`
    : `The next term costs ${next}. Until then it costs ${now}.`
}

function declineSentence(facts: ReminderFacts): string {
  const day = lastDayToTell(facts)
  const message = facts.isOnPaper ? 'letter' : 'message'
  const how = facts.isAnswerable ? 'answer online or reply' : 'reply'
  return day >= facts.today
    ? `If you do not want it to renew, ${how} to this ${message} by ${dateText(day)} and say so.`
    : `The last day to decline was ${dateText(day)}. If you still do not want it to renew, please reply to this ${message}.`
}

function noticeSentence(facts: ReminderFacts): string {
  const day = lastDayToTell(facts)
  return day >= facts.today
    ? `If you do not want it to renew, please tell us by ${dateText(day)}.`
    : `The last day for notice was ${dateText(day)}.`
}

export function leftOf({ today, renewalDate }: ReminderFacts): number {
  return daysBetween(today, renewalDate)
}

export function dateOf({ renewalDate }: ReminderFacts): string {
  return dateText(renewalDate)
}
