import { NOTICE_CONTENTS, type NoticeContent } from './notice-window.ts'
import { variablesOf } from './reminder-text.ts'

/** What a notice has to say, in words, and the variables that say it: all of one of the lists, of which the first is suggested. */
const CONTENTS: Record<NoticeContent, { says: string; by: readonly (readonly string[])[] }> = {
  renews: { says: 'that the contract renews', by: [['renewal']] },
  deadline: { says: 'the last day to decline', by: [['noticeDate'], ['decline']] },
  // A rise shows only beside the price of today, and a shorter cycle is one too.
  price: { says: 'the price now and in the next term', by: [['price'], ['amount', 'cycle', 'newAmount', 'newCycle']] },
  how_to_decline: { says: 'how to decline', by: [['decline']] },
}

export interface MissingContent {
  variable: string
  /** What the variable says: 'how to decline'. */
  says: string
}

/** What the body of a notice lacks of all that a rule can require, and the variables that would say it. */
export function missingContents(body: string): MissingContent[] {
  const used = variablesOf(body)
  return NOTICE_CONTENTS.flatMap((content) => {
    const { says, by } = CONTENTS[content]
    if (by.some((names) => names.every((name) => used.includes(name)))) return []
    return (by[0] ?? []).map((variable) => ({ variable, says }))
  })
}
