import sql from 'sql-template-tag'
import { z } from 'zod'
import { amountFromCents } from '#shared/domain/money.ts'
import type { RenewalSettings } from '#shared/schemas/renewals.ts'
import { namedActor } from '#server/activity/actor-name.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractDecisionEntity, ContractTermEntity } from '#server/contracts/contract-history.entity.ts'
import { getRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { columnsOf } from '#server/db/columns.ts'
import { BATCH, byId, type ExportTable } from './tables.ts'

const TERM = columnsOf(ContractTermEntity, 't', [
  'contractId',
  'number',
  'startDate',
  'renewalDate',
  'amountCents',
  'renewalCycle',
  'decidedAt',
])
const Decider = { decidedBy: z.string() }
const TermRow = z.object({ ...TERM.fields, ...Decider })

/** The terms that other terms followed; the current ones are in the table of contracts. */
export function termsTable({ read, accountId }: ReaderContext): ExportTable<z.output<typeof TermRow>> {
  return {
    headings: ['Contract ID', 'Term', 'Start Date', 'Renewal Date', 'Amount', 'Renewal Cycle', 'Renewed', 'Renewed By'],
    cells: ({ contractId, number, startDate, renewalDate, amountCents, renewalCycle, decidedAt, decidedBy }) => [
      contractId,
      number,
      startDate,
      renewalDate,
      amountFromCents(amountCents).toFixed(2),
      renewalCycle,
      decidedAt,
      decidedBy,
    ],
    async *batches() {
      let after: Pick<z.output<typeof TermRow>, 'contractId' | 'number'> = { contractId: 0, number: 0 }
      for (;;) {
        const statement = sql`
          select ${TERM}, ${namedActor(accountId, sql`t.decided_by`)} as "decidedBy" from contract_terms t
          where t.account_id = ${accountId} and (t.contract_id, t.number) > (${after.contractId}, ${after.number})
          order by t.contract_id, t.number limit ${BATCH}`
        const rows = await read(statement, TermRow)
        const last = rows.at(-1)
        if (!last) return
        yield rows
        after = last
      }
    },
  }
}

const DECISION = columnsOf(ContractDecisionEntity, 'd', [
  'id',
  'contractId',
  'act',
  'decidedAt',
  'reason',
  'note',
  // The contract's columns before and after it, for undoing it.
  'before',
  'after',
])
const DecisionRow = z.object({ ...DECISION.fields, ...Decider })

/** What was decided about contracts and not undone since. */
export function decisionsTable({ read, accountId }: ReaderContext): ExportTable<z.output<typeof DecisionRow>> {
  return {
    headings: ['ID', 'Contract ID', 'Decision', 'Date', 'Decided By', 'Reason', 'Note'],
    cells: ({ id, contractId, act, decidedAt, decidedBy, reason, note }) => [
      id,
      contractId,
      act,
      decidedAt,
      decidedBy,
      reason,
      note,
    ],
    batches: () =>
      byId((after) => {
        const statement = sql`
          select ${DECISION}, ${namedActor(accountId, sql`d.decided_by`)} as "decidedBy" from contract_decisions d
          where d.account_id = ${accountId} and d.id > ${after} order by d.id limit ${BATCH}`
        return read(statement, DecisionRow)
      }),
  }
}

/** What happens to contracts by itself, and why they end: a table of one row. */
export function renewalSettingsTable(ctx: ReaderContext): ExportTable<RenewalSettings> {
  return {
    headings: ['End Overdue After Days', 'End Reasons', 'Tell Customers of Renewals'],
    cells: ({ endOverdueAfterDays, endReasons, confirmRenewals }) => [
      endOverdueAfterDays,
      endReasons.join('; '),
      confirmRenewals,
    ],
    async *batches() {
      yield [await getRenewalSettings(ctx)]
    },
  }
}
