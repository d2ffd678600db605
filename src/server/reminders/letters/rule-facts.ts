import { PRESETS } from '#shared/domain/notice-presets.ts'
import { dateText } from '#server/mail/formats.ts'
import type { Fact } from '#server/mail/letter.ts'
import type { WindowByRule } from '#server/notice-rules/chosen-rule.ts'

/** What a certificate says of the rule that a notice was given by, and the law that it was taken over from. */
export function ruleFacts({ rule, days, derivation }: WindowByRule): Fact[] {
  const law = rule.preset && PRESETS[rule.preset]
  return [
    ['Rule', rule.name],
    ...(law ? [['Law', `${law.citation}, as read on ${dateText(law.readOn)}`] satisfies Fact] : []),
    ['Notice window', `${dateText(days.from)} to ${dateText(days.through)}`],
    ['How it was counted', derivation],
  ]
}
