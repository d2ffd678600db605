import type { NoticeUnit } from '#shared/domain/notice-period.ts'
import { consequenceOf, deliveryOf, PRESETS, type NoticePresetKey } from '#shared/domain/notice-presets.ts'
import { ruleText, type NoticeAnchor, type NoticeContent, type NoticeMeans } from '#shared/domain/notice-window.ts'
import type { Day } from '#shared/domain/day.ts'
import { ruleOf, type RuleRow } from './chosen-rule.ts'

/** A rule about notices. */
export interface NoticeRuleView {
  id: number
  name: string
  /** The law from which it was taken over; null: the account's own. */
  preset: NoticePresetKey | null
  citation: string | null
  /** The day on which the law was read. */
  readOn: Day | null
  /** How a notice must be given, by the law. */
  how: string | null
  /** The mail by which a letter must be sent unless it is handed over in person; null where any mail counts. */
  requiredMail: string | null
  unit: NoticeUnit
  from: number
  until: number
  countedFrom: NoticeAnchor
  means: NoticeMeans[]
  contents: NoticeContent[]
  exceptMonthly: boolean
  /** Its days in words: "30 to 15 days before the last day for notice". */
  days: string
  /** What a missed window means. */
  consequence: string
}

export function noticeRuleView(row: RuleRow): NoticeRuleView {
  const { id, name, preset, unit, fromCount, untilCount, countedFrom, means, contents, exceptMonthly } = row
  const law = preset && PRESETS[preset]
  return {
    id,
    name,
    preset,
    citation: law?.citation ?? null,
    readOn: law?.readOn ?? null,
    ...deliveryOf(preset),
    unit,
    from: fromCount,
    until: untilCount,
    countedFrom,
    means,
    contents,
    exceptMonthly,
    days: ruleText(ruleOf(row)),
    consequence: consequenceOf(preset),
  }
}
