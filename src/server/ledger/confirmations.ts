import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import type { Read } from '#server/db/database.ts'
import type { Moment } from './ledger.ts'

// What telling customers of renewals adds to the ledger. For its states see ledger.ts.

/** A confirmation of the renewal to a contract's current term, to one contact of the customer. */
export interface NewConfirmation {
  contractId: number
  customerId: number
  customerName: string
  contactId: number
  /** Of a contact that is not the first. */
  contactName: string | null
  renewalDate: Day
  termNumber: number
  day: Day
  /** Why it is not sent; null if it is. */
  reason: ReminderReason | null
}

export const AddedConfirmation = z.object({ contractId: z.int(), contactId: z.int(), isPlanned: z.boolean() })

/**
 * New to planned, to be sent at an instant, or to skipped, as a statement that returns AddedConfirmations. Each contact is told once
 * of a term: only a confirmation that was certainly not sent can be planned again, for a renewal that was undone and repeated.
 */
export function confirmationsAdded(
  confirmations: readonly NewConfirmation[],
  { accountId, now, at }: Pick<Moment, 'accountId' | 'now'> & { at: Date },
): Sql {
  return sql`
    insert into reminders as r (account_id, contract_id, customer_id, customer_name, renewal_date, term_number, kind,
      offset_days, due_on, recipient, contact_id, contact_name, channel, state, reason, planned_at, next_attempt_at, ended_at)
    select ${accountId}, n."contractId", n."customerId", n."customerName", n."renewalDate", n."termNumber", 'confirmation',
      0, n.day, 'customer', n."contactId", n."contactName", 'email', case when n.reason is null then 'planned' else 'skipped' end,
      n.reason, ${now}::timestamptz, case when n.reason is null then ${at}::timestamptz end,
      case when n.reason is not null then ${now}::timestamptz end
    from json_to_recordset(${JSON.stringify(confirmations)}::json) as n("contractId" int, "customerId" int,
      "customerName" text, "contactId" int, "contactName" text, "renewalDate" date, "termNumber" int, day date, reason text)
    order by n."contractId", n."contactId"
    on conflict (account_id, contract_id, term_number, contact_id) where kind = 'confirmation' do update
      set state = excluded.state, reason = excluded.reason, renewal_date = excluded.renewal_date, due_on = excluded.due_on,
        planned_at = excluded.planned_at, next_attempt_at = excluded.next_attempt_at, ended_at = excluded.ended_at,
        waits_for = null
      where ${MAY_BE_REPEATED}
    returning r.contract_id as "contractId", r.contact_id as "contactId", r.state = 'planned' as "isPlanned"`
}

/** A condition on confirmations `r`: they were certainly not sent. */
const MAY_BE_REPEATED = sql`(r.state = 'skipped' or r.state = 'failed' and r.reason <> 'unknown')`

const ToldRow = z.object({ contractId: z.int(), contactIds: z.array(z.int()) })

/** By contract, the contacts that have been told of its next term, because a renewal to that was undone. */
export async function toldOfNextTerm(
  read: Read,
  accountId: number,
  contractIds: readonly number[],
): Promise<Map<number, readonly number[]>> {
  const statement = sql`
    select k.id as "contractId", json_agg(r.contact_id) as "contactIds" from contracts k
      join reminders r on r.account_id = k.account_id and r.contract_id = k.id and r.term_number = k.term_number + 1
    where k.account_id = ${accountId} and k.id = any(${[...contractIds]}::int[])
      and r.kind = 'confirmation' and not ${MAY_BE_REPEATED} group by k.id`
  const rows = await read(statement, ToldRow)
  return new Map(rows.map(({ contractId, contactIds }) => [contractId, contactIds]))
}

const AddressRow = z.object({ address: z.string() })

interface Terms {
  accountId: number
  contractId: number
  /** The terms after this one. */
  after: number
  through: number
}

/** The addresses to which confirmations of these terms of a contract went out, or may have. */
export async function confirmedAddresses(
  read: Read,
  { accountId, contractId, after, through }: Terms,
): Promise<string[]> {
  const statement = sql`
    select distinct r.address from reminders r
    where r.account_id = ${accountId} and r.contract_id = ${contractId} and r.term_number > ${after}
      and r.term_number <= ${through} and r.kind = 'confirmation' and r.address is not null and ${WENT_OUT} order by r.address`
  const rows = await read(statement, AddressRow)
  return rows.map(({ address }) => address)
}

/** A condition on confirmations `r`: they reached the mail server, or may have. */
export const WENT_OUT = sql`(r.state in ('sending', 'sent', 'delivered') or r.state = 'failed' and r.reason = 'unknown')`

/** Planned to skipped, as a statement: customers are no longer told of renewals. */
export function confirmationsStopped({ accountId, now }: Pick<Moment, 'accountId' | 'now'>): Sql {
  return sql`
    update reminders set state = 'skipped', reason = 'off', ended_at = ${now}, next_attempt_at = null
    where account_id = ${accountId} and kind = 'confirmation' and state = 'planned'`
}
