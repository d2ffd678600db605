import { UPDATE_REASONS } from '#shared/schemas/import-rows.ts'
import type { SubscriberContext } from '#server/context.ts'
import { type ContractChange, findExisting, type RefusedChange } from './existing-contracts.ts'
import type { Batch } from './sheet/batches.ts'
import type { Refusal } from './sheet/parse-row.ts'
import { mailOfChanges } from './changes-with-mail.ts'
import { bringsMail, realChanges, updateContracts } from './update-contracts.ts'
import type { InsertOptions } from './insert-rows.ts'

/** What becomes of rows with the reference of a contract that the account has. */
export type ExistingMode = 'add' | 'update' | 'skip'

interface ExistingOptions extends Pick<InsertOptions, 'importId' | 'isMuted'> {
  existing: ExistingMode
  /** Positions of rows that have been refused already. */
  left: ReadonlySet<number>
}

interface WrittenExisting {
  /** The positions of rows that are not to be inserted. */
  done: ReadonlySet<number>
  updated: number
  unchanged: number
  refused: Refusal[]
}

/** Updates or leaves out what exists, and refuses rows that say too little for a new contract. */
export async function writeExisting(
  ctx: SubscriberContext,
  batch: Batch,
  { existing: mode, left, importId, isMuted }: ExistingOptions,
): Promise<WrittenExisting> {
  if (batch.kind === 'customers' || !batch.changes) return { done: new Set(), updated: 0, unchanged: 0, refused: [] }
  const { rows, lacking } = batch.changes
  const changes = { lacking, rows: rows.map((row, at) => (left.has(at + 1) ? null : row)) }
  const found = await findExisting(ctx, { changes: mode === 'add' ? undefined : changes }, { lock: mode === 'update' })
  const incomplete = lacking.flatMap((columns, at): RefusedChange[] => {
    const position = batch.count + at + 1
    if (left.has(position) || found.positions.has(position)) return []
    return [{ position, field: 'reference', reason: UPDATE_REASONS.lacking(columns) }]
  })
  if (mode !== 'update') {
    return { done: found.positions, updated: 0, unchanged: found.positions.size, refused: byReason(incomplete) }
  }
  const changed = realChanges(found.changes)
  const muted = isMuted ? await idsWithMail(ctx, changed) : new Set<number>()
  await updateContracts(ctx, changed, { importId, muted })
  const unchanged = found.changes.length - changed.length
  const refused = byReason([...found.refused, ...incomplete])
  return { done: found.positions, updated: changed.length, unchanged, refused }
}

/** The contracts about whose renewal dates customers would get emails, or more of them, at any time. */
async function idsWithMail(ctx: SubscriberContext, changes: readonly ContractChange[]): Promise<Set<number>> {
  const mailed = await mailOfChanges(ctx, changes)
  return new Set([
    ...changes.filter((change) => bringsMail(change, ctx.today)).map(({ after }) => after.id),
    ...mailed.map(({ row }) => row.contractId),
  ])
}

function byReason(refused: readonly RefusedChange[]): Refusal[] {
  const groups = Map.groupBy(refused, ({ field, reason }) => JSON.stringify([field, reason])).values()
  return [...groups].flatMap((group) => {
    const [first] = group
    if (!first) return []
    return [{ positions: group.map(({ position }) => position), field: first.field, reason: first.reason }]
  })
}
