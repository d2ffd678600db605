import type { SubscriberContext } from '#server/context.ts'
import type { Batch, ReadBatch } from './batches.ts'
import { lockImports, recordBatch, type Outcome } from './import-record.ts'
import { insertContracts } from './insert-contracts.ts'
import { insertCustomers, type Inserted, type InsertOptions } from './insert-customers.ts'

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
