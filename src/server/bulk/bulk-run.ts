import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import type { Services } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Write } from '#server/db/database.ts'
import { BulkContractEntity } from './bulk-change.entity.ts'
import type { StoredRequest } from './stored-request.ts'

/** One transaction of a change of many contracts. */
export interface Run {
  id: number
  accountId: number
  now: Date
  today: Day
  services: Services
  write: Write
  request: StoredRequest
  /** The first and last contract of this transaction. */
  span: { first: number; last: number }
}

/**
 * The rows `r` of this transaction's contracts. Without the span, all rows of the change are read each time while the
 * statistics do not know yet how many it has.
 */
export function rowsOf({ accountId, id, span }: Run): Sql {
  return sql`r.account_id = ${accountId} and r.bulk_id = ${id} and r.contract_id between ${span.first} and ${span.last}`
}

export const ROW = columnsOf(BulkContractEntity, 'r', [
  'contractId',
  'termNumber',
  'decisionId',
  'beforeCents',
  'afterCents',
  'beforeTags',
  'afterTags',
  'deletedAt',
])
export const Row = z.object(ROW.fields)
export type Row = z.output<typeof Row>

/** Records what became of contracts. */
export function noted(
  run: Run,
  state: 'left_out' | 'kept' | 'undone',
  contracts: readonly { contractId: number; reason?: string }[],
) {
  return sql`
    update bulk_contracts r set state = ${state}, reason = n.reason
    from json_to_recordset(${JSON.stringify(contracts)}::json) as n("contractId" int, reason text)
    where ${rowsOf(run)} and r.contract_id = n."contractId"`
}

export interface KeptContract {
  contractId: number
  /** The names of what was changed since. */
  reason: string
}

export const DELETED = 'Deleted'
