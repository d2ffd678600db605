import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { chunksOf } from '#server/limits/in-parallel.ts'
import { CHOSEN_RULE, ChosenRule, ruleOf, RuleRow } from '#server/notice-rules/chosen-rule.ts'
import { chosenRules, mayHaveWindow, WindowIds } from '#server/notice-rules/noticed-contracts.ts'
import { comingNotices, emailedColumns, EmailedRow, isHeldUp } from './coming-emails.ts'
import { IS_OF_TERM } from './plan-notices.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { SUBJECT_TABLES } from './reminder-subject.ts'

const READ_AT_ONCE = 250

const { fields } = columnsOf(ContractEntity, 'k', ['tags'])
const TaggedRow = EmailedRow.extend({ tags: fields.tags, customerTags: fields.tags })
type TaggedRow = z.output<typeof TaggedRow>

/** The tags of a contract and those of its customer. */
export type TagsOfBoth = Pick<TaggedRow, 'tags' | 'customerTags'>

interface Retagging {
  /** The contracts that it may be about: `from … where …`, after which conditions on `k` may follow. */
  contracts: Sql
  /** By which tags their rules are found afterwards, as the account spells them; undefined where nothing changes. */
  retag: (tags: TagsOfBoth) => TagsOfBoth | undefined
}

/** How many notices by email a change of tags would bring customers today. Asked only where a rule is chosen for one of them. */
export async function countNoticesOfTags(ctx: ReaderContext, { contracts, retag }: Retagging): Promise<number> {
  const { read, accountId, today } = ctx
  const rules = (await read(chosenRules(accountId), RuleRow)).map(ruleOf)
  if (rules.length === 0) return 0
  const account = await readReminderAccount(read, accountId)
  if (isHeldUp(account)) return 0
  const open = sql`${mayHaveWindow(rules, { from: today, through: today })}
    and not exists (select from notices n where ${IS_OF_TERM} and n.posted_on is not null)`
  const statement = sql`select coalesce(json_agg(k.id order by k.id), '[]') as ids ${contracts} and ${open}`
  const [found] = await read(statement, WindowIds, 'each time')
  let notices = 0
  for (const ids of chunksOf(found?.ids ?? [], READ_AT_ONCE)) {
    const retagged = (await readTagged(ctx, ids, account)).flatMap((row) => {
      const tags = retag(row)
      return tags ? [{ row, tags }] : []
    })
    notices += countNew(await readChosen(ctx, retagged), account, today)
  }
  return notices
}

function readTagged({ read, accountId }: ReaderContext, ids: readonly number[], account: ReminderAccount) {
  const statement = sql`
    select ${emailedColumns(account)}, k.tags, c.tags as "customerTags" from ${SUBJECT_TABLES}
    where k.account_id = ${accountId} and k.id = any(${[...ids]}::int[]) order by k.id`
  return read(statement, TaggedRow)
}

interface Retagged {
  row: TaggedRow
  tags: TagsOfBoth
}

const ChosenRow = z.object({ id: z.int(), chosen: ChosenRule.nullable() })

/** The contracts with the rules that will apply to them. */
async function readChosen({ read, accountId }: ReaderContext, retagged: readonly Retagged[]) {
  const asked = retagged.map(({ row: { contractId: id, customerId }, tags: { tags, customerTags } }) => ({
    id,
    customerId,
    tags,
    customerTags,
  }))
  const statement = sql`
    select k.id, ${CHOSEN_RULE} as chosen from (
      select ${accountId}::int as account_id, id, "customerId" as customer_id, tags, "customerTags" as customer_tags
      from json_to_recordset(${JSON.stringify(asked)}::json)
        as t(id int, "customerId" int, tags text[], "customerTags" text[])) k
    cross join lateral (select k.customer_tags as tags) c`
  const found = new Map((await read(statement, ChosenRow, 'each time')).map(({ id, chosen }) => [id, chosen]))
  return retagged.map(({ row }) => ({ before: row, after: { ...row, chosen: found.get(row.contractId) ?? null } }))
}

interface Change {
  before: EmailedRow
  after: EmailedRow
}

/** The notices of today that there would not be without the change. */
function countNew(changes: readonly Change[], account: ReminderAccount, today: Day): number {
  const noticed = (row: EmailedRow) => comingNotices(row, account, { from: today, through: today })
  return changes.reduce((sum, { before, after }) => {
    const anyway = new Set(noticed(before).map(({ contactId }) => contactId))
    return sum + noticed(after).filter(({ contactId }) => !anyway.has(contactId)).length
  }, 0)
}
