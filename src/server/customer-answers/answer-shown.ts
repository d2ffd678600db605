import {
  offerOf,
  type AnswerableContract,
  type AnswerChoice,
  type AnswerEffect,
} from '#shared/domain/customer-answer.ts'
import type { Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import type { AnswerRow } from './answer.rows.ts'
import type { AnswerObstacle, Linked } from './answered-contract.ts'

/** The next term as the customer is offered it. */
export interface NextTerm {
  startDate: Day
  renewalDate: Day
  amountCents: Cents
  renewalCycle: RenewalCycle
}

/** What the page behind a link shows. */
export interface AnswerPage {
  accountId: number
  linked: Linked
  /** The contract as it was offered, before an answer that can still be changed. */
  contract: AnswerableContract
  next: NextTerm
  /** The answer that counts, if there is one that the link may show. */
  answer: AnswerRow | undefined
  /** Whether this link gave it. */
  isOwn: boolean
  /** Whether the link gave it and can still change it. */
  canChange: boolean
  /** Why nothing can be answered, also where there is an answer; undefined if something can. */
  obstacle: AnswerObstacle | undefined
  /** What each answer would do. */
  effects: Record<AnswerChoice, AnswerEffect>
  /** On which day the contract ends if that takes effect at once. */
  endDay: Day
}

/** A page that is shown to somebody. */
export interface OpenedPage extends AnswerPage {
  /** What a form has to send with an answer. */
  pageToken: string
}

/**
 * What a page shows of what an answer is about and would do, as one text: as long as it is the same, so is what the
 * customer agrees to. It depends on the calendar day only where what is shown does.
 */
export function shownText(page: AnswerPage): string {
  const { linked, contract, next, answer, canChange, obstacle, effects, endDay } = page
  if (obstacle || (answer && !canChange)) return 'nothing to answer'
  const { title, reference, customerName } = linked.contract
  const { name, postalAddress } = linked.company
  const { startDate, renewalDate, amountCents, renewalCycle } = next
  return JSON.stringify({
    parties: [name, postalAddress, customerName],
    contract: [title, reference, shownPdf(page)],
    offer: Object.values(offerOf(contract)),
    next: [startDate, renewalDate, amountCents, renewalCycle],
    effects: [effects.renew, effects.change, effects.end, endDay],
  })
}

/** Where the PDF is stored that customers can open; null if there is none. Each that replaces it is stored elsewhere. */
export function shownPdf({ linked, obstacle }: Pick<AnswerPage, 'linked' | 'obstacle'>): string | null {
  return linked.preferences.showsPdf && !obstacle ? linked.contract.pdfPath : null
}
