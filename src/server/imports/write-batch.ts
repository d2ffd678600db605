import type { SubscriberContext } from '#server/context.ts'
import type { Batch } from './batches.ts'
import type { FailedRows } from './failed-rows.ts'
import { lockImports, recordBatch } from './import-record.ts'
import { insertContracts } from './insert-contracts.ts'
import { insertCustomers } from './insert-customers.ts'
import type { ReadBatch } from './sheet-reader.ts'

export interface InsertOptions {
  importId: number
  /** Whether a contract may bring its customer along. */
  createCustomers: boolean
  /** Whether the customers are not written to about the renewal dates that contracts come with. */
  isMuted: boolean
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
  /** Those that are wrong by themselves, and those that the account's other rows do not allow. */
  failed: FailedRows[]
  throughLine: number
}

/** Writes a batch, its failed rows and how far the import has come, in one transaction. */
export async function writeBatch(
  ctx: SubscriberContext,
  { batch, refuse }: ReadBatch,
  options: InsertOptions,
): Promise<Outcome> {
  await lockImports(ctx)
  const nothing = { created: 0, createdCustomers: 0, refused: [] }
  const { refused, ...inserted } = batch.count > 0 ? await insert(ctx, batch, options) : nothing
  const failed = refused.length > 0 ? [batch.failed, await refuse(refused)] : [batch.failed]
  const outcome = { ...inserted, failed, throughLine: batch.throughLine }
  await recordBatch(ctx, options.importId, outcome)
  return outcome
}

function insert(ctx: SubscriberContext, batch: Batch, options: InsertOptions): Promise<Inserted> {
  return batch.kind === 'customers' ? insertCustomers(ctx, batch, options) : insertContracts(ctx, batch, options)
}
