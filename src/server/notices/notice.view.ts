import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import { amountFromCents } from '#shared/domain/money.ts'
import { consequenceOf } from '#shared/domain/notice-presets.ts'
import type { NoticeMeans } from '#shared/domain/notice-window.ts'
import { columnsOf, instant } from '#server/db/columns.ts'
import { NoticeEntity } from '#server/notice-rules/notice.entity.ts'
import type { WithWindow } from '#server/notice-rules/noticed-contracts.ts'

/** A notice window of one term of a contract, and whether it was kept. */
export interface NoticeView {
  /** Null where the contract was deleted. */
  contractId: number | null
  customerName: string
  renewalDate: Day
  /** What the next term costs, which depends on the notice. */
  amount: number
  /** The first and the last day on which the notice must reach the customer. */
  from: Day
  through: Day
  derivation: string
  means: NoticeMeans[]
  ruleName: string
  /** What a missed window means, by the rule. */
  consequence: string
  /** The day on which the letter was posted, and the number of certified mail. */
  postedOn: Day | null
  mailNumber: string | null
  /** The first email with the notice that did not bounce. */
  email: { address: string; sentAt: Date; deliveredAt: Date | null } | null
}

export const NOTICE = columnsOf(NoticeEntity, 'n', [
  'customerName',
  'renewalDate',
  'amountCents',
  'ruleName',
  'preset',
  'means',
  'firstDay',
  'lastDay',
  'derivation',
  'postedOn',
  'mailNumber',
])
/** A recorded window; its contract is null where it was deleted. */
export const NoticeRow = z.object({
  ...NOTICE.fields,
  contractId: z.int().nullable(),
  email: z.object({ address: z.string(), sentAt: instant, deliveredAt: instant.nullable() }).nullable(),
})
export type NoticeRow = z.output<typeof NoticeRow>

export function recordedView({ amountCents, preset, firstDay, lastDay, ...row }: NoticeRow): NoticeView {
  return {
    ...row,
    amount: amountFromCents(amountCents),
    from: firstDay,
    through: lastDay,
    consequence: consequenceOf(preset),
  }
}

/** A window that is open, or will be. */
export function comingView({ contract, rule, days, derivation }: WithWindow): NoticeView {
  const { contractId, customerName, renewalDate, amountCents, nextAmountCents } = contract
  return {
    contractId,
    customerName,
    renewalDate,
    amount: amountFromCents(nextAmountCents ?? amountCents),
    ...days,
    derivation,
    means: rule.means,
    ruleName: rule.name,
    consequence: consequenceOf(rule.preset),
    postedOn: null,
    mailNumber: null,
    email: null,
  }
}
