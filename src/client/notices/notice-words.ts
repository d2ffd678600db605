import type { Day } from '#shared/domain/day.ts'
import type { NoticeContent, NoticeMeans } from '#shared/domain/notice-window.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { browserTimeZone, formatDay, formatInstant } from '#client/text/format.ts'

export type NoticeRules = Outputs['noticeRules']['list']
export type NoticeRule = NoticeRules['rules'][number]

const MEANS: Record<NoticeMeans, string> = { email: 'email', letter: 'letter' }

/** 'by email or letter' */
export function meansText(means: readonly NoticeMeans[]): string {
  return `by ${means.map((one) => MEANS[one]).join(' or ')}`
}

export const MEANS_LABELS: Record<NoticeMeans, string> = { email: 'Email', letter: 'Letter' }

export const CONTENT_LABELS: Record<NoticeContent, string> = {
  renews: 'That the contract renews unless the customer declines',
  deadline: 'The last day to decline',
  price: 'The price now and in the next term',
  how_to_decline: 'How to decline',
}

export type Notice = Outputs['notices']['list']['rows'][number]

/** By what it can be shown that notice was given. */
export interface NoticeProof {
  by: NoticeMeans
  text: string
  /** The message of the ledger, if it has a certificate. */
  reminderId: number | null
}

export function proofsOf(notice: Notice): NoticeProof[] {
  const { postedOn, email, emailReminderId, letterReminderId } = notice
  const proofs: NoticeProof[] = []
  if (email) proofs.push({ by: 'email', text: emailText(email), reminderId: emailReminderId })
  if (postedOn !== null) proofs.push({ by: 'letter', text: letterText(notice, postedOn), reminderId: letterReminderId })
  return proofs
}

export function proofText(notice: Notice): string {
  return proofsOf(notice)
    .map(({ text }) => text)
    .join('. ')
}

function emailText({ address, sentAt, deliveredAt }: NonNullable<Notice['email']>): string {
  return `Email to ${address} on ${formatInstant(sentAt, browserTimeZone())}${deliveredAt ? ', delivered' : ''}`
}

function letterText({ mailNumber, delivery, requiredMail }: Notice, postedOn: Day): string {
  if (delivery === 'in_person') return `Letter handed over in person on ${formatDay(postedOn)}`
  // What was marked before deliveries were asked for has only a number.
  const mail = (delivery !== null && requiredMail) || 'certified mail'
  return `Letter mailed on ${formatDay(postedOn)}${mailNumber === null ? '' : `, ${mail} ${mailNumber}`}`
}

/** That a window closed without notice, and what that means. */
export function missedText(consequence: string): string {
  return `No notice was given. Under the rule, this means: ${consequence}.`
}

/** 'Closes in 2 days' */
export function closesText(daysLeft: number): string {
  if (daysLeft === 0) return 'Closes today'
  return daysLeft === 1 ? 'Closes tomorrow' : `Closes in ${daysLeft} days`
}
