import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'

/** A tag of the account, as it spells it. */
export const RuledTag = z.object({
  name: z.string(),
  key: z.string(),
  /** Whether a rule is chosen for it, or that there is none. */
  hasRule: z.boolean(),
})
export type RuledTag = z.output<typeof RuledTag>

/** Reads RuledTags, those tags `t` of an account for which the condition holds. */
export function ruledTags(accountId: number, condition: Sql): Sql {
  return sql`
    select t.name, t.key, exists (
      select from notice_choices o where o.account_id = t.account_id and o.tag_key = t.key) as "hasRule"
    from tags t where t.account_id = ${accountId} and (${condition})`
}
