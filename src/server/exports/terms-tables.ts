import sql from 'sql-template-tag'
import { z } from 'zod'
import { amountFromCents } from '#shared/domain/money.ts'
import type { RenewalSettings } from '#shared/schemas/renewals.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractTermEntity } from '#server/contracts/contract-history.entity.ts'
import { getRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { columnsOf } from '#server/db/columns.ts'
import { BATCH, type ExportTable } from './tables.ts'

const TERM = columnsOf(ContractTermEntity, 't', [
  'contractId',
  'number',
  'startDate',
  'renewalDate',
  'amountCents',
  'renewalCycle',
  'decidedAt',
  'decidedBy',
])
const TermRow = z.object(TERM.fields)

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
          select ${TERM} from contract_terms t
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
