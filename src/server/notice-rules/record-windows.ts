import sql, { type Sql } from 'sql-template-tag'
import { addDays, type Day } from '#shared/domain/day.ts'
import { warningReached } from '#shared/domain/notice-warning.ts'
import type { WriteEach } from '#server/db/database.ts'
import { piecesOf } from '#server/db/pieces.ts'
import { WAS_EMAILED } from './notice-emails.ts'
import { RuleRow, ruleOf } from './chosen-rule.ts'
import {
  candidatesOf,
  chosenRules,
  NoticeCandidate,
  windowIds,
  WindowIds,
  WINDOWS_AT_ONCE,
  withWindows,
  type WithWindow,
} from './noticed-contracts.ts'

/** Windows that closed more days ago, while nothing was planned, are not recorded any more. */
const LONGEST_OUTAGE_DAYS = 60

/** The windows of an account that are recorded. */
export interface Recording {
  accountId: number
  today: Day
  /** The last day that was planned before. */
  plannedThrough: Day
}

/** Contracts of an account whose windows are open and close soon. */
export interface ClosingWindows {
  accountId: number
  ids: readonly number[]
}

/**
 * Records, for accounts in which a rule is chosen, the windows that are open or have closed since the last time, as they
 * are by now. Those that no longer are, because a rule, a date or a decision has changed, are removed unless a letter was
 * posted. Returns those that an owner may have to be warned of. Of windows only IDs are kept, as there may be very many.
 */
export async function recordWindows(write: WriteEach, recordings: readonly Recording[]): Promise<ClosingWindows[]> {
  if (recordings.length === 0) return []
  const open = new Map(recordings.map(({ accountId }) => [accountId, noWindows()]))
  for (const pieces of piecesOf(await findWindows(write, recordings), WINDOWS_AT_ONCE)) {
    const asked = pieces.map(({ accountId, ids }) => ({ accountId, statement: candidatesOf(accountId, ids) }))
    const found = await write(asked, NoticeCandidate)
    const windows = pieces.map((piece, index) => ({ ...piece, found: withWindows(found[index] ?? [], piece.days) }))
    for (const { accountId, today, found: some } of windows) {
      const ids = open.get(accountId)
      ids?.all.push(...some.map(idOf))
      ids?.closing.push(...some.filter(({ days }) => warningReached(days.through, today) !== undefined).map(idOf))
    }
    const recorded = windows.filter(({ found: some }) => some.length > 0)
    await write(recorded.map(({ accountId, found: some }) => ({ accountId, statement: recording(accountId, some) })))
  }
  await write(recordings.map(({ accountId, today }) => removal(accountId, open.get(accountId)?.all ?? [], today)))
  return [...open].map(([accountId, { closing }]) => ({ accountId, ids: closing }))
}

function noWindows(): Record<'all' | 'closing', number[]> {
  return { all: [], closing: [] }
}

function idOf({ contract }: WithWindow): number {
  return contract.contractId
}

/** The contracts whose windows may have the days that are to be recorded, of accounts in which a rule is chosen. */
async function findWindows(write: WriteEach, recordings: readonly Recording[]) {
  const asked = recordings.map(({ accountId }) => ({ accountId, statement: chosenRules(accountId) }))
  const rules = (await write(asked, RuleRow)).map((rows) => rows.map(ruleOf))
  const ruled = recordings.flatMap((one, index) => {
    const own = rules[index] ?? []
    const days = { from: firstDay(one.today, one.plannedThrough), through: one.today }
    return own.length > 0 ? [{ ...one, own, days }] : []
  })
  const found = await write(
    ruled.map(({ accountId, own, days }) => ({ accountId, statement: windowIds(accountId, own, days) })),
    WindowIds,
  )
  return ruled.map((one, index) => ({ ...one, ids: found[index]?.[0]?.ids ?? [] }))
}

/** A window that closed on a day that was planned was recorded then, unless no rule was chosen yet. */
function firstDay(today: Day, plannedThrough: Day): Day {
  const earliest = addDays(today, -LONGEST_OUTAGE_DAYS)
  if (plannedThrough < earliest) return earliest
  return plannedThrough >= today ? today : addDays(plannedThrough, 1)
}

function removal(accountId: number, ids: number[], today: Day) {
  return {
    accountId,
    statement: sql`
      delete from notices n where n.account_id = ${accountId} and n.last_day >= ${today} and n.posted_on is null
        and not (n.contract_id = any(${ids}::int[]) and exists (
          select from contracts k where k.account_id = n.account_id and k.id = n.contract_id
            and k.term_number = n.term_number and k.renewal_date = n.renewal_date))
        and not ${WAS_EMAILED}`,
  }
}

/** Adds windows, or brings those that are recorded up to date, as a statement. */
export function recording(accountId: number, windows: readonly WithWindow[]): Sql {
  const rows = windows.map(({ contract, rule, days, derivation }) => {
    const { contractId, customerId, customerName, termNumber, renewalDate, amountCents, nextAmountCents } = contract
    const { name: ruleName, preset, means } = rule
    const of = { contractId, customerId, customerName, termNumber, renewalDate, ruleName, preset, means, derivation }
    return { ...of, amountCents: nextAmountCents ?? amountCents, firstDay: days.from, lastDay: days.through }
  })
  return sql`
    insert into notices as n (account_id, contract_id, customer_id, customer_name, term_number, renewal_date, amount_cents,
      rule_name, preset, means, first_day, last_day, derivation)
    select ${accountId}, w."contractId", w."customerId", w."customerName", w."termNumber", w."renewalDate", w."amountCents",
      w."ruleName", w.preset, array(select json_array_elements_text(w.means)), w."firstDay", w."lastDay", w.derivation
    from json_to_recordset(${JSON.stringify(rows)}::json) as w("contractId" int, "customerId" int, "customerName" text,
      "termNumber" int, "renewalDate" date, "amountCents" bigint, "ruleName" text, preset text, means json,
      "firstDay" date, "lastDay" date, derivation text)
    order by w."contractId"
    on conflict (account_id, contract_id, term_number, renewal_date) do update
      set customer_name = excluded.customer_name, amount_cents = excluded.amount_cents, rule_name = excluded.rule_name,
        preset = excluded.preset, means = excluded.means, first_day = excluded.first_day, last_day = excluded.last_day,
        derivation = excluded.derivation
      where n.posted_on is null and (n.customer_name, n.amount_cents, n.rule_name, n.preset, n.means, n.derivation)
        is distinct from (excluded.customer_name, excluded.amount_cents, excluded.rule_name, excluded.preset,
          excluded.means, excluded.derivation)`
}
