import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import { customerLines, type Line } from '#shared/domain/reminder-plan.ts'
import { confirmationObstacle, type ConfirmationObstacle } from '#shared/domain/renewal-confirmation.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Write } from '#server/db/database.ts'
import { AddedConfirmation, confirmationsAdded, type NewConfirmation } from '#server/ledger/confirmations.ts'
import type { RenewedTerm } from './letters/contract-facts.ts'
import type { Planning } from './notices.ts'
import type { ReminderAccount } from './reminder-account.ts'
import { asReadBy, contactNameOf, SUBJECT_COLUMNS, SUBJECT_TABLES, SubjectRow, subjectOf } from './reminder-subject.ts'

const TERM = columnsOf(ContractEntity, 'k', ['termStart'])

/** What a confirmation of the renewal to a contract's current term needs besides a SubjectRow. */
export const RENEWAL_FIELDS = {
  ...TERM.fields,
  /** The contract as it was before; null if that is not known. */
  before: z
    .object({
      amountCents: SubjectRow.shape.amountCents,
      renewalCycle: SubjectRow.shape.renewalCycle,
      /** The customer was to get no emails about the renewal date that has passed. */
      isMuted: z.boolean(),
    })
    .nullable(),
}

/** The columns of these fields, from contracts `k` for which `isAsked` holds. */
export function renewalColumns(isAsked: Sql = sql`true`): Sql {
  return sql`${TERM}, case when ${isAsked} then (
    select json_build_object('amountCents', d.before -> 'amountCents', 'renewalCycle', d.before -> 'renewalCycle',
      'isMuted', coalesce(k.muted_renewal_date = (d.before ->> 'renewalDate')::date, false))
    from contract_decisions d
    where d.account_id = k.account_id and d.contract_id = k.id and d.act = 'renew'
      and d.after -> 'termNumber' = to_jsonb(k.term_number) order by d.id desc limit 1) end as before`
}

/** A contract that was renewed. */
export const RenewedContract = SubjectRow.extend(RENEWAL_FIELDS)
export type RenewedContract = z.output<typeof RenewedContract>

/** Reads RenewedContracts. */
export function renewedContracts(accountId: number, ids: readonly number[]): Sql {
  return sql`
    select ${SUBJECT_COLUMNS}, ${renewalColumns()} from ${SUBJECT_TABLES}
    where k.account_id = ${accountId} and k.id = any(${[...ids]}::int[]) order by k.id`
}

/** What a confirmation says of the contract's new term. */
export function renewedTerm({
  termStart,
  before,
}: Pick<RenewedContract, 'termStart' | 'before'>): RenewedTerm | undefined {
  return termStart === null ? undefined : { termStart, before }
}

/** The contacts of a contract's customer, and what keeps each from being told of a renewal today. */
export function confirmationLines(
  row: SubjectRow,
  { account, today }: { account: ReminderAccount; today: Day },
): (Line & { obstacle: ConfirmationObstacle | undefined })[] {
  const subject = subjectOf(row, account)
  return customerLines(subject.contacts).map((line) => {
    return { ...line, obstacle: confirmationObstacle(subject, { ...line, day: today }, today) }
  })
}

/** The confirmations of renewals, as the ledger takes them. Those that cannot be sent say why. */
export function confirmationsOf(rows: readonly RenewedContract[], planning: Omit<Planning, 'now'>): NewConfirmation[] {
  return rows.flatMap((row) => {
    const { contractId, customerId, customerName, renewalDate, termNumber } = row
    const contract = { contractId, customerId, customerName, renewalDate, termNumber, day: planning.today }
    const isMuted = row.isMuted || row.before?.isMuted === true
    return confirmationLines({ ...row, isMuted }, planning).map(({ contactId, obstacle }) => {
      return { ...contract, contactId, contactName: contactNameOf(row, contactId), reason: obstacle ?? null }
    })
  })
}

/**
 * Has the customers of renewed contracts told at an instant, in the transaction of the renewals. Returns the addresses to
 * which emails will go.
 */
export async function planConfirmations(
  write: Write,
  contractIds: readonly number[],
  { account, now, today, at }: Planning & { at: Date },
): Promise<string[]> {
  const rows = await write(renewedContracts(account.id, contractIds), RenewedContract)
  const confirmations = confirmationsOf(rows, { account, today })
  const added = await write(confirmationsAdded(confirmations, { accountId: account.id, now, at }), AddedConfirmation)
  const byContract = new Map(rows.map((row) => [row.contractId, row]))
  return added.flatMap(({ contractId, contactId, isPlanned }) => {
    const row = byContract.get(contractId)
    return (isPlanned && row && asReadBy(row, contactId).email) || []
  })
}
