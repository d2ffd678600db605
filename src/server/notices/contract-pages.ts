import { z } from 'zod'
import { isDay, type Day } from '#shared/domain/day.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import type { Page } from '#shared/schemas/filters.ts'
import type { Read } from '#server/db/database.ts'
import { decodeCursor, encodeCursor } from '#server/db/keyset.ts'
import type { PageView } from '#server/db/page.ts'
import { positionsOf, type FoundContracts, type Position } from './contract-groups.ts'

/** A page of a list, whose cursors have its name. */
interface NamedPage extends Page {
  name: string
}

/** The contracts of a page, in no order, and how to get to other pages. */
interface PageOfContracts extends Pick<PageView<unknown>, 'first' | 'last' | 'more'> {
  ids: number[]
}

const PositionRow = z.object({ contractId: z.int(), day: z.custom<Day>((value) => isDay(String(value))) })

/** Which of the contracts found are on a page. */
export async function pageOfContracts(
  read: Read,
  found: FoundContracts,
  { name, limit, after, before, skip }: NamedPage,
): Promise<PageOfContracts> {
  const backwards = after === undefined && before !== undefined
  const cursor = after ?? before
  const position = cursor === undefined ? undefined : positionAt(name, cursor)
  if (found.groups.length === 0) return { ids: [], first: null, last: null, more: false }
  // One more than is shown, to know whether others follow.
  const rows = await read(positionsOf(found, { backwards, position, skip, count: limit + 1 }), PositionRow, 'each time')
  const cut = rows.slice(0, limit)
  const shown = backwards ? cut.toReversed() : cut
  return {
    ids: shown.map(({ contractId }) => contractId),
    first: cursorOf(name, shown[0]),
    last: cursorOf(name, shown.at(-1)),
    more: rows.length > limit,
  }
}

/** How many contracts were found, and what their next terms cost together, in dollars. */
export function totalsOf({ groups }: FoundContracts): { total: number; amount: number } {
  return {
    total: groups.reduce((total, { count }) => total + count, 0),
    amount: amountFromSum(groups.reduce((sum, { cents }) => sum + cents, 0n)),
  }
}

/** Orders positions as lists have them. */
export function compared(one: Position, other: Position): number {
  if (one.day !== other.day) return one.day < other.day ? -1 : 1
  return one.contractId - other.contractId
}

const Cursor = z.tuple([z.string(), z.custom<Day>((value) => isDay(String(value))), z.int()])

function positionAt(name: string, cursor: string): Position {
  const [, day, contractId] = decodeCursor(
    cursor,
    Cursor.refine(([list]) => list === name),
  )
  return { day, contractId }
}

function cursorOf(name: string, position: Position | undefined): string | null {
  return position ? encodeCursor(JSON.stringify([name, position.day, position.contractId])) : null
}
