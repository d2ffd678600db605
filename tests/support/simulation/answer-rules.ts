import {
  daysLater,
  isOpen,
  type AnswerWishes,
  type Choice,
  type ModelAccount,
  type ModelAnswer,
  type ModelContract,
  type ModelCustomer,
  type ModelLink,
  type ModelOffer,
  type OwnAnswerWishes,
} from './model.ts'
import { monthsBefore } from './notice-days.ts'

export const DEFAULT_WISHES: AnswerWishes = { hasLink: true, renewal: 'waits', deadline: 'open', lateEnd: 'pass_on' }
export const NO_WISHES: OwnAnswerWishes = { hasLink: null, renewal: null, deadline: null, lateEnd: null }

const OFFERED = ['term', 'amount', 'cycle', 'renewalDate', 'renews', 'noticePeriod', 'nextAmount'] as const

export function answerWishesOf({ account, ownAnswers: own }: ModelContract): AnswerWishes {
  const { answers } = account
  return {
    hasLink: own.hasLink ?? answers.hasLink,
    renewal: own.renewal ?? answers.renewal,
    deadline: own.deadline ?? answers.deadline,
    lateEnd: own.lateEnd ?? answers.lateEnd,
  }
}

export function offerOf(contract: ModelOffer): ModelOffer {
  const { term, amount, cycle, renewalDate, renews, noticePeriod, nextAmount } = contract
  return { term, amount, cycle, renewalDate, renews, noticePeriod, nextAmount }
}

export function isSameOffer(one: ModelOffer, other: ModelOffer): boolean {
  return OFFERED.every((name) => one[name] === other[name])
}

/** The last day on which the contract can be ended; undefined without a notice period. */
export function lastDayOf({ renewalDate, noticePeriod }: Pick<ModelOffer, 'renewalDate' | 'noticePeriod'>) {
  if (noticePeriod === null) return undefined
  const [count = '', unit = ''] = noticePeriod.split(' ')
  return unit.startsWith('d') ? daysLater(renewalDate, -Number(count)) : monthsBefore(renewalDate, Number(count))
}

/** Whether the customer can no longer answer, by the settings. */
export function isAfterDeadline(contract: ModelContract, today: string): boolean {
  const { deadline } = answerWishesOf(contract)
  if (deadline === 'open') return false
  if (deadline === 'renewal') return today > contract.renewalDate
  return today > (lastDayOf(contract) ?? daysLater(contract.renewalDate, -1))
}

/** Whether a message to the customer has a link. */
export function hasLink(contract: ModelContract, today: string): boolean {
  return answerWishesOf(contract).hasLink && contract.endsOn === null && !isAfterDeadline(contract, today)
}

/** An answer about what the contract offers now waits for the owner. */
export function isAnswered(contract: ModelContract): boolean {
  return contract.answers.some(({ state, offer }) => state === 'waiting' && isSameOffer(offer, contract))
}

/** The contract shows what an answer did. */
export function isShown({ choice, term }: Pick<ModelAnswer, 'choice' | 'term'>, contract: ModelContract): boolean {
  if (choice !== 'end') return contract.term > term
  return contract.term === term && (contract.endsOn !== null || !isOpen({ ...contract, deletion: null }))
}

/** An email about an answer has something to tell: it was neither changed nor undone. */
export function isToBeTold({ state, decision, ...answer }: ModelAnswer, contract: ModelContract): boolean {
  if (state === 'withdrawn' || contract.deletion) return false
  return decision === null || isShown(answer, contract)
}

/** The newest answer about a term, if it counts for a link about this offer. */
export function standingAnswer(contract: ModelContract, offer: ModelOffer): ModelAnswer | undefined {
  const newest = contract.answers.findLast(({ term, state }) => term === offer.term && state !== 'withdrawn')
  if (!newest || newest.state === 'declined' || newest.state === 'overtaken') return undefined
  const counts = newest.state === 'waiting' ? isSameOffer(newest.offer, offer) : isShown(newest, contract)
  return counts ? newest : undefined
}

/** Where the contact of a link now gets mail, whether or not it gets reminders. */
export function addressNow({ email, contacts }: ModelCustomer, contactId: number): string | undefined {
  const address = contactId === 0 ? email : contacts.find(({ id }) => id === contactId)?.email
  return address?.toLowerCase()
}

interface Asked {
  link: ModelLink
  /** The contract as it is, or was before the answer that is changed. */
  contract: ModelContract
  today: string
}

/** Whether a link takes no answer, whatever that is. */
export function isLinkOver({ link, contract, today }: Asked): boolean {
  const { account, customer } = link.contract
  return (
    link.isRevoked ||
    !isOpen(contract) ||
    contract.endsOn !== null ||
    !isSameOffer(link.offer, contract) ||
    !answerWishesOf(contract).hasLink ||
    isAfterDeadline(contract, today) ||
    addressNow(customer, link.contactId) !== link.address ||
    !account.hasAccess
  )
}

export type Effect = 'at_once' | 'waits' | 'too_late'

/** What an answer does, where its link takes one. */
export function effectOf(choice: Choice, contract: ModelContract, today: string): Effect {
  const { renewal, lateEnd } = answerWishesOf(contract)
  if (choice === 'change') return 'waits'
  if (choice === 'renew') return renewal
  if (!isLate(contract, today)) return 'at_once'
  return lateEnd === 'refuse' ? 'too_late' : 'waits'
}

/** A contract that renews automatically can no longer be declined. */
export function isLate(contract: ModelContract, today: string): boolean {
  const last = contract.renews === 'automatic' ? lastDayOf(contract) : undefined
  return last !== undefined && today > last
}

/** The contract is no longer as its customer was asked about it. */
export function isOvertakenAnswer({ offer, link: { contract } }: ModelAnswer): boolean {
  return !isOpen(contract) || contract.endsOn !== null || !isSameOffer(offer, contract)
}

/** Those of an account's answers that wait for its owner. */
export function waitingAnswers(contracts: Iterable<ModelContract>, account?: ModelAccount): ModelAnswer[] {
  return [...contracts]
    .filter((contract) => account === undefined || contract.account === account)
    .flatMap(({ answers }) => answers.filter(({ state }) => state === 'waiting'))
}
