import sql, { empty, type Sql } from 'sql-template-tag'
import { tagKey } from '#shared/domain/tags.ts'
import type { SubscriberContext } from '#server/context.ts'
import { addTags, tagsFull } from '#server/tags/tagged-rows.ts'
import type { Batch } from './sheet/batches.ts'
import type { RowChange } from './sheet/parse-change.ts'
import type { Refusal } from './sheet/parse-row.ts'

/** Some rows of a batch, by their positions from 1. What is refused of them is refused at positions among these. */
export function rowsAt<Some extends Batch>(batch: Some, positions: readonly number[]): Some {
  const entries: [string, unknown[]][] = Object.entries(batch.columns)
  const columns = entries.map(([name, values]) => [name, positions.map((position) => values[position - 1])])
  return { ...batch, count: positions.length, columns: Object.fromEntries(columns) }
}

/** A batch without the rows at these positions. */
export function withoutRows<Some extends Batch>(batch: Some, positions: ReadonlySet<number>): Some {
  return rowsAt(batch, restOf(batch, positions))
}

/** The positions of a batch that are not among these. */
export function restOf({ count }: Batch, positions: ReadonlySet<number>): number[] {
  return Array.from({ length: count }, (_, row) => row + 1).filter((position) => !positions.has(position))
}

/** Refusals of some rows of a batch, by their positions in the whole. */
export function refusedAt(refused: readonly Refusal[], positions: readonly number[]): Refusal[] {
  const inWhole = (position: number) => positions[position - 1] ?? 0
  return refused.map(({ positions: some, ...why }) => ({ ...why, positions: some.map(inWhole) }))
}

/** A batch with its tags as the account spells them. Rows with tags that it has no room for are refused. */
export async function spelled<Some extends Batch>(
  ctx: SubscriberContext,
  batch: Some,
): Promise<{ batch: Some; refused: Refusal[] }> {
  const { columns, changes } = batch
  const lists = changes?.rows.map((row, at) => columns.tags[at] ?? row?.tags ?? []) ?? columns.tags
  const known = await addTags(ctx, lists.flat())
  const names = lists.map((list) => list.flatMap((tag) => known.get(tagKey(tag)) ?? []))
  const full = names.flatMap((list, at) => (list.length < (lists[at]?.length ?? 0) ? [at + 1] : []))
  const renamed = {
    ...batch,
    columns: { ...columns, tags: names.slice(0, batch.count) },
    changes: changes && { ...changes, rows: changes.rows.map((row, at) => row && renamedTags(row, names[at])) },
  }
  if (full.length === 0) return { batch: renamed, refused: [] }
  return { batch: renamed, refused: [{ positions: full, field: 'tags', reason: tagsFull().message }] }
}

function renamedTags(row: RowChange, tags: string[] | undefined): RowChange {
  return row.tags ? { ...row, tags } : row
}

/** The tags of rows `i` that have a `position`, as the column `tags` of more than one statement. */
export interface TagColumn {
  /** Joins them; nothing if no row has tags. */
  joined: Sql
  name: Sql
  value: Sql
}

const SEPARATOR = ';'

export function tagColumn(tags: readonly string[][]): TagColumn {
  if (tags.every((list) => list.length === 0)) return { joined: empty, name: empty, value: empty }
  const texts = tags.map((list) => list.join(SEPARATOR))
  return {
    joined: sql`join unnest(${texts}::text[]) with ordinality as tagged(tag_list, position) using (position)`,
    name: sql`, tags`,
    value: sql`, string_to_array(tag_list, ${SEPARATOR})`,
  }
}
