import sql from 'sql-template-tag'
import { z } from 'zod'
import { tagResult, type TagRequest } from '#shared/domain/bulk-change.ts'
import type { Day } from '#shared/domain/day.ts'
import { tagKey } from '#shared/domain/tags.ts'
import type { Selection } from '#shared/schemas/bulk.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { CHOSEN_RULE, ChosenRule, ruleOf, RuleRow } from '#server/notice-rules/chosen-rule.ts'
import { chosenRules, mayHaveWindow } from '#server/notice-rules/noticed-contracts.ts'
import { comingNotices, emailedColumns, EmailedRow, isHeldUp } from '#server/reminders/coming-emails.ts'
import { IS_OF_TERM } from '#server/reminders/plan-notices.ts'
import { readReminderAccount, type ReminderAccount } from '#server/reminders/reminder-account.ts'
import { SUBJECT_TABLES } from '#server/reminders/reminder-subject.ts'
import { selectedContracts } from './selection.ts'

const READ_AT_ONCE = 250

const TAGS = columnsOf(ContractEntity, 'k', ['tags'])
const TaggedRow = EmailedRow.extend(TAGS.fields)
type TaggedRow = z.output<typeof TaggedRow>

/** How many notices by email a change of tags would bring customers today, where rules are chosen for tags. */
export async function countTagNotices(ctx: ReaderContext, contracts: Selection, change: TagRequest): Promise<number> {
  const { read, accountId, today } = ctx
  const named = await readNamedTags(ctx, [...change.add, ...change.remove])
  if (!named.some(({ hasRule }) => hasRule)) return 0
  const rules = (await read(chosenRules(accountId), RuleRow)).map(ruleOf)
  if (rules.length === 0) return 0
  const account = await readReminderAccount(read, accountId)
  if (isHeldUp(account)) return 0
  const spelled = new Map(named.map(({ key, name }) => [key, name]))
  const open = sql`${mayHaveWindow(rules, { from: today, through: today })}
    and not exists (select from notices n where ${IS_OF_TERM} and n.posted_on is not null)`
  let notices = 0
  for (let after = 0; ;) {
    const page = await read(
      sql`select k.id ${selectedContracts(accountId, contracts, today)} and k.id > ${after} and ${open}
        order by k.id limit ${READ_AT_ONCE}`,
      IdRow,
      'each time',
    )
    const ids = page.map(({ id }) => id)
    const tagged = (await readTagged(ctx, ids, account)).flatMap((row) => {
      const result = tagResult(row.tags, change)
      return 'tags' in result ? [{ row, tags: result.tags.map((tag) => spelled.get(tagKey(tag)) ?? tag) }] : []
    })
    notices += countNew(await readChosen(ctx, tagged), account, today)
    const last = ids.at(-1)
    if (last === undefined || ids.length < READ_AT_ONCE) return notices
    after = last
  }
}

const IdRow = z.object({ id: z.int() })

function readTagged({ read, accountId }: ReaderContext, ids: readonly number[], account: ReminderAccount) {
  const statement = sql`
    select ${emailedColumns(account)}, ${TAGS} from ${SUBJECT_TABLES}
    where k.account_id = ${accountId} and k.id = any(${[...ids]}::int[]) order by k.id`
  return read(statement, TaggedRow)
}

const NamedTag = z.object({ name: z.string(), key: z.string(), hasRule: z.boolean() })

/** Those that the account has: for others no rule is chosen. */
function readNamedTags({ read, accountId }: ReaderContext, tags: readonly string[]) {
  const statement = sql`
    select t.name, t.key, exists (
      select from notice_choices o where o.account_id = t.account_id and o.tag_key = t.key) as "hasRule"
    from tags t where t.account_id = ${accountId} and t.key = any(${tags.map(tagKey)}::text[])`
  return read(statement, NamedTag)
}

interface Retagged {
  row: TaggedRow
  tags: string[]
}

const ChosenRow = z.object({ id: z.int(), chosen: ChosenRule.nullable() })

/** The contracts with the rules that will apply to them. */
async function readChosen({ read, accountId }: ReaderContext, tagged: readonly Retagged[]) {
  const asked = tagged.map(({ row: { contractId: id, customerId }, tags }) => ({ id, customerId, tags }))
  const statement = sql`
    select k.id, ${CHOSEN_RULE} as chosen from (
      select ${accountId}::int as account_id, id, "customerId" as customer_id, tags
      from json_to_recordset(${JSON.stringify(asked)}::json) as t(id int, "customerId" int, tags text[])) k
    join customers c on c.account_id = k.account_id and c.id = k.customer_id`
  const found = new Map((await read(statement, ChosenRow, 'each time')).map(({ id, chosen }) => [id, chosen]))
  return tagged.map(({ row }) => ({ before: row, after: { ...row, chosen: found.get(row.contractId) ?? null } }))
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
