import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ruleOf, RuleRow } from '#server/notice-rules/chosen-rule.ts'
import { chosenRules, mayHaveWindow } from '#server/notice-rules/noticed-contracts.ts'
import { emailsOfChanges } from './new-emails.ts'
import { readReminderAccount } from './reminder-account.ts'

/** Contracts whose tags change are looked at up to this many. */
const MOST_LOOKED_AT = 10_000

const { fields } = columnsOf(ContractEntity, 'k', ['id', 'tags'])
const TaggedRow = z.object({ id: fields.id, tags: fields.tags, customerTags: fields.tags })

/** The tags of a contract and those of its customer. */
export type TagsOfBoth = Pick<z.output<typeof TaggedRow>, 'tags' | 'customerTags'>

interface Retagging {
  /** The contracts that it may be about: `from … where …`, after which conditions on `k` may follow. */
  contracts: Sql
  /** By which tags their rules are found afterwards, as the account spells them; undefined where nothing changes. */
  retag: (tags: TagsOfBoth) => TagsOfBoth | undefined
}

/** Notices by email that would go out to customers today, and would not otherwise. */
export interface AnnouncedNotices {
  notices: number
  /** False if there are more contracts than are looked at; there may then be more notices. */
  isAll: boolean
}

export const NO_NOTICES: AnnouncedNotices = { notices: 0, isAll: true }

/** The notices that a change of tags would bring customers today. Asked only where a rule is chosen for one of them. */
export async function countNoticesOfTags(
  ctx: ReaderContext,
  { contracts, retag }: Retagging,
): Promise<AnnouncedNotices> {
  const { read, accountId, today } = ctx
  const rules = (await read(chosenRules(accountId), RuleRow)).map(ruleOf)
  if (rules.length === 0) return NO_NOTICES
  const account = await readReminderAccount(read, accountId)
  const span = { from: today, through: today }
  const statement = sql`
    select k.id, k.tags, c.tags as "customerTags" from (select k.* ${contracts} and ${mayHaveWindow(rules, span)}) k
    join customers c on c.account_id = k.account_id and c.id = k.customer_id order by k.id`
  const changed = (await read(statement, TaggedRow, 'each time')).flatMap(({ id, ...tags }) => {
    const after = retag(tags)
    return after ? [[id, after] as const] : []
  })
  const terms = new Map(changed.slice(0, MOST_LOOKED_AT))
  const found = await emailsOfChanges(ctx, { account, span, terms })
  return {
    notices: found.reduce((sum, { notices }) => sum + notices.length, 0),
    isAll: changed.length <= MOST_LOOKED_AT,
  }
}
