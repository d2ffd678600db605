import sql, { type Sql } from 'sql-template-tag'
import { encodeCursor, type pageOf } from './keyset.ts'

interface PageParts {
  /** The columns of a row, aliased to the names of its view. */
  columns: Sql
  /** `from … where …`, naming the account, without the place in the list. */
  from: Sql
  page: ReturnType<typeof pageOf>
}

export interface PageRow<Row> {
  total: number
  rows: (Row & { cursor: string })[]
}

export interface PageView<View> {
  total: number
  rows: View[]
  /** Cursors of the first and the last row; none where the page is empty. */
  first: string | null
  last: string | null
}

/** One statement for a page and the count of all that the filter lets through. */
export function pageStatement({ columns, from, page }: PageParts): Sql {
  return sql`
    select (select count(*)::int ${from}) as total,
      (select coalesce(json_agg(r), '[]') from (
        select ${columns}, ${page.cursor} as cursor ${from} ${page.where} ${page.orderBy} ${page.limit}
      ) r) as rows`
}

export function pageView<Row, View>(found: PageRow<Row> | undefined, backwards: boolean, view: (row: Row) => View) {
  const rows = backwards ? (found?.rows ?? []).toReversed() : (found?.rows ?? [])
  return {
    total: found?.total ?? 0,
    rows: rows.map(view),
    first: cursorOf(rows[0]),
    last: cursorOf(rows.at(-1)),
  } satisfies PageView<View>
}

function cursorOf(row: { cursor: string } | undefined): string | null {
  return row ? encodeCursor(row.cursor) : null
}
