import { endDayOf, type AnswerChoice } from '#shared/domain/customer-answer.ts'
import type { Day } from '#shared/domain/day.ts'
import { centsFromAmount, type Cents } from '#shared/domain/money.ts'
import type { ActingContext } from '#server/context.ts'
import { endContract, renewContract } from '#server/contracts/renewals.service.ts'
import type { Agreed } from './customer-answer.entity.ts'

/** An answer that takes effect. */
interface Effective {
  contractId: number
  termNumber: number
  renewalDate: Day
  choice: AnswerChoice
  /** Of the new term; undefined where it is as scheduled. */
  amountCents?: Cents | undefined
  newRenewalDate?: Day | undefined
  /** Why it does not renew, as the account's list has it. */
  reason: string
  words: string | null
}

/**
 * Renews or ends the contract as the customer answered. One that is not renewed ends on its renewal date, or today if that
 * has passed.
 * @throws what `renewContract` and `endContract` throw
 */
export async function carryOut(ctx: ActingContext, answer: Effective): Promise<Agreed> {
  const { contractId: id, termNumber: term, choice, amountCents, newRenewalDate, reason, words } = answer
  if (choice === 'end') {
    const on = endDayOf(answer, ctx.today)
    await endContract(ctx, { id, reason, note: words, on }, { isKnown: true })
    return { endsOn: on }
  }
  const renewed = await renewContract(ctx, { id, term, amount: amountCents, renewalDate: newRenewalDate })
  const { termStart, renewalCycle, amount } = renewed
  return { termStart, renewalDate: renewed.renewalDate, amountCents: centsFromAmount(amount), renewalCycle }
}
