import sql, { empty, type Sql } from 'sql-template-tag'
import { tagKey } from '#shared/domain/tags.ts'
import type { SubscriberContext } from '#server/context.ts'
import { knownTags, tagsFull } from '#server/tags/tagged-rows.ts'
import type { Batch } from './sheet/batches.ts'
import type { Refusal } from './sheet/parse-row.ts'

/** Some rows of a batch, by their positions from 1. What is refused of them is refused at positions among these. */
export function rowsAt<Some extends Batch>(batch: Some, positions: readonly number[]): Some {
  const entries: [string, unknown[]][] = Object.entries(batch.columns)
  const columns = entries.map(([name, values]) => [name, positions.map((position) => values[position - 1])])
  return { ...batch, count: positions.length, columns: Object.fromEntries(columns) }
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
  const { tags } = batch.columns
  const known = await knownTags(ctx, tags.flat())
  const refused: number[] = []
  const names = tags.map((list, row) => {
    const found = list.flatMap((tag) => known.get(tagKey(tag)) ?? [])
    if (found.length < list.length) refused.push(row + 1)
    return found
  })
  const renamed = { ...batch, columns: { ...batch.columns, tags: names } }
  if (refused.length === 0) return { batch: renamed, refused: [] }
  return { batch: renamed, refused: [{ positions: refused, field: 'tags', reason: tagsFull().message }] }
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
