import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isOpen } from '#shared/domain/contract-status.ts'
import { MOST_UNDONE, type ClosedTerm } from '#shared/domain/renewal.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { AccountMoment } from '#server/ledger/ledger.ts'
import {
  messagesEnded,
  messagesEndedByUndo,
  messagesResumed,
  messagesWithdrawn,
  type EndedMessages,
} from '#server/ledger/terms.ts'
import type { Act } from '#shared/schemas/renewals.ts'
import { ContractEntity } from './contract.entity.ts'

/** What decisions depend on, and what they change. */
export const DECIDED = columnsOf(ContractEntity, 'k', [
  'id',
  'customerId',
  'status',
  'amountCents',
  'renewalCycle',
  'startDate',
  'renewalDate',
  'renews',
  'termNumber',
  'termStart',
  'anchorDate',
  'nextAmountCents',
  'nextCycle',
  'endsOn',
  'heldRenewalDate',
  'remindersSince',
])
export const DecidedContract = z.object(DECIDED.fields)
export type DecidedContract = z.output<typeof DecidedContract>

/** A decision about a contract. */
export interface Decision {
  act: Act
  before: DecidedContract
  after: DecidedContract
  closed?: readonly ClosedTerm[]
  reason?: string | null
  note?: string | null
  /** It only carries out, on its day, an end that was decided before. */
  isContinued?: boolean
}

/**
 * Carries out decisions, as one statement: the contracts change, their closed terms and the decisions are recorded, and
 * messages about what is over are skipped. `result` selects from the changed contracts `k` or the new rows `decided`.
 */
export function carriedOut(decisions: readonly Decision[], { accountId, now }: AccountMoment, result: Sql): Sql {
  const rows = decisions.map(({ act, before, after, reason, note, isContinued = false }) => {
    return { contractId: after.id, act, before, after, reason, note, isContinued }
  })
  const closed = decisions.flatMap(({ after, closed: terms = [] }) =>
    terms.map((term) => ({ ...term, contractId: after.id })),
  )
  const ended = decisions.flatMap(endedMessages)
  const decidedIds = decisions.filter(({ isContinued }) => !isContinued).map(({ after }) => after.id)
  return sql`
    with decisions as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as d("contractId" int, act text, reason text,
        note text, "isContinued" bool, before jsonb, after jsonb)
    ), k as (${contractsChanged(sql`select d.after from decisions d`, accountId)} returning k.*
    ), closed as (
      insert into contract_terms (account_id, contract_id, number, start_date, renewal_date, amount_cents, renewal_cycle,
        decided_at, decided_by)
      select ${accountId}, "contractId", number, "startDate", "renewalDate", "amountCents", "renewalCycle",
        ${now}::timestamptz, current_setting('app.actor')
      from json_to_recordset(${JSON.stringify(closed)}::json) as t("contractId" int, number int, "startDate" date,
        "renewalDate" date, "amountCents" bigint, "renewalCycle" text)
    ), decided as (
      insert into contract_decisions (account_id, contract_id, act, decided_at, decided_by, reason, note, before, after)
      select ${accountId}, "contractId", act, ${now}::timestamptz, current_setting('app.actor'), reason, note, before, after
      from decisions where not "isContinued"
      returning id, contract_id
    ), forgotten as (
      -- Ranked for all of them at once, found by their ids: by one look for each contract, or a join with what is decided, a
      -- change of many is quadratic where the statistics do not know yet how many contracts have decisions.
      delete from contract_decisions c using (
        select id, row_number() over (partition by contract_id order by id desc) as place from contract_decisions
        where account_id = ${accountId} and contract_id = any(${decidedIds}::int[])) o
      where c.account_id = ${accountId} and c.id = o.id and o.place >= ${MOST_UNDONE}
    ), continued as (
      update contract_decisions c set after = c.after || (
        select jsonb_object_agg(key, value) from jsonb_each(d.after) where d.before -> key <> value)
      from decisions d
      where d."isContinued" and c.account_id = ${accountId} and c.id = (
        select max(id) from contract_decisions where account_id = ${accountId} and contract_id = d."contractId")
    ), ended as (${messagesEnded(ended, { accountId, now })}
    )
    ${result}`
}

/** A contract as it was before its newest decision, which is taken back. */
export interface Restoration {
  restored: DecidedContract
  decision: { id: number; decidedAt: Date }
}

/**
 * Takes back the newest decisions of contracts, as one statement: the contracts change, the decisions and their terms are
 * removed, and messages that they had ended are planned again. `result` selects from the changed contracts `k`.
 */
export function decisionsUndone(restorations: readonly Restoration[], at: AccountMoment, result: Sql): Sql {
  const { accountId } = at
  const rows = restorations.map(({ restored, decision }) => ({ restored, decisionId: decision.id }))
  const terms = restorations.map(({ restored }) => ({ contractId: restored.id, lastTerm: restored.termNumber }))
  const ended = restorations.flatMap(({ restored, decision }) =>
    endedMessages({ act: 'reopen', after: restored }).map((one) => ({ ...one, undoneId: decision.id })),
  )
  const resumed = restorations
    .filter(({ restored }) => isOpen(restored.status))
    .map(({ restored: { id: contractId, termNumber, endsOn }, decision: { decidedAt } }) => {
      return { contractId, termNumber, decidedAt, isOwnerOnly: endsOn !== null }
    })
  const changed = sql`
    select t.restored as after, d.decided_by like 'job:%' as "byItself"
    from taken t join contract_decisions d on d.account_id = ${accountId} and d.id = t."decisionId"`
  return sql`
    with taken as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as t(restored jsonb, "decisionId" int)
    ), k as (${contractsChanged(changed, accountId, STILL_MUTED)} returning k.*
    ), decision as (
      delete from contract_decisions where account_id = ${accountId} and id in (select "decisionId" from taken)
    ), terms as (
      delete from contract_terms c using json_to_recordset(${JSON.stringify(terms)}::json)
        as t("contractId" int, "lastTerm" int)
      where c.account_id = ${accountId} and c.contract_id = t."contractId" and c.number >= t."lastTerm"
    ), withdrawn as (${messagesWithdrawn(terms, at)}
    ), ended as (${messagesEndedByUndo(ended, at)}
    ), resumed as (${messagesResumed(resumed, 'decision', at)}
    )
    ${result}`
}

/** Where a renewal by itself is taken back, emails that were off for the next renewal date are off for the one that returns. */
const STILL_MUTED = sql`
  case when changed."byItself" and k.muted_renewal_date = k.renewal_date then n."renewalDate" else k.muted_renewal_date end`

/** Sets the columns that decisions change; `contracts` selects them as JSON. */
export function contractsChanged(contracts: Sql, accountId: number, muted = sql`k.muted_renewal_date`): Sql {
  return sql`
    update contracts k set status = n.status, amount_cents = n."amountCents", renewal_cycle = n."renewalCycle",
      renewal_date = n."renewalDate", term_number = n."termNumber", term_start = n."termStart",
      anchor_date = n."anchorDate", next_amount_cents = n."nextAmountCents", next_cycle = n."nextCycle",
      ends_on = n."endsOn", held_renewal_date = n."heldRenewalDate", reminders_since = n."remindersSince",
      muted_renewal_date = ${muted}
    from (${contracts}) changed cross join lateral jsonb_to_record(changed.after) as n(id int, status text,
      "amountCents" bigint, "renewalCycle" text, "renewalDate" date, "termNumber" int, "termStart" date,
      "anchorDate" date, "nextAmountCents" bigint, "nextCycle" text, "endsOn" date, "heldRenewalDate" date,
      "remindersSince" timestamptz)
    where k.account_id = ${accountId} and k.id = n.id`
}

/** Which planned messages are over: all of them, or those to the customer while the contract is still running out. */
export function endedMessages({ act, after }: Pick<Decision, 'act' | 'after'>): EndedMessages[] {
  const contractId = after.id
  if (act === 'renew') return [{ contractId, reason: 'renewed', isCustomerOnly: false }]
  if (!isOpen(after.status)) return [{ contractId, reason: 'closed', isCustomerOnly: false }]
  return after.endsOn === null ? [] : [{ contractId, reason: 'ending', isCustomerOnly: true }]
}
