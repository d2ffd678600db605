import { addressNow, isToBeTold } from './answer-rules.ts'
import { fault, textOf } from './fault.ts'
import { daysLater, type Model, type ModelAnswer, type ModelContract, type Row } from './model.ts'

/** After so many days an answer is no news any more. */
const NEWS_DAYS = 7

/** Emails about an answer: that it was given, or what the owner decided. */
export function isAboutAnswer({ kind }: Pick<Row, 'kind'>): boolean {
  return kind === 'answer' || kind === 'reply'
}

export function isTooLateToTell({ day }: Row, today: string): boolean {
  return today > daysLater(day, NEWS_DAYS)
}

/** The answer that an email is about. */
export function answerIn({ answers }: ModelContract, { term, offset }: Row): ModelAnswer | undefined {
  return answers.find((answer) => answer.term === term && answer.number === offset)
}

/** Whether an email about an answer has nothing to tell any more. */
export function isUntold(contract: ModelContract, row: Row): boolean {
  const answer = answerIn(contract, row)
  return isAboutAnswer(row) && !(answer && isToBeTold(answer, contract))
}

/** Whether whoever gave the answer that an email to the customer is about is no longer at the address that answered. */
export function isReaderGone(contract: ModelContract, row: Row): boolean {
  const answer = answerIn(contract, row)
  if (!answer || !isAboutAnswer(row) || row.recipient === 'owner') return false
  return addressNow(contract.customer, answer.contactId) !== answer.link.address
}

/** What was given is told once to the customer and once to the owner, and what was decided once to the customer. */
export function judgeAnswerMails(model: Model, answer: ModelAnswer, kind: 'answer' | 'reply'): void {
  const { link, contactId: giver, term, number } = answer
  const { contract } = link
  const rows = (model.rowsOf.get(contract.id) ?? []).filter(
    (row) => row.kind === kind && row.term === term && row.offset === number,
  )
  const told = rows.map(({ recipient, contactId, state }) => `${recipient} ${contactId} ${state}`).toSorted()
  const customer = `customer ${giver} planned`
  const wanted = kind === 'answer' ? [customer, 'owner 0 planned'] : [customer]
  if (told.join() !== wanted.join())
    fault(model, `contract ${contract.id}: ${kind} ${number} is told to ${told.join(', ') || 'nobody'}`, contract.id)
}

/** An answer that was changed is told to nobody any more, except where that is under way. */
export function judgeWithdrawnMails(model: Model, { link: { contract }, term, number }: ModelAnswer): void {
  for (const row of model.rowsOf.get(contract.id) ?? [])
    if (row.kind === 'answer' && row.term === term && row.offset === number && row.state === 'planned')
      fault(model, `message ${row.id} ${textOf(row)}: tells of an answer that was changed`, contract.id)
}

/** Of an email about an answer that was received. */
export function judgeTold(model: Model, contract: ModelContract, row: Row): void {
  const what = `message ${row.id} ${textOf(row)}`
  const answer = answerIn(contract, row)
  if (!answer) return fault(model, `${what}: there is no such answer`, contract.id)
  if (isUntold(contract, row)) fault(model, `${what}: tells of an answer that was changed or undone`, contract.id)
  const isOther = row.contactId !== answer.contactId || isReaderGone(contract, row)
  if (isOther && row.recipient === 'customer')
    fault(model, `${what}: goes to somebody who has not answered`, contract.id)
  if (row.kind === 'reply' && answer.state !== 'accepted' && answer.state !== 'declined')
    fault(model, `${what}: tells of a decision about an answer that is ${answer.state}`, contract.id)
  model.answers.counts.told += 1
}
