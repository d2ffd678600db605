import * as z from 'zod/mini'
import { readTypedAmount } from '#shared/domain/amount-text.ts'
import { ANSWER_CHOICES, ANSWER_DEADLINES, LATE_ENDS, RENEWAL_EFFECTS } from '#shared/domain/customer-answer.ts'
import { ANSWER_LISTS } from './answer-lists.ts'
import { amount, day, Id, lines, spaced } from './fields.ts'
import { oneOf, Page, Slice } from './filters.ts'
import { LONGEST_NOTE } from './renewals.ts'

const flag = z.boolean('Must be true or false')

/** How an account's customers answer its reminders. */
export const AnswerSettings = z.object({
  /** Whether reminders have a link for answering. */
  hasLink: flag,
  /** Whether a customer's Renew takes effect at once or waits for the owner. */
  renewal: oneOf(RENEWAL_EFFECTS),
  /** Until when customers can answer: the last day for notice, the renewal date, or while the contract is open. */
  deadline: oneOf(ANSWER_DEADLINES),
  /** What happens to a "do not renew" after the last day for notice: it is refused, or waits for the owner. */
  lateEnd: oneOf(LATE_ENDS),
  /** Whether customers can open the contract's PDF. */
  showsPdf: flag,
})
export type AnswerSettings = z.output<typeof AnswerSettings>

/** One contract's own settings; null uses the account's. */
export const ContractAnswerSettings = z.object({
  hasLink: z.nullable(flag),
  renewal: z.nullable(AnswerSettings.shape.renewal),
  deadline: z.nullable(AnswerSettings.shape.deadline),
  lateEnd: z.nullable(AnswerSettings.shape.lateEnd),
  showsPdf: z.nullable(flag),
})
export type ContractAnswerSettings = z.output<typeof ContractAnswerSettings>

export const SaveContractAnswers = z.object({ ...ContractAnswerSettings.shape, id: Id })
export type SaveContractAnswers = z.output<typeof SaveContractAnswers>

const filter = { show: z.optional(oneOf(ANSWER_LISTS)), contractId: z.optional(Id) }

export const ListAnswers = z.object({ ...Page.shape, ...filter })
export type ListAnswers = z.output<typeof ListAnswers>

export const SliceAnswers = z.object({ ...Slice.shape, ...filter })

const POSITIVE = 'Amount must be a positive number'
const NOT_A_DAY = 'Must be a date as YYYY-MM-DD'

/** What the owner writes with a decision, which the customer reads in an email. */
const reply = z.optional(z.nullable(lines(LONGEST_NOTE, 'Must not be empty')))

/** Accepts an answer. What is left out of amount and date is as the customer wished, or as the contract says. */
export const AcceptAnswer = z.object({
  id: Id,
  reply,
  /** Of the new term, if the answer renews the contract. */
  amount: z.optional(amount(POSITIVE, POSITIVE)),
  renewalDate: z.optional(day(NOT_A_DAY)),
})
export type AcceptAnswer = z.output<typeof AcceptAnswer>

export const DeclineAnswer = z.object({ id: Id, reply })
export type DeclineAnswer = z.output<typeof DeclineAnswer>

const LONGEST_AMOUNT = 40

/** A field of a form that may be left empty. */
function typed<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.optional(
    z.pipe(
      z.transform((value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)),
      z.optional(schema),
    ),
  )
}

const UNCLEAR = 'Enter the amount as 1200.50'

const typedAmount = z.pipe(
  z.pipe(
    z.string(UNCLEAR).check(z.maxLength(LONGEST_AMOUNT, UNCLEAR)),
    z.transform((written: string) => {
      const read = readTypedAmount(written)
      return typeof read === 'number' ? read : Number.NaN
    }),
  ),
  amount(UNCLEAR, UNCLEAR),
)

/** What a customer enters on the page of an answer link. */
export const EnteredAnswer = z.object({
  choice: oneOf(ANSWER_CHOICES),
  words: typed(lines(LONGEST_NOTE, 'Must not be empty')),
  wishedAmount: typed(typedAmount),
  wishedDate: typed(day(NOT_A_DAY)),
  reason: typed(spaced(100)),
})
export type EnteredAnswer = z.output<typeof EnteredAnswer>
