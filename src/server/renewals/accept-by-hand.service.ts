import type { AcceptAnswer } from '#shared/schemas/answers.ts'
import type { SubscriberContext } from '#server/context.ts'
import type { AnswerView } from '#server/customer-answers/answer.view.ts'
import { acceptAnswer } from '#server/customer-answers/answers.service.ts'
import { readEmailsToday } from '#server/reminders/coming-emails.ts'

export interface AcceptedView extends AnswerView {
  /** The addresses to which a reminder or notice about the new renewal date goes out today, besides the reply. */
  emailsToday: string[]
}

/** Accepts a customer's answer, and says who is emailed about the new renewal date today. @throws what `acceptAnswer` throws */
export async function acceptByHand(ctx: SubscriberContext, input: AcceptAnswer): Promise<AcceptedView> {
  const accepted = await acceptAnswer(ctx, input)
  const { contractId } = accepted
  return { ...accepted, emailsToday: contractId === null ? [] : await readEmailsToday(ctx, contractId) }
}
