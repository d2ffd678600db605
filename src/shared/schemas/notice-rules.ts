import * as z from 'zod/mini'
import { NOTICE_UNITS } from '#shared/domain/notice-period.ts'
import { NOTICE_PRESETS } from '#shared/domain/notice-presets.ts'
import { NOTICE_ANCHORS, NOTICE_CONTENTS, NOTICE_MEANS } from '#shared/domain/notice-window.ts'
import { LONGEST_TAG } from '#shared/domain/tags.ts'
import { Id, name } from './fields.ts'
import { flag, oneOf, wholeNumber } from './filters.ts'

export const LONGEST_RULE_NAME = 80
export const MOST_NOTICE_RULES = 50
const MOST_MONTHS = 24

const isEachOnce = (list: unknown[]) => new Set(list).size === list.length
const TWICE = 'Something is in the list twice'

const RULE = {
  name: name(LONGEST_RULE_NAME, 'Enter a name'),
  unit: oneOf(NOTICE_UNITS),
  /** The first day of the window: this many days or months before the day from which it is counted. */
  from: wholeNumber(0, 365),
  /** Its last day. */
  until: wholeNumber(0, 365),
  countedFrom: oneOf(NOTICE_ANCHORS),
  means: z
    .array(oneOf(NOTICE_MEANS), 'Must be a list')
    .check(z.minLength(1, 'Choose at least one way'), z.refine(isEachOnce, TWICE)),
  contents: z._default(z.array(oneOf(NOTICE_CONTENTS), 'Must be a list').check(z.refine(isEachOnce, TWICE)), []),
  exceptMonthly: z._default(flag(), false),
}

interface Days {
  unit: string
  countedFrom: string
  from: number
  until: number
}

const checks = [
  z.refine<Days>(({ from, until }) => from >= until, {
    path: ['until'],
    error: 'The window must not end before it begins',
  }),
  z.refine<Days>(({ countedFrom, until }) => countedFrom !== 'renewal_date' || until > 0, {
    path: ['until'],
    error: 'Must be at least 1: contracts renew early on their renewal date',
  }),
  z.refine<Days>(({ unit, from }) => unit === 'days' || from <= MOST_MONTHS, {
    path: ['from'],
    error: `Must be at most ${MOST_MONTHS} months`,
  }),
] as const

/** A rule of the account's own. */
export const MakeNoticeRule = z.object(RULE).check(...checks)
export type MakeNoticeRule = z.output<typeof MakeNoticeRule>

export const ChangeNoticeRule = z.object({ ...RULE, id: Id }).check(...checks)
export type ChangeNoticeRule = z.output<typeof ChangeNoticeRule>

/** Takes over a rule from a law. */
export const AdoptNoticeRule = z.object({
  preset: oneOf(NOTICE_PRESETS),
  /** The customers have agreed that notice can be given by email, where the law allows that. */
  emailAgreed: z._default(flag(), false),
})
export type AdoptNoticeRule = z.output<typeof AdoptNoticeRule>

/** 'none': no rule, whatever is chosen less specifically; 'inherited': what is chosen less specifically. */
const Choice = z.union([Id, z.literal('none'), z.literal('inherited')], "Must be a rule's ID, none, or inherited")
export type NoticeChoice = z.output<typeof Choice>

/** Chooses a rule for a contract, a customer's contracts, those with a tag, or all of the account. */
export const ChooseNoticeRule = z
  .object({
    contractId: z.optional(Id),
    customerId: z.optional(Id),
    tag: z.optional(name(LONGEST_TAG, 'Enter a tag')),
    rule: Choice,
  })
  .check(
    z.refine(
      ({ contractId, customerId, tag }) => [contractId, customerId, tag].filter((one) => one !== undefined).length <= 1,
      'Choose for a contract, a customer, or a tag',
    ),
  )
export type ChooseNoticeRule = z.output<typeof ChooseNoticeRule>
