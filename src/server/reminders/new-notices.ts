import sql from 'sql-template-tag'
import { z } from 'zod'
import type { DaySpan } from '#shared/domain/day.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { chunksOf } from '#server/limits/in-parallel.ts'
import { CHOSEN_RULE, ChosenRule } from '#server/notice-rules/chosen-rule.ts'
import { comingNotices, type Emailed, emailedColumns, EmailedRow, isSameEmail } from './coming-emails.ts'
import { IS_OF_TERM } from './plan-notices.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { SUBJECT_TABLES } from './reminder-subject.ts'

const READ_AT_ONCE = 250

const { fields } = columnsOf(ContractEntity, 'k', ['tags'])
const TaggedRow = EmailedRow.extend({ tags: fields.tags, customerTags: fields.tags })
type TaggedRow = z.output<typeof TaggedRow>

/** What decides about a contract's notices, besides its renewal date: tags as the account spells them. */
export type NoticeTerms = Partial<Pick<TaggedRow, 'tags' | 'customerTags' | 'renews' | 'renewalCycle' | 'noticePeriod'>>

/** The notices by email that a change of a contract brings its customer, and the contract as it will be. */
export interface NewNotices {
  row: EmailedRow
  notices: Emailed[]
}

interface Planned {
  account: ReminderAccount
  /** The days on which notices are counted, the first of which is not in the past. */
  span: DaySpan
  /** By contract: what will be otherwise. */
  terms: ReadonlyMap<number, NoticeTerms>
}

/** The notices that there would not be without a change of contracts that keep their renewal dates. */
export async function newNotices(
  ctx: Pick<ReaderContext, 'read' | 'accountId'>,
  { account, span, terms }: Planned,
): Promise<NewNotices[]> {
  const found: NewNotices[] = []
  for (const ids of chunksOf([...terms.keys()], READ_AT_ONCE)) {
    const before = await readTagged(ctx, account, ids)
    const after = await withRules(
      ctx,
      before.map((row) => ({ ...row, ...terms.get(row.contractId) })),
    )
    for (const [at, row] of after.entries()) {
      const [was, is] = [comingNotices(before[at] ?? row, account, span), comingNotices(row, account, span)]
      const notices = is.filter((notice) => !was.some((earlier) => isSameEmail(earlier, notice)))
      if (notices.length > 0) found.push({ row, notices })
    }
  }
  return found
}

/** None of whose term notice was given by letter. */
function readTagged(
  { read, accountId }: Pick<ReaderContext, 'read' | 'accountId'>,
  account: ReminderAccount,
  ids: readonly number[],
) {
  const statement = sql`
    select ${emailedColumns(account)}, k.tags, c.tags as "customerTags" from ${SUBJECT_TABLES}
    where k.account_id = ${accountId} and k.id = any(${[...ids]}::int[])
      and not exists (select from notices n where ${IS_OF_TERM} and n.posted_on is not null) order by k.id`
  return read(statement, TaggedRow)
}

const ChosenRow = z.object({ id: z.int(), chosen: ChosenRule.nullable() })

/** The contracts with the rules that will apply to them. */
async function withRules(
  { read, accountId }: Pick<ReaderContext, 'read' | 'accountId'>,
  rows: readonly TaggedRow[],
): Promise<EmailedRow[]> {
  const asked = rows.map(({ contractId: id, customerId, tags, customerTags }) => ({
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
  return rows.map((row) => ({ ...row, chosen: found.get(row.contractId) ?? null }))
}
