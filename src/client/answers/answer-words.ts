import type { AnswerChoice } from '#shared/domain/customer-answer.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { CYCLE_LABELS } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import type { Detail } from '#client/ui/detail-list.tsx'

export type Answer = Outputs['answers']['list']['rows'][number]

export const CHOICE_WORDS: Record<AnswerChoice, string> = {
  renew: 'Wants to renew',
  change: 'Asks for a change',
  end: 'Does not want to renew',
}

interface BadgeWords {
  text: string
  color: string
}

/** What has become of an answer, for a badge. */
export function stateBadge({ state, isOvertaken, isLate, decidedAt }: Answer): BadgeWords {
  // Nobody has dismissed it.
  if (state === 'overtaken' && decidedAt === null) return { text: 'Contract deleted', color: 'gray' }
  if (isOvertaken) return { text: 'Contract has changed', color: 'gray' }
  if (state === 'waiting') return isLate ? { text: 'After last day for notice', color: 'red' } : WAITING
  return STATES[state]
}

const WAITING = { text: 'Waiting for you', color: 'yellow' }
const STATES: Record<Exclude<Answer['state'], 'waiting'>, BadgeWords> = {
  done: { text: 'Took effect', color: 'green' },
  accepted: { text: 'Accepted', color: 'green' },
  declined: { text: 'Declined', color: 'red' },
  overtaken: { text: 'Contract has changed', color: 'gray' },
  withdrawn: { text: 'Changed by customer', color: 'gray' },
}

/** What was offered, what was wished, and what was agreed. */
export function answerDetails(answer: Answer): Detail[] {
  const { amount, renewalCycle, nextAmount, nextCycle, renewalDate, wishedAmount, wishedDate, reason, agreed } = answer
  const now = priceText(amount, renewalCycle)
  const next = priceText(nextAmount, nextCycle)
  return [
    { label: 'Renewal Date', value: formatDay(renewalDate) },
    { label: 'Amount', value: now },
    ...(next === now ? [] : [{ label: 'Offered for the Next Term', value: next }]),
    ...(wishedAmount === null ? [] : [{ label: 'Requested Amount', value: formatMoney(wishedAmount) }]),
    ...(wishedDate === null ? [] : [{ label: 'Requested Renewal Date', value: formatDay(wishedDate) }]),
    ...(reason === null ? [] : [{ label: 'Reason', value: reason }]),
    ...(agreed === null ? [] : [{ label: 'Agreed', value: agreedText(agreed) }]),
    { label: 'Link Sent To', value: answer.address },
  ]
}

function priceText(amount: number, cycle: Answer['renewalCycle']): string {
  return `${formatMoney(amount)}, ${CYCLE_LABELS[cycle].toLowerCase()}`
}

function agreedText(agreed: NonNullable<Answer['agreed']>): string {
  if ('endsOn' in agreed) return `Ends on ${formatDay(agreed.endsOn)}`
  return `Renewed until ${formatDay(agreed.renewalDate)} for ${priceText(agreed.amount, agreed.renewalCycle)}`
}

/** The contract of an answer, by what it is for and whose it is. */
export function answerTitle({ customerName, title }: Answer): string {
  return title === null ? customerName : `${customerName}: ${title}`
}
