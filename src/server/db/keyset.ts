import { z } from 'zod'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { isDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import type { Page, SortDirection } from '#shared/schemas/filters.ts'

/** What a list is sorted by: an expression, the type its cursor is read back as, and the id that breaks ties. */
export interface SortKey {
  /** Of the list and the sort, as in `contracts.amount`: a cursor serves no other. */
  name: string
  expression: string
  type: 'text' | 'date' | 'bigint' | 'int' | 'timestamptz'
  id: string
  /** The type of the id; int if it is left out. */
  idType?: 'bigint'
}

const IDS = { int: z.int().min(0).max(2_147_483_647), bigint: z.int().min(0) }

/** What a cursor's value may look like, so that a made-up one never reaches the database. */
const VALUES: Record<SortKey['type'], z.ZodType<string>> = {
  text: z
    .string()
    .max(1000)
    .refine((value) => !value.includes('\u0000')),
  date: z.string().refine(isDay),
  bigint: z.string().regex(/^\d{1,18}$/),
  int: z.string().regex(/^\d{1,9}$/),
  timestamptz: z.string().refine(isInstant),
}

/** As PostgreSQL writes an instant, in whatever time zone. */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2}) (?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,6})?[+-](?:0\d|1[0-4])(?::[0-5]\d){0,2}$/

/** Whether PostgreSQL can read it. `Date` also reads February 30 and the year 0, which PostgreSQL refuses. */
function isInstant(value: string): boolean {
  const [, day = ''] = INSTANT.exec(value) ?? []
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day) && !day.startsWith('0000')
}

/** One page by row comparison, so that the last page costs as much as the first. */
export function pageOf(key: SortKey, direction: SortDirection, page: Page) {
  const backwards = page.before !== undefined && page.after === undefined
  const order = raw((direction === 'desc') === backwards ? 'asc' : 'desc')
  return {
    where: positionFilter(key, { direction, backwards, cursor: page.after ?? page.before }),
    orderBy: sql`order by ${raw(key.expression)} ${order}, ${raw(key.id)} ${order}`,
    /** Inlined as a literal so the planner sees it. */
    first: sql`limit ${raw(String(roundUp(page.limit + page.skip + 1)))}`,
    /** One row more than is shown, to know whether others follow. */
    limit: sql`limit ${page.limit + 1} offset ${page.skip}`,
    size: page.limit,
    /** A page before a row is read backwards, and then reversed. */
    backwards,
    cursor: sql`json_build_array(${raw(`'${orderOf(key, direction)}'`)}, (${raw(key.expression)})::text, ${raw(key.id)})::text`,
  }
}

const SIZES = [11, 21, 51, 101, 201, 501, 1001]

// Few sizes, since each literal is a separate prepared statement.
function roundUp(rows: number): number {
  return SIZES.find((size) => size >= rows) ?? 2000
}

/** Cursors are opaque to callers. */
export function encodeCursor(position: string): string {
  return Buffer.from(position).toString('base64url')
}

interface Position {
  direction: SortDirection
  backwards: boolean
  cursor: string | undefined
}

function positionFilter(key: SortKey, { direction, backwards, cursor }: Position): Sql {
  if (cursor === undefined) return empty
  const comparison = raw((direction === 'desc') === backwards ? '>' : '<')
  const { expression, type, id: column, idType = 'int' } = key
  const Position = z.tuple([z.literal(orderOf(key, direction)), VALUES[type], IDS[idType]])
  const [, value, id] = decodeCursor(cursor, Position)
  return sql`and (${raw(expression)}, ${raw(column)}) ${comparison} (${value}::${raw(type)}, ${id}::${raw(idType)})`
}

/** @throws CURSOR_INVALID unless it encodes a position of this shape, such as for another list, sort, or direction */
export function decodeCursor<Position>(cursor: string, position: z.ZodType<Position>): Position {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch (error) {
    throw new AppError('CURSOR_INVALID', { cause: error })
  }
}

function orderOf({ name }: SortKey, direction: SortDirection): string {
  return `${name} ${direction}`
}
