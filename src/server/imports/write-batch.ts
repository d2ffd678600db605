import type { ImportKind } from '#shared/schemas/imports.ts'
import type { SubscriberContext } from '#server/context.ts'
import type { Column } from './columns.ts'
import { lockImports, recordBatch } from './import-record.ts'
import { insertContracts } from './insert-contracts.ts'
import { insertCustomers } from './insert-customers.ts'
import { failureOf, problemOf, type Failure } from './parse-row.ts'
import type { ReadBatch } from './sheet-reader.ts'

export interface InsertOptions {
  importId: number
  /** Whether a contract may bring its customer along. */
  createCustomers: boolean
}

export interface Inserted {
  created: number
  createdCustomers: number
  /** Rows that the account's other rows do not allow. */
  refused: Refused[]
}

export interface Refused {
  /** Which row of the batch, from 1. */
  place: number
  field: string
  reason: string
}

/** What one batch brought. */
export interface Outcome {
  created: number
  createdCustomers: number
  failures: Failure[]
  throughLine: number
}

export interface WriteTask extends InsertOptions {
  kind: ImportKind
  columns: Column[]
}

const INSERT = { customers: insertCustomers, contracts: insertContracts }

/** Writes a batch, its failed rows and how far the import has come, in one transaction. */
export async function writeBatch(
  ctx: SubscriberContext,
  { batch, sources }: ReadBatch,
  task: WriteTask,
): Promise<Outcome> {
  await lockImports(ctx)
  const nothing = { created: 0, createdCustomers: 0, refused: [] }
  const inserted = batch.count > 0 ? await INSERT[task.kind](ctx, batch, task) : nothing
  const failures = [...batch.failures, ...(await failuresOf(inserted.refused, sources, task))]
  const { created, createdCustomers } = inserted
  const { throughLine } = batch
  const outcome = { created, createdCustomers, failures: failures.toSorted(byLine), throughLine }
  await recordBatch(ctx, task.importId, outcome)
  return outcome
}

async function failuresOf(refused: Refused[], sources: ReadBatch['sources'], rules: WriteTask): Promise<Failure[]> {
  if (refused.length === 0) return []
  const rows = await sources(refused.map(({ place }) => place))
  return rows.map((source, index) => {
    const { field = '', reason = '' } = refused[index] ?? {}
    return failureOf(source, [problemOf(field, reason, { source, rules })])
  })
}

function byLine(one: Failure, other: Failure): number {
  return one.line - other.line
}
