import sql from 'sql-template-tag'
import { z } from 'zod'
import { isOpen } from '#shared/domain/contract-status.ts'
import type { DaySpan } from '#shared/domain/day.ts'
import { actsOn } from '#shared/domain/settled-contract.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { chunksOf } from '#server/limits/in-parallel.ts'
import { CHOSEN_RULE, ChosenRule, emailDaysOf } from '#server/notice-rules/chosen-rule.ts'
import { comingEmails, type ComingEmails, emailedColumns, EmailedRow, newEmails } from './coming-emails.ts'
import { IS_OF_TERM } from './plan-notices.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { SUBJECT_TABLES } from './reminder-subject.ts'

const READ_AT_ONCE = 250

const { fields } = columnsOf(ContractEntity, 'k', ['tags'])
const TaggedRow = EmailedRow.extend({ tags: fields.tags, customerTags: fields.tags, isPosted: z.boolean() })
type TaggedRow = z.output<typeof TaggedRow>

/** What decides about a contract's emails, besides its renewal date: tags as the account spells them. */
export type MailTerms = Partial<
  Pick<TaggedRow, 'tags' | 'customerTags' | 'status' | 'renews' | 'renewalCycle' | 'noticePeriod'>
>

/** A contract as it will be about which other emails go out than before, with those that would not go out otherwise. */
export interface NewEmails extends ComingEmails {
  row: EmailedRow
}

interface Planned {
  account: ReminderAccount
  /** The days of which emails are counted, the first of which is not in the past. */
  span: DaySpan
  /** By contract: what will be otherwise. */
  terms: ReadonlyMap<number, MailTerms>
}

/**
 * The emails that a change of contracts which keep their renewal dates brings: notices on other days, and follow-ups of one
 * that no longer renews by itself. Contracts about which the change brings neither are left out.
 */
export async function emailsOfChanges(
  ctx: Pick<ReaderContext, 'read' | 'accountId'>,
  { account, span, terms }: Planned,
): Promise<NewEmails[]> {
  const found: NewEmails[] = []
  for (const ids of chunksOf([...terms.keys()], READ_AT_ONCE)) {
    const tagged = await readTagged(ctx, account, ids)
    const changes = await withRules(
      ctx,
      tagged.map((before) => ({ before, after: { ...before, ...terms.get(before.contractId) } })),
    )
    for (const { before, after } of changes) {
      const waits = waitsForOwner(before, after)
      if (!waits && !hasOtherDays(before, after)) continue
      const [was, is] = [before, after].map((row) => comingEmails(row, account, span))
      if (was && is) found.push({ row: after, ...newEmails(is, was) })
    }
  }
  return found
}

function readTagged(
  { read, accountId }: Pick<ReaderContext, 'read' | 'accountId'>,
  account: ReminderAccount,
  ids: readonly number[],
) {
  const statement = sql`
    select ${emailedColumns(account)}, k.tags, c.tags as "customerTags",
      exists (select from notices n where ${IS_OF_TERM} and n.posted_on is not null) as "isPosted"
    from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = any(${[...ids]}::int[]) order by k.id`
  return read(statement, TaggedRow)
}

interface Change<Row> {
  before: Row
  after: Row
}

type Acting = Parameters<typeof actsOn>[0]

/** Nothing happens by itself to the contract any more, so that follow-ups are sent. */
export function waitsForOwner(before: Acting, after: Acting): boolean {
  return isOpen(after.status) && actsOn(before) !== null && actsOn(after) === null
}

function hasOtherDays(before: EmailedRow, after: EmailedRow): boolean {
  const [was, is] = [emailDaysOf(before), emailDaysOf(after)]
  return is !== null && (is.from !== was?.from || is.through !== was.through)
}

const ChosenRow = z.object({ id: z.int(), chosen: ChosenRule.nullable() })

/** With the rules that will apply afterward; none where notice of the term was given by letter. */
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
    after: { ...after, chosen: (!before.isPosted && found.get(before.contractId)) || null },
  }))
}
