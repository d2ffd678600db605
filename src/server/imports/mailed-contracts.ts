import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { OPEN_STATUSES } from '#shared/domain/contract-status.ts'
import { addDays, type Day } from '#shared/domain/day.ts'
import { renewalDatesOfWindows } from '#shared/domain/notice-window.ts'
import { asSettled } from '#shared/domain/settled-contract.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { renewalDatesWithOccasions } from '#shared/domain/reminder-occasions.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { CHOSEN_RULE, ChosenRule, ruleOf, RuleRow } from '#server/notice-rules/chosen-rule.ts'
import { chosenRules } from '#server/notice-rules/noticed-contracts.ts'
import type { NewContract } from '#server/reminders/announced-imports.service.ts'
import type { NewEmails } from '#server/reminders/new-emails.ts'
import { OWN_JOINED, OWN_JSON, OwnField, ReadersRow, readersColumns } from '#server/reminders/reminder-subject.ts'
import { tagColumn, withoutRows } from './batch-rows.ts'
import { findExisting, type ExistingContract } from './existing-contracts.ts'
import { knownTags } from './known-tags.ts'
import { matched, named, terms } from './insert-rows.ts'
import type { ContractBatch } from './sheet/batches.ts'
import type { SheetReader } from './sheet/reader.ts'
import { mailOfChanges } from './changes-with-mail.ts'
import { settledBatch } from './settled-batch.ts'
import { bringsMail } from './update-contracts.ts'
import type { ExistingMode } from './write-existing.ts'

/** What decides which contracts of a file may send emails in the coming days. */
interface Asked {
  ctx: ReaderContext
  /** The renewal dates about which reminders are due, and those of contracts whose windows for notices may be open. */
  dates: ReadonlySet<Day>
  reminding: readonly Day[]
  /** Whether the account has chosen any rule for notices. */
  hasRules: boolean
}

/**
 * The contracts that may send emails: those of existing customers, since one that the import creates has no address, those
 * that get another renewal date, and those that keep theirs and get other emails.
 */
export async function* mailedContracts(
  ctx: ReaderContext,
  sheet: SheetReader,
  existing: ExistingMode,
): AsyncGenerator<(NewContract | NewEmails)[]> {
  const asked = await whatMayBeMailed(ctx)
  const { dates } = asked
  for await (const batch of sheet.batches({ renewing: { on: dates, today: ctx.today } })) {
    if (batch.kind !== 'contracts') continue
    const found = existing === 'add' ? undefined : await findExisting(ctx, batch, { lock: false })
    const others = found && found.positions.size > 0 ? withoutRows(batch, found.positions) : batch
    const added = settledBatch(others, ctx.today)
    if (added.columns.renewalDate.some((date) => dates.has(date))) yield newContracts(asked, added)
    const changes = found && existing === 'update' ? found.changes : []
    const moved = changes
      .filter((change) => bringsMail(change, ctx.today))
      .map(({ after }) => asSettled(after, ctx.today))
      .filter(({ renewalDate }) => dates.has(renewalDate))
    if (moved.length > 0) yield withReaders(asked, await movedContracts(asked, moved))
    yield mailOfChanges(
      ctx,
      changes.filter(({ after }) => dates.has(after.renewalDate)),
    )
  }
}

async function whatMayBeMailed(ctx: ReaderContext): Promise<Asked> {
  const span = comingSpan(ctx.today)
  const rules = (await ctx.read(chosenRules(ctx.accountId), RuleRow)).map(ruleOf)
  const reminding = renewalDatesWithOccasions(span)
  const dates = new Set(reminding)
  const noticed = renewalDatesOfWindows(rules, span)
  if (noticed) for (let day = noticed.from; day <= noticed.through; day = addDays(day, 1)) dates.add(day)
  return { ctx, dates, reminding, hasRules: noticed !== null }
}

/** The open contracts of a batch that renew on one of the dates, with their customers. */
async function newContracts(asked: Asked, batch: ContractBatch): Promise<NewContract[]> {
  const { accountId } = asked.ctx
  const tags = tagColumn(asked.hasRules ? await knownTags(asked.ctx, batch.columns.tags) : [])
  return withReaders(
    asked,
    sql`${named(batch)}, ${matched(batch, accountId)},
    soon as materialized (
      select ${accountId}::int as account_id, 0 as id, m.customer_id, i.renewal_date, i.status, i.renewal_cycle,
        null::text as next_cycle, i.renews, i.notice_period, null::date as ends_on,
        ${heldDate(asked.ctx.today)} as held_renewal_date, false as is_muted${tags.value === empty ? NO_TAGS : sql`${tags.value} as tags`}
      from matched m join ${terms(batch)} using (position) ${tags.joined}
      where m.matches = 1 and i.status = any(${OPEN_STATUSES}::text[]) and i.renewal_date = any(${[...asked.dates]}::date[])
        and (i.renews = 'automatic' or i.renewal_date = any(${[...asked.reminding]}::date[])))`,
  )
}

/** The renewal date of a row `i`, if the contract is too far behind to be renewed by itself and waits for its owner. */
function heldDate(today: Day): Sql {
  return sql`case when i.renews <> 'by_agreement' and i.renewal_date <= ${today}::date then i.renewal_date end`
}

const NO_TAGS = sql`, '{}'::text[] as tags`

async function movedContracts({ ctx, hasRules }: Asked, moved: readonly ExistingContract[]): Promise<Sql> {
  const { accountId } = ctx
  const tags = hasRules
    ? await knownTags(
        ctx,
        moved.map((one) => one.tags),
      )
    : []
  const rows = moved.map((contract, at) => {
    const { id, customerId, renewalDate, status, renewalCycle, nextCycle, renews, noticePeriod } = contract
    const { endsOn, heldRenewalDate, mutedRenewalDate } = contract
    const terms = { renewalDate, status, renewalCycle, nextCycle, renews, noticePeriod, endsOn, heldRenewalDate }
    return { id, customerId, ...terms, isMuted: mutedRenewalDate === renewalDate, tags: tags[at] ?? [] }
  })
  return sql`soon as materialized (
      select ${accountId}::int as account_id, id, "customerId" as customer_id, "renewalDate" as renewal_date, status,
        "renewalCycle" as renewal_cycle, "nextCycle" as next_cycle, renews, "noticePeriod" as notice_period,
        "endsOn" as ends_on, "heldRenewalDate" as held_renewal_date, "isMuted" as is_muted, tags
      from json_to_recordset(${JSON.stringify(rows)}::json) as s(id int, "customerId" int, "renewalDate" date, status text,
        "renewalCycle" text, "nextCycle" text, renews text, "noticePeriod" text, "endsOn" date, "heldRenewalDate" date,
        "isMuted" boolean, tags text[]))`
}

/** The contracts of the table expression `soon`, with their customers. */
function withReaders({ ctx: { read, accountId }, hasRules }: Asked, soon: Sql): Promise<NewContract[]> {
  const statement = sql`
    with ${soon},
    reached as materialized (
      select c.id, c.name, c.tags, ${readersColumns(sql`c.account_id`)} from customers c
      where c.account_id = ${accountId} and c.id = any(array(select customer_id from soon)))
    select c.id as "customerId", c.name as "customerName", c.email, c."sendNotifications", c."hasBounced", c.closed, c.contacts,
      k.renewal_date as "renewalDate", k.status, k.renewal_cycle as "renewalCycle", k.next_cycle as "nextCycle", k.renews,
      k.notice_period as "noticePeriod", k.ends_on as "endsOn", k.held_renewal_date as "heldRenewalDate", k.is_muted as "isMuted", ${OWN_JSON}, ${hasRules ? CHOSEN_RULE : sql`null::json`} as chosen
    from soon k join reached c on c.id = k.customer_id ${OWN_JOINED}`
  return read(statement, NewContractRow, 'each time')
}

const TERMS = columnsOf(ContractEntity, 'k', [
  'customerId',
  'status',
  'renewalDate',
  'renewalCycle',
  'nextCycle',
  'renews',
  'noticePeriod',
  'endsOn',
  'heldRenewalDate',
])
const NewContractRow = z.object({
  ...ReadersRow.shape,
  ...TERMS.fields,
  customerName: z.string(),
  isMuted: z.boolean(),
  own: OwnField,
  chosen: ChosenRule.nullable(),
})
