import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { NO_LEGAL_ADVICE } from '#shared/domain/notice-presets.ts'
import { isNotComputed, windowRemedy, type NoticeWindow, type NoWindow } from '#shared/domain/notice-window.ts'
import type { DaySpan } from '#shared/domain/day.ts'
import { tagKey } from '#shared/domain/tags.ts'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ChooseNoticeRule, NoticeChoice } from '#shared/schemas/notice-rules.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { replan } from '#server/ledger/schedule.ts'
import { NoticedContract, noticedColumns, windowOfContract, type ChosenRule } from './chosen-rule.ts'
import { noticeRuleView, type NoticeRuleView } from './notice-rule.view.ts'

/** The choice of a contract, or of a customer for its contracts. */
export interface NoticeChoiceView {
  own: NoticeChoice
}

/** Between which days a contract's customer must be given notice, by which rule, and why that one. */
export interface NoticeWindowView extends NoticeChoiceView {
  /** Null if no rule applies. */
  rule: NoticeRuleView | null
  /** For what that was chosen; null if nothing was. */
  chosenFor: ChosenRule['by'] | null
  tag: string | null
  /** The first and the last day, both included; null if the rule gives none. */
  window: DaySpan | null
  /** How the window follows from the rule, or why there is none. */
  derivation: string | null
  why: NoWindow | null
  /** What the owner can do where the window cannot be computed; null where it can, or no notice is due. */
  remedy: string | null
  advice: string
}

const OwnRow = z.object({ isChosen: z.boolean(), ruleId: z.int().nullable() })

/**
 * Chooses a rule, none, or what is chosen less specifically, for a contract, a customer, a tag or the account. Planned at
 * once. @throws NOTICE_RULE_NOT_FOUND, CONTRACT_NOT_FOUND, CUSTOMER_NOT_FOUND, TAG_NOT_FOUND
 */
export async function chooseNoticeRule(ctx: SubscriberContext, chosen: ChooseNoticeRule): Promise<NoticeChoiceView> {
  const { write, accountId, services } = ctx
  await replan(write, { accountId, now: services.now() })
  const { contractId = null, customerId = null, tag, rule } = chosen
  await requireAll(ctx, chosen)
  const key = tag === undefined ? null : tagKey(tag)
  if (rule === 'inherited') {
    await write(sql`
      delete from notice_choices where account_id = ${accountId} and contract_id is not distinct from ${contractId}::int
        and customer_id is not distinct from ${customerId}::int and tag_key is not distinct from ${key}::text`)
    return { own: rule }
  }
  const ruleId = rule === 'none' ? null : rule
  const statement = sql`
    insert into notice_choices (account_id, contract_id, customer_id, tag_key, rule_id)
    values (${accountId}, ${contractId}, ${customerId}, ${key}, ${ruleId})
    on conflict (account_id, contract_id, customer_id, tag_key) do update set rule_id = excluded.rule_id`
  await write(statement)
  return { own: rule }
}

/** A contract in the trash, and a tag that the account does not have, are not found. What is found stays until the end. */
async function requireAll({ write, accountId }: SubscriberContext, named: ChooseNoticeRule): Promise<void> {
  const { contractId, customerId, tag, rule } = named
  const exists = async (found: Sql, refusal: RefusalKey) => {
    const [row] = await write(sql`select id from ${found} for key share`)
    if (!row) throw new AppError(refusal)
  }
  const of = (table: string, id: number) => sql`${raw(table)} where account_id = ${accountId} and id = ${id}`
  if (contractId !== undefined) await exists(of('contracts', contractId), 'CONTRACT_NOT_FOUND')
  if (customerId !== undefined) await exists(of('customers', customerId), 'CUSTOMER_NOT_FOUND')
  if (tag !== undefined)
    await exists(sql`tags where account_id = ${accountId} and key = ${tagKey(tag)}`, 'TAG_NOT_FOUND')
  if (typeof rule === 'number') await exists(of('notice_rules', rule), 'NOTICE_RULE_NOT_FOUND')
}

const ContractRow = NoticedContract.extend({ own: OwnRow })

/** A contract's notice window, with how it was derived. @throws CONTRACT_NOT_FOUND */
export async function noticeWindowOfContract(
  { read, accountId }: ReaderContext,
  { id }: ById,
): Promise<NoticeWindowView> {
  const statement = sql`
    select ${noticedColumns()}, (select json_build_object('isChosen', count(*) > 0, 'ruleId', min(o.rule_id))
      from notice_choices o where o.account_id = k.account_id and o.contract_id = k.id) as own
    from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
    where k.account_id = ${accountId} and k.id = ${id}`
  const [row] = await read(statement, ContractRow)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  const window = windowOfContract(row)
  return {
    own: choiceOf(row.own),
    rule: row.chosen?.rule ? noticeRuleView(row.chosen.rule) : null,
    chosenFor: row.chosen?.by ?? null,
    tag: row.chosen?.tag ?? null,
    window: window?.days ?? null,
    derivation: window?.derivation ?? null,
    ...whyNone(window),
    advice: NO_LEGAL_ADVICE,
  }
}

function whyNone(window: NoticeWindow | undefined): Pick<NoticeWindowView, 'why' | 'remedy'> {
  if (!window || window.days) return { why: null, remedy: null }
  return { why: window.why, remedy: isNotComputed(window.why) ? windowRemedy(window.why) : null }
}

/** What is chosen for a customer's contracts. @throws CUSTOMER_NOT_FOUND */
export async function noticeChoiceOfCustomer(
  { read, accountId }: ReaderContext,
  { id }: ById,
): Promise<NoticeChoiceView> {
  const statement = sql`
    select (select json_build_object('isChosen', count(*) > 0, 'ruleId', min(o.rule_id))
      from notice_choices o where o.account_id = c.account_id and o.customer_id = c.id) as own
    from customers c where c.account_id = ${accountId} and c.id = ${id}`
  const [row] = await read(statement, z.object({ own: OwnRow }))
  if (!row) throw new AppError('CUSTOMER_NOT_FOUND')
  return { own: choiceOf(row.own) }
}

function choiceOf({ isChosen, ruleId }: z.output<typeof OwnRow>): NoticeChoice {
  return isChosen ? (ruleId ?? 'none') : 'inherited'
}
