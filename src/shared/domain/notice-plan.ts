import { isOpen } from './contract-status.ts'
import type { Day, DaySpan } from './day.ts'
import {
  unreachableAt,
  type Line,
  type NoCopy,
  type PastMessage,
  type Subject,
  type Unreachable,
} from './reminder-plan.ts'

/** Why no email with a notice is sent to a reader. */
export type NoticeObstacle = 'closed' | 'ending' | 'muted' | 'not_due' | 'too_late' | Unreachable | NoCopy

/** A contract of which its customer must be told. */
export type NoticedSubject = Omit<Subject, 'preferences' | 'history'>

/** What keeps a notice from being sent today; undefined if nothing does. `window` is null if no notice is due by email. */
export function noticeObstacle(
  subject: NoticedSubject,
  line: Line,
  { window, today }: { window: DaySpan | null; today: Day },
): NoticeObstacle | undefined {
  if (!isOpen(subject.contract.status)) return 'closed'
  if (subject.isEnding) return 'ending'
  if (!window || today < window.from) return 'not_due'
  if (today > window.through) return 'too_late'
  if (subject.isMuted) return 'muted'
  return unreachableAt(subject, line)
}

/** A message to the same reader about the same term. */
export interface MessageBefore {
  kind: PastMessage['kind']
  /** The day on which it was sent, or is due. */
  day: Day
  state: 'planned' | 'sending' | 'sent' | 'delivered' | 'bounced' | 'skipped' | 'failed'
  reason: string | null
}

/**
 * Whether a notice goes to a reader today whom nothing keeps from getting it. One that was certainly not sent, or bounced,
 * is tried again on another day; one that the owner skipped is not. A contract is written about once a day, so that a
 * notice waits until tomorrow if something was sent today, or a renewal is about to be confirmed, unless its window closes
 * today.
 */
export function isNoticeDue(
  before: readonly MessageBefore[],
  { window, today }: { window: DaySpan; today: Day },
): boolean {
  // By a rule that has changed since, or while the clock was wrong, one may have been sent on a day outside the window.
  const notices = before.filter(
    (message) => message.kind === 'notice' && (isWaiting(message, today) || isOnDayOf(message, window)),
  )
  if (notices.some((notice) => isSettled(notice) || notice.day >= today)) return false
  const isWrittenTo = before.some((message) => message.day === today && isSentOrAboutToBe(message))
  return !isWrittenTo || today === window.through
}

/** It will be sent as soon as it can be, on whatever day it was due. */
function isWaiting({ state, day }: MessageBefore, today: Day): boolean {
  return (state === 'planned' || state === 'sending') && day <= today
}

function isOnDayOf({ day }: MessageBefore, { from, through }: DaySpan): boolean {
  return day >= from && day <= through
}

/** A reminder that is planned is replaced by the notice; a confirmation is not, and goes out besides. */
function isSentOrAboutToBe({ kind, state }: MessageBefore): boolean {
  return WENT_OUT.includes(state) || (kind === 'confirmation' && state === 'planned')
}

const WENT_OUT: readonly MessageBefore['state'][] = ['sending', 'sent', 'delivered']

function isSettled({ state, reason }: MessageBefore): boolean {
  if (state === 'bounced') return false
  return !(state === 'skipped' || state === 'failed') || reason === 'by_hand' || reason === 'unknown'
}

interface OtherMessage {
  kind: string
  state: string
  sentOn?: Day | null
}

interface Today {
  /** The days of the contract's notice window, if a notice by email is due. */
  window: DaySpan | null
  today: Day
}

/** Whether the reader of these messages gets a notice today, which says all that a reminder of the same contract would. */
export function getsNotice(others: readonly OtherMessage[], { window, today }: Today): boolean {
  const isOpenToday = window !== null && today >= window.from && today <= window.through
  return others.some(({ kind, state, sentOn }) => {
    return kind === 'notice' && ((state === 'planned' && isOpenToday) || state === 'sending' || sentOn === today)
  })
}

/** Whether the reader of these messages has had a notice in the window, or may have. */
export function hasNotice(others: readonly OtherMessage[], { from, through }: DaySpan): boolean {
  return others.some(({ kind, state, sentOn }) => {
    const day = sentOn ?? ''
    const isSent = (state === 'sent' || state === 'delivered') && day >= from && day <= through
    return kind === 'notice' && (isSent || state === 'sending')
  })
}
