import sql, { type Sql } from 'sql-template-tag'
import { isOpen } from '#shared/domain/contract-status.ts'
import { fieldsChanged } from '#shared/domain/contract-update.ts'
import type { Day } from '#shared/domain/day.ts'
import { asSettled } from '#shared/domain/settled-contract.ts'
import { quietUntil, remindersStartOver } from '#shared/domain/replanning.ts'
import type { SubscriberContext } from '#server/context.ts'
import { planSoon } from '#server/ledger/schedule.ts'
import type { ContractChange, ExistingContract } from './existing-contracts.ts'
import type { InsertOptions } from './insert-rows.ts'

interface UpdateOptions extends Pick<InsertOptions, 'importId'> {
  /** The contracts about whose renewal dates customers are not to be emailed. */
  muted: ReadonlySet<number>
}

/** Those that a row changes at all. */
export function realChanges(changes: readonly ContractChange[]): ContractChange[] {
  return changes.filter(({ before, after }) => fieldsChanged(before, after).length > 0)
}

/** Whether the customer may get emails because of a change: about another renewal date, reminders from the day after it on. */
export function bringsMail(change: ContractChange, today: Day): boolean {
  return isOpen(change.after.status) && startsOver(change, today)
}

/** Whether reminders start over, also because the contract is about to be renewed. */
function startsOver({ before, after }: ContractChange, today: Day): boolean {
  return remindersStartOver(before, after) || remindersStartOver(asSettled(before, today), asSettled(after, today))
}

/**
 * Changes contracts as the rows of a file have them, and keeps what they were, so that undoing the import puts that back.
 * The contracts have to be locked, and their tags spelled as the account has them.
 */
export async function updateContracts(
  ctx: SubscriberContext,
  changes: readonly ContractChange[],
  { importId, muted }: UpdateOptions,
): Promise<void> {
  if (changes.length === 0) return
  const { write, accountId, caller, today } = ctx
  const since = quietUntil(today, caller.timeZone)
  const rows = changes.map((change) => {
    const { before, after } = change
    return {
      ...restorable(after),
      id: after.id,
      remindersSince: startsOver(change, today) ? since : before.remindersSince,
      mutedRenewalDate: muted.has(after.id) ? asSettled(after, today).renewalDate : before.mutedRenewalDate,
      before: restorable(before),
    }
  })
  const ids = rows.map(({ id }) => id)
  await write(sql`
    with n as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as n(id int, ${RESTORABLE}, before jsonb)
    ), k as (${contractsSet(accountId, ids)} returning k.id, k.version)
    insert into import_updates (account_id, import_id, contract_id, before, version_before, version)
    select ${accountId}, ${importId}, k.id, n.before, k.version - 1, k.version from k join n on n.id = k.id
    on conflict (account_id, import_id, contract_id) do update set version = excluded.version`)
  await planSoon(
    ctx,
    changes.map(({ after }) => after),
  )
}

/** What an import changes, and an undone one puts back. */
function restorable(contract: ExistingContract) {
  const { amountCents, startDate, renewalCycle, renewalDate, status, title, renews, noticePeriod, tags } = contract
  const { remindersSince, mutedRenewalDate, editedAt } = contract
  const terms = { amountCents, startDate, renewalCycle, renewalDate, status, title, renews, noticePeriod, tags }
  return { ...terms, remindersSince, mutedRenewalDate, editedAt }
}

/** The same as columns of a record. */
export const RESTORABLE = sql`"amountCents" bigint, "startDate" date, "renewalCycle" text, "renewalDate" date, status text,
  title text, renews text, "noticePeriod" text, tags text[], "remindersSince" timestamptz, "mutedRenewalDate" date,
  "editedAt" timestamptz`

/** Sets them to those of records `n`, which name these contracts by `id`; a condition may follow. */
export function contractsSet(accountId: number, ids: readonly number[]): Sql {
  return sql`
    update contracts k set amount_cents = n."amountCents", start_date = n."startDate", renewal_cycle = n."renewalCycle",
      renewal_date = n."renewalDate", status = n.status, title = n.title, renews = n.renews,
      notice_period = n."noticePeriod", tags = n.tags, reminders_since = n."remindersSince",
      muted_renewal_date = n."mutedRenewalDate"
    from n where k.account_id = ${accountId} and k.id = any(${[...ids]}::int[]) and k.id = n.id`
}
