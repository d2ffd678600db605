import { isOpen, type ContractStatus } from './contract-status.ts'
import { addDays, addMonths, endOfMonth, toDay, type Day, type DaySpan } from './day.ts'
import {
  lastDayForNotice,
  lastDayForNoticeOf,
  latestRenewalOf,
  noticePeriodText,
  type NoticeUnit,
} from './notice-period.ts'
import type { RenewalCycle } from './renewal-cycle.ts'
import type { Renews } from './renews.ts'

/** How a notice can reach the customer. */
export const NOTICE_MEANS = ['email', 'letter'] as const
export type NoticeMeans = (typeof NOTICE_MEANS)[number]

/** How a letter is delivered where a law counts only some ways. */
export const LETTER_DELIVERIES = ['in_person', 'certified_mail'] as const
export type LetterDelivery = (typeof LETTER_DELIVERIES)[number]

/** The day before which a window's days are counted. */
export const NOTICE_ANCHORS = ['renewal_date', 'last_day_for_notice'] as const
export type NoticeAnchor = (typeof NOTICE_ANCHORS)[number]

/** What a rule can require a notice to say. */
export const NOTICE_CONTENTS = ['renews', 'deadline', 'price', 'how_to_decline'] as const
export type NoticeContent = (typeof NOTICE_CONTENTS)[number]

/** Between which days a customer must be given notice that a contract will renew, and by which means that counts. */
export interface NoticeRule {
  unit: NoticeUnit
  /** The window's first day: this many days or months before the anchor. */
  from: number
  /** Its last day; 0 is the anchor itself. Never more than `from`. */
  until: number
  countedFrom: NoticeAnchor
  means: readonly NoticeMeans[]
  contents: readonly NoticeContent[]
  /** Whether contracts whose next term is a month need no notice. */
  exceptMonthly: boolean
}

/** A contract as notice windows are computed from it. */
export interface NoticedTerm {
  status: ContractStatus
  renews: Renews
  renewalDate: Day
  renewalCycle: RenewalCycle
  /** The cycle of the next term; null if that stays the same. */
  nextCycle: RenewalCycle | null
  noticePeriod: string | null
  /** The day on which it ends, if that has been decided. */
  endsOn: Day | null
}

/** Why a contract has no window. */
export const NO_WINDOW = {
  closed: 'The contract is not open',
  ending: 'The contract is set to end',
  not_automatic: 'The contract does not renew automatically',
  monthly: 'The rule does not apply if the next term is a month or less',
  no_last_day: 'The days are counted from the last day for notice, and the contract has no notice period',
  before_calendar: 'The window would begin before the calendar does',
} as const
export type NoWindow = keyof typeof NO_WINDOW

/** Of these the causes by which a notice may well be due, but not when, and what its owner can do. Of the others none is. */
const REMEDIES = {
  no_last_day: 'Add its notice period',
  before_calendar: 'Check its renewal date and notice period',
} as const satisfies Partial<Record<NoWindow, string>>
export type NotComputed = keyof typeof REMEDIES

export function isNotComputed(why: NoWindow): why is NotComputed {
  return why in REMEDIES
}

/** What the owner can do so that the window can be computed. */
export function windowRemedy(why: NotComputed): string {
  return REMEDIES[why]
}

/** From this renewal date on, no window begins before the calendar does. */
export const FIRST_IN_CALENDAR = toDay('1904-01-01')

/** The days on which a notice must reach the customer, both ends included, or why there are none. */
export type NoticeWindow =
  | { days: DaySpan; anchor: Day; derivation: string }
  | { days: null; why: NoWindow; derivation: string }

/** The window of a contract's current term by a rule, with how it was derived, in words. */
export function noticeWindowOf(rule: NoticeRule, term: NoticedTerm): NoticeWindow {
  const why = exempts(rule, term)
  if (why) return none(why)
  const anchor = anchorOf(rule, term)
  if (!anchor) return none(term.noticePeriod === null ? 'no_last_day' : 'before_calendar')
  const from = lastDayForNotice(anchor, { count: rule.from, unit: rule.unit })
  const through = lastDayForNotice(anchor, { count: rule.until, unit: rule.unit })
  if (!from || !through) return none('before_calendar')
  return { days: { from, through }, anchor, derivation: derivationOf(rule, { from, through }, anchor) }
}

function none(why: NoWindow): NoticeWindow {
  return { days: null, why, derivation: NO_WINDOW[why] }
}

function exempts(rule: NoticeRule, { status, endsOn, renews, renewalCycle, nextCycle }: NoticedTerm) {
  if (!isOpen(status)) return 'closed'
  if (endsOn !== null) return 'ending'
  if (renews !== 'automatic') return 'not_automatic'
  return rule.exceptMonthly && (nextCycle ?? renewalCycle) === 'monthly' ? 'monthly' : undefined
}

function anchorOf({ countedFrom }: NoticeRule, term: NoticedTerm): Day | null {
  return countedFrom === 'renewal_date' ? term.renewalDate : lastDayForNoticeOf(term)
}

/**
 * The anchors whose windows may have one of these days: all of them, and in months a few more, whose windows end or begin
 * near that. A filter for a database, of which `noticeWindowOf` then decides.
 */
export function anchorsOfWindows({ unit, from, until }: NoticeRule, days: DaySpan): DaySpan {
  if (unit === 'days') return { from: addDays(days.from, until), through: addDays(days.through, from) }
  return { from: addMonths(days.from, until), through: endOfMonth(addMonths(days.through, from)) }
}

/**
 * The renewal dates of contracts whose windows, by one of these rules, may have one of these days, whatever their notice
 * periods; null if there are no rules. A filter, as `anchorsOfWindows`.
 */
export function renewalDatesOfWindows(rules: readonly NoticeRule[], days: DaySpan): DaySpan | null {
  const spans = rules.map((rule) => {
    const { from, through } = anchorsOfWindows(rule, days)
    return { from, through: rule.countedFrom === 'renewal_date' ? through : latestRenewalOf(through) }
  })
  const [first] = spans.map(({ from }) => from).toSorted()
  const last = spans
    .map(({ through }) => through)
    .toSorted()
    .at(-1)
  return first && last ? { from: first, through: last } : null
}

/** 'Between Jan 31, 2027 and Feb 15, 2027: 30 to 15 days before Mar 2, 2027, the last day for notice' */
function derivationOf(rule: NoticeRule, { from, through }: DaySpan, anchor: Day): string {
  const days = from === through ? `On ${written(from)}` : `Between ${written(from)} and ${written(through)}`
  return `${days}: ${distanceText(rule)} ${written(anchor)}, ${ANCHOR_NAMES[rule.countedFrom]}`
}

const ANCHOR_NAMES: Record<NoticeAnchor, string> = {
  renewal_date: 'the renewal date',
  last_day_for_notice: 'the last day for notice',
}

/** A rule's days without those of a contract: '30 to 15 days before the last day for notice'. */
export function ruleText(rule: NoticeRule): string {
  return `${distanceText(rule)} ${ANCHOR_NAMES[rule.countedFrom]}`
}

function distanceText({ unit, from, until }: NoticeRule): string {
  const farthest = noticePeriodText({ count: from, unit })
  if (from === until) return from === 0 ? 'on' : `${farthest} before`
  return until === 0 ? `at most ${farthest} before` : `${from} to ${noticePeriodText({ count: until, unit })} before`
}

let format: Intl.DateTimeFormat | undefined

function written(day: Day): string {
  // Made when it is first needed, as every page loads the domain.
  format ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}
