import { isOpen } from './contract-status.ts'
import { addDaysIfAny, type Day } from './day.ts'
import type { Cents } from './money.ts'
import { lastDayForNoticeOf } from './notice-period.ts'
import type { Renews } from './renews.ts'
import { obstacleToRenewal, type RenewableContract } from './renewal.ts'
import type { RenewalCycle } from './renewal-cycle.ts'

/** What a customer can answer to a reminder: renew, ask for a change, or not renew. */
export const ANSWER_CHOICES = ['renew', 'change', 'end'] as const
export type AnswerChoice = (typeof ANSWER_CHOICES)[number]

/**
 * What has become of an answer. `done` took effect at once; `waiting` waits for the owner, who accepts or declines it;
 * `withdrawn` was changed by the customer; `overtaken` was dismissed, as the contract had been decided about otherwise, or
 * waited when the contract was deleted for good.
 */
export const ANSWER_STATES = ['waiting', 'done', 'accepted', 'declined', 'withdrawn', 'overtaken'] as const
export type AnswerState = (typeof ANSWER_STATES)[number]

/** Whether the customer's Renew takes effect at once or waits for the owner. */
export const RENEWAL_EFFECTS = ['at_once', 'waits'] as const
/** Until when customers can answer: the last day for notice, the renewal date, or while the contract is open. */
export const ANSWER_DEADLINES = ['notice', 'renewal', 'open'] as const
/** What happens to a customer's "do not renew" after the last day for notice: it is refused, or waits for the owner. */
export const LATE_ENDS = ['refuse', 'pass_on'] as const

/** How customers answer. */
export interface AnswerPreferences {
  /** Whether reminders have a link for answering. */
  hasLink: boolean
  renewal: (typeof RENEWAL_EFFECTS)[number]
  deadline: (typeof ANSWER_DEADLINES)[number]
  lateEnd: (typeof LATE_ENDS)[number]
  /** Whether customers can open the contract's PDF. */
  showsPdf: boolean
}

/** Nothing happens to a contract without its owner, unless the owner has chosen so. */
export const DEFAULT_ANSWERS: AnswerPreferences = {
  hasLink: true,
  renewal: 'waits',
  deadline: 'open',
  lateEnd: 'pass_on',
  showsPdf: false,
}

/** Some preferences; null leaves the choice to the account, or to the defaults. */
export type OwnAnswerPreferences = { [Name in keyof AnswerPreferences]: AnswerPreferences[Name] | null }

/** The preferences of a contract: its own, else the account's, else the defaults. */
export function answerPreferencesOf(
  account: OwnAnswerPreferences | null,
  own: OwnAnswerPreferences | null,
): AnswerPreferences {
  return {
    hasLink: own?.hasLink ?? account?.hasLink ?? DEFAULT_ANSWERS.hasLink,
    renewal: own?.renewal ?? account?.renewal ?? DEFAULT_ANSWERS.renewal,
    deadline: own?.deadline ?? account?.deadline ?? DEFAULT_ANSWERS.deadline,
    lateEnd: own?.lateEnd ?? account?.lateEnd ?? DEFAULT_ANSWERS.lateEnd,
    showsPdf: own?.showsPdf ?? account?.showsPdf ?? DEFAULT_ANSWERS.showsPdf,
  }
}

/** What a customer is asked about. A link is for one offer: if any of this changes, it no longer works. */
export interface Offer {
  customerId: number
  termNumber: number
  amountCents: Cents
  renewalCycle: RenewalCycle
  renewalDate: Day
  renews: Renews
  /** As `parseNoticePeriod` reads it; null without one. */
  noticePeriod: string | null
  /** What is scheduled for the next term; null if that stays the same. */
  nextAmountCents: Cents | null
  nextCycle: RenewalCycle | null
}

/** A contract as its customer's answer depends on it. */
export interface AnswerableContract extends RenewableContract {
  customerId: number
  noticePeriod: string | null
}

/** What an offer consists of. */
export const OFFERED = [
  'customerId',
  'termNumber',
  'amountCents',
  'renewalCycle',
  'renewalDate',
  'renews',
  'noticePeriod',
  'nextAmountCents',
  'nextCycle',
] as const satisfies (keyof Offer)[]

/** What a contract offers for its next term. */
export function offerOf(contract: Offer): Offer {
  const { customerId, termNumber, amountCents, renewalCycle, renewalDate, renews } = contract
  const { noticePeriod, nextAmountCents, nextCycle } = contract
  return {
    customerId,
    termNumber,
    amountCents,
    renewalCycle,
    renewalDate,
    renews,
    noticePeriod,
    nextAmountCents,
    nextCycle,
  }
}

/** Whether nothing has changed of what a customer was asked about. */
export function isSameOffer(one: Offer, other: Offer): boolean {
  return OFFERED.every((name) => one[name] === other[name])
}

/**
 * The last day on which a customer can say that a contract that renews automatically should not; null for others, which
 * renew only if somebody agrees, and without a notice period.
 */
export function lastDayToDecline(contract: Pick<Offer, 'renews' | 'renewalDate' | 'noticePeriod'>): Day | null {
  return contract.renews === 'automatic' ? lastDayForNoticeOf(contract) : null
}

/** The last day on which customers can answer; null while the contract is open. */
export function answerDeadline(
  contract: Pick<Offer, 'renewalDate' | 'noticePeriod'>,
  { deadline }: Pick<AnswerPreferences, 'deadline'>,
): Day | null {
  if (deadline === 'open') return null
  if (deadline === 'renewal') return contract.renewalDate
  return lastDayForNoticeOf(contract) ?? addDaysIfAny(contract.renewalDate, -1) ?? contract.renewalDate
}

/** Why a link no longer takes an answer. */
export type LinkObstacle = 'revoked' | 'renewed' | 'closed' | 'ending' | 'changed' | 'off' | 'too_late'

interface AnswerLink {
  offer: Offer
  isRevoked: boolean
}

/** Why a link takes no answer today; undefined if it does. */
export function linkObstacle(
  { offer, isRevoked }: AnswerLink,
  contract: AnswerableContract,
  { preferences, today }: { preferences: AnswerPreferences; today: Day },
): LinkObstacle | undefined {
  if (isRevoked) return 'revoked'
  if (contract.termNumber !== offer.termNumber) return 'renewed'
  if (!isOpen(contract.status)) return 'closed'
  if (contract.endsOn !== null) return 'ending'
  if (!isSameOffer(offer, contract)) return 'changed'
  if (!preferences.hasLink) return 'off'
  const deadline = answerDeadline(contract, preferences)
  return deadline !== null && today > deadline ? 'too_late' : undefined
}

/** What an answer does: it takes effect at once, waits for the owner, or is refused because it comes too late. */
export type AnswerEffect = 'at_once' | 'waits' | 'too_late'

/** What an answer given today does. The contract's link must have no obstacle. */
export function effectOf(
  choice: AnswerChoice,
  contract: AnswerableContract,
  { preferences, today }: { preferences: AnswerPreferences; today: Day },
): AnswerEffect {
  if (choice === 'change') return 'waits'
  if (choice === 'renew') {
    // What cannot be renewed as it is, such as beyond the last year of the calendar, needs the owner.
    const isPossible = obstacleToRenewal(contract, { term: contract.termNumber }, today) === undefined
    return preferences.renewal === 'at_once' && isPossible ? 'at_once' : 'waits'
  }
  if (!isLateToDecline(contract, today)) return 'at_once'
  return preferences.lateEnd === 'refuse' ? 'too_late' : 'waits'
}

/** The day on which a contract ends whose customer answers today that it does not renew: today if its renewal date has passed. */
export function endDayOf({ renewalDate }: Pick<Offer, 'renewalDate'>, today: Day): Day {
  return renewalDate < today ? today : renewalDate
}

/** Whether the last day for notice has passed. */
export function isLateToDecline(contract: Pick<Offer, 'renews' | 'renewalDate' | 'noticePeriod'>, today: Day): boolean {
  const last = lastDayToDecline(contract)
  return last !== null && today > last
}

/** The state of an answer: whatever waited when its contract was deleted for good is overtaken. */
export function answerStateOf({ state, contractId }: { state: AnswerState; contractId: number | null }): AnswerState {
  return state === 'waiting' && contractId === null ? 'overtaken' : state
}

/** Whether a contract still shows what an answer about one of its terms did: nobody has undone it. */
export function isInEffect(
  { termNumber, choice }: { termNumber: number; choice: AnswerChoice },
  contract: RenewableContract,
): boolean {
  if (choice !== 'end') return contract.termNumber > termNumber
  return contract.termNumber === termNumber && (!isOpen(contract.status) || contract.endsOn !== null)
}

/** How long a customer can change an answer. */
export const CHANGEABLE_MS = 60 * 60_000

interface GivenAnswer {
  state: AnswerState
  answeredAt: Date
  /** It has taken the place of an earlier answer of the customer. */
  isChange: boolean
}

/** Whether the customer can still change an answer: once, within an hour, and not after the owner's decision. */
export function isChangeable({ state, answeredAt, isChange }: GivenAnswer, now: Date): boolean {
  const isOwn = state === 'waiting' || state === 'done'
  return isOwn && !isChange && now.getTime() - answeredAt.getTime() < CHANGEABLE_MS
}
