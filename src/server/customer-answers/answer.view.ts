import sql from 'sql-template-tag'
import { z } from 'zod'
import { answerStateOf, isSameOffer, type AnswerChoice, type AnswerState } from '#shared/domain/customer-answer.ts'
import { isOpen } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import { amountFromCents, type Cents } from '#shared/domain/money.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { IS_ANSWER_PROVED } from '#server/proofs/certificate.service.ts'
import { ANSWER, AnswerRow } from './answer.rows.ts'

const NOW = columnsOf(ContractEntity, 'k', [
  'customerId',
  'status',
  'termNumber',
  'amountCents',
  'renewalCycle',
  'renewalDate',
  'renews',
  'noticePeriod',
  'nextAmountCents',
  'nextCycle',
  'endsOn',
  'title',
  'reference',
])

/** The columns of a ListedAnswer, from answers `w`. The subquery leaves out a contract that is in the trash. */
export const ANSWER_LISTED = sql`${ANSWER}, ${IS_ANSWER_PROVED} as "hasCertificate", (
  select row_to_json(o) from (
    select ${NOW} from contracts k where k.account_id = w.account_id and k.id = w.contract_id) o) as contract`

export const ListedAnswer = AnswerRow.extend({
  hasCertificate: z.boolean(),
  contract: z.object(NOW.fields).nullable(),
})
export type ListedAnswer = z.output<typeof ListedAnswer>

/** A customer's answer as both transports return it. Amounts are US dollars. */
export interface AnswerView {
  id: number
  /** Null where the contract was deleted. */
  contractId: number | null
  customerId: number | null
  customerName: string
  title: string | null
  reference: string | null
  /** The number of the term that it is about. */
  term: number
  choice: AnswerChoice
  state: AnswerState
  /** It waits, but the contract has been changed, renewed, or closed since: it cannot be accepted. */
  isOvertaken: boolean
  /** A "do not renew" after the last day for notice. */
  isLate: boolean
  /** The contract as it was when it was answered. */
  renewalDate: Day
  amount: number
  renewalCycle: RenewalCycle
  /** What the next term would cost, as it was offered. */
  nextAmount: number
  nextCycle: RenewalCycle
  wishedAmount: number | null
  wishedDate: Day | null
  reason: string | null
  /** What the customer wrote. */
  words: string | null
  /** The email address that the link was sent to. */
  address: string
  /** The network that it came from, shortened. */
  network: string | null
  answeredAt: Date
  decidedAt: Date | null
  /** What the owner wrote with the decision. */
  reply: string | null
  /** What became of the contract; null while it waits, and where it was declined. */
  agreed: { renewalDate: Day; amount: number; renewalCycle: RenewalCycle } | { endsOn: Day } | null
  /** An archive has brought it: nothing shows that the customer gave it. */
  isImported: boolean
  /** Whether it is proved. */
  hasCertificate: boolean
}

export function answerView({ contract, offer, agreed, ...row }: ListedAnswer): AnswerView {
  const state = answerStateOf(row)
  return {
    id: row.id,
    contractId: contract ? row.contractId : null,
    customerId: row.customerId,
    customerName: row.customerName,
    title: contract?.title ?? null,
    reference: contract?.reference ?? null,
    term: row.termNumber,
    choice: row.choice,
    state,
    isOvertaken: state === 'waiting' && isOvertaken({ contract, offer }),
    isLate: row.isLate,
    renewalDate: offer.renewalDate,
    amount: amountFromCents(offer.amountCents),
    renewalCycle: offer.renewalCycle,
    nextAmount: amountFromCents(offer.nextAmountCents ?? offer.amountCents),
    nextCycle: offer.nextCycle ?? offer.renewalCycle,
    wishedAmount: dollars(row.wishedAmountCents),
    wishedDate: row.wishedDate,
    reason: row.reason,
    words: row.words,
    address: row.address,
    network: row.network,
    answeredAt: row.answeredAt,
    decidedAt: row.decidedAt,
    reply: row.reply,
    agreed: agreed && agreedView(agreed),
    isImported: row.isImported,
    hasCertificate: row.hasCertificate,
  }
}

/** Whether a contract is no longer as its customer was asked about it. */
export function isOvertaken({ contract, offer }: Pick<ListedAnswer, 'contract' | 'offer'>): boolean {
  return !contract || !isOpen(contract.status) || contract.endsOn !== null || !isSameOffer(offer, contract)
}

function agreedView(agreed: NonNullable<ListedAnswer['agreed']>): AnswerView['agreed'] {
  if ('endsOn' in agreed) return { endsOn: agreed.endsOn }
  const { renewalDate, amountCents, renewalCycle } = agreed
  return { renewalDate, amount: amountFromCents(amountCents), renewalCycle }
}

function dollars(cents: Cents | null): number | null {
  return cents === null ? null : amountFromCents(cents)
}
