import sql from 'sql-template-tag'
import { z } from 'zod'
import type { DaySpan } from '#shared/domain/day.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { chunksOf } from '#server/limits/in-parallel.ts'
import { CHOSEN_RULE, ChosenRule, emailDaysOf } from '#server/notice-rules/chosen-rule.ts'
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

/** A contract as it will be, for whose notices by email there are other days than before. */
export interface NewNotices {
  row: EmailedRow
  /** Those that there would not be without the change. */
  notices: Emailed[]
}

interface Planned {
  account: ReminderAccount
  /** The days on which notices are counted, the first of which is not in the past. */
  span: DaySpan
  /** By contract: what will be otherwise. */
  terms: ReadonlyMap<number, NoticeTerms>
}

/** What a change of contracts that keep their renewal dates does to notices. Contracts with the same days as before are left out. */
export async function newNotices(
  ctx: Pick<ReaderContext, 'read' | 'accountId'>,
  { account, span, terms }: Planned,
): Promise<NewNotices[]> {
  const found: NewNotices[] = []
  for (const ids of chunksOf([...terms.keys()], READ_AT_ONCE)) {
    const tagged = await readTagged(ctx, account, ids)
    const changes = await withRules(
      ctx,
      tagged.map((before) => ({ before, after: { ...before, ...terms.get(before.contractId) } })),
    )
    for (const { before, after } of changes) {
      if (!hasOtherDays(before, after)) continue
      const known = comingNotices(before, account, span)
      const notices = comingNotices(after, account, span)
      found.push({ row: after, notices: notices.filter((one) => !known.some((other) => isSameEmail(one, other))) })
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

interface Change<Row> {
  before: Row
  after: Row
}

function hasOtherDays(before: EmailedRow, after: EmailedRow): boolean {
  const [was, is] = [emailDaysOf(before), emailDaysOf(after)]
  return is !== null && (is.from !== was?.from || is.through !== was.through)
}

const ChosenRow = z.object({ id: z.int(), chosen: ChosenRule.nullable() })

/** With the rules that will apply afterward. */
async function withRules(
  { read, accountId }: Pick<ReaderContext, 'read' | 'accountId'>,
  changes: readonly Change<TaggedRow>[],
): Promise<Change<EmailedRow>[]> {
  const asked = changes.map(({ after: { contractId: id, customerId, tags, customerTags } }) => ({
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
  return changes.map(({ before, after }) => ({
    before,
    after: { ...after, chosen: found.get(after.contractId) ?? null },
  }))
}
