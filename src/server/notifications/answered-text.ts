import type { AnswerChoice } from '#shared/domain/customer-answer.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'

/** A customer's answer, for a notification. */
export interface AnsweredFacts {
  contractId: number
  customerName: string
  title: string | null
  choice: AnswerChoice
  /** Whether it has taken effect; otherwise the owner has to decide. */
  isDone: boolean
}

/** What the owner reads in the app about a customer's answer, and where it leads. */
export function answeredText({ contractId, customerName, title, choice, isDone }: AnsweredFacts) {
  const contract = title === null ? 'The contract' : `The contract "${withoutDirectionMarks(title)}"`
  return {
    title: `${customerName} ${ANSWERED[choice]}`,
    message: `${contract} ${isDone ? DONE[choice] : 'stays as it is until you accept or decline the answer'}.`,
    actionUrl: isDone ? `/contracts?open=${contractId}` : '/answers',
  }
}

/** What a customer has answered, after its name. */
export const ANSWERED: Record<AnswerChoice, string> = {
  renew: 'wants to renew',
  change: 'asks for a change',
  end: 'does not want to renew',
}

const DONE: Record<AnswerChoice, string> = {
  renew: 'has been renewed',
  change: 'has been changed',
  end: 'is set to end',
}
