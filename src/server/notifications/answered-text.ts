import type { AnswerChoice } from '#shared/domain/customer-answer.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import type { AnswerKind } from '#shared/domain/reminder-plan.ts'
import { REMINDER_REASONS, type ReminderReason } from '#shared/schemas/reminders.ts'

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

/** An email about an answer that the customer does not get. */
export interface SkippedAnswerEmail {
  about: AnswerKind
  contractId: number
  customerName: string
  /** Of whoever answered. */
  address: string
  reason: ReminderReason
}

/** What the owner reads in the app about an email that did not go to whoever answered, and where it leads. */
export function skippedAnswerEmailText({ about, contractId, customerName, address, reason }: SkippedAnswerEmail) {
  return {
    title: `An email to ${customerName} was not sent`,
    message: `${ABOUT[about]} was not sent to ${address}. ${REMINDER_REASONS[reason]}.`,
    actionUrl: `/contracts?open=${contractId}`,
  }
}

const ABOUT: Record<AnswerKind, string> = {
  answer: 'The confirmation that their answer arrived',
  reply: 'Your decision about their answer',
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
