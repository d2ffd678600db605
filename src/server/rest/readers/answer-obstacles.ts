import { isSameOffer } from '#shared/domain/customer-answer.ts'
import type { AnswerPage } from '#server/customer-answers/answer-shown.ts'
import type { AnswerObstacle } from '#server/customer-answers/answered-contract.ts'
import { escapeHtml } from '#server/mail/escape-html.ts'

/** Why a page takes no answer; empty if it does, or if an answer is shown that still counts. */
export function obstacleHtml(page: AnswerPage, sender: string): string {
  const { answer, obstacle } = page
  if (!obstacle) return ''
  return answer && !isOutdated(page) ? '' : `<p class="notice">${escapeHtml(OBSTACLES[obstacle](sender))}</p>`
}

/** The answer waits, but about what the contract offered before it was changed. */
export function isOutdated({ answer, obstacle, linked }: AnswerPage): boolean {
  return obstacle === 'changed' && answer?.state === 'waiting' && !isSameOffer(answer.offer, linked.contract)
}

const OBSTACLES: Record<AnswerObstacle, (sender: string) => string> = {
  revoked: (sender) =>
    `This link has been withdrawn by ${sender}. Please use the latest message, or contact ${sender}.`,
  renewed: (sender) => `This contract has been renewed since. If you have a question, please contact ${sender}.`,
  closed: (sender) => `This contract is closed. If you have a question, please contact ${sender}.`,
  ending: (sender) => `It has been decided that this contract ends. If you have a question, please contact ${sender}.`,
  changed: (sender) =>
    `${sender} has changed this contract since the message was sent. Please use the latest message, or contact ${sender}.`,
  off: (sender) => `This contract cannot be answered here. Please contact ${sender}.`,
  too_late: (sender) => `The last day to answer here has passed. Please contact ${sender}.`,
  no_access: (sender) => `This contract cannot be answered here at the moment. Please contact ${sender}.`,
}
