import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { encodeCursor, type pageOf } from './keyset.ts'

interface PageParts {
  /** The columns of a row, aliased to the names of its view. */
  columns: Sql
  /** `from … where …`, naming the account, without the cursor. */
  from: Sql
  page: ReturnType<typeof pageOf>
  /** A statement for the number of rows, if it is known without counting them. */
  total?: Sql | undefined
}

interface SearchParts extends Omit<PageParts, 'from'> {
  /** `matches as materialized (…)`, which `few` and `total` refer to. */
  matches: Sql
  /** `from … where …` by way of the matches: for so few rows that all of them can be sorted. */
  few: Sql
  /** The same without them, for when matches are so common that walking the list in order finds a page quickly. */
  many: Sql
  total: Sql
}

const FEW = 1000

export interface PageRow<Row> {
  total: number
  rows: (Row & { cursor: string })[]
}

/** The result of `pageStatement` and `searchStatement` for such rows. */
export function pageRow<Shape extends z.ZodRawShape>(row: z.ZodObject<Shape>) {
  return z.object({ total: z.int(), rows: z.array(row.extend({ cursor: z.string() })) })
}

export interface PageView<View> {
  total: number
  rows: View[]
  /** Cursors of the first and the last row; none if the page is empty. */
  first: string | null
  last: string | null
  /** Whether others follow, in the direction of the page. */
  more: boolean
}

/** One statement for a page and the count of all matching rows. */
export function pageStatement({ columns, from, page, total }: PageParts): Sql {
  return sql`
    select (${total ?? sql`select count(*)::int ${from}`}) as total, (${rowsOf({ columns, from, page })}) as rows`
}

/** The same for the results of a search. */
export function searchStatement({ columns, matches, few, many, page, total }: SearchParts): Sql {
  return sql`
    with ${matches}, counted as materialized (${total})
    select total, case when total <= ${raw(String(FEW))} then (${rowsOf({ columns, from: few, page })})
      else (${rowsOf({ columns, from: many, page })}) end as rows from counted`
}

function rowsOf({ columns, from, page }: PageParts): Sql {
  return sql`
    select coalesce(json_agg(r), '[]') from (select * from (
      select ${columns}, ${page.cursor} as cursor ${from} ${page.where} ${page.orderBy} ${page.first}) f ${page.limit}) r`
}

export function pageView<Row, View>(
  found: PageRow<Row> | undefined,
  { size, backwards }: Pick<ReturnType<typeof pageOf>, 'size' | 'backwards'>,
  view: (row: Row) => View,
) {
  const read = found?.rows ?? []
  const shown = read.slice(0, size)
  const rows = backwards ? shown.toReversed() : shown
  return {
    total: found?.total ?? 0,
    rows: rows.map(view),
    first: cursorOf(rows[0]),
    last: cursorOf(rows.at(-1)),
    more: read.length > size,
  } satisfies PageView<View>
}

function cursorOf(row: { cursor: string } | undefined): string | null {
  return row ? encodeCursor(row.cursor) : null
}
