import { MOST_ERRORS_ANSWERED } from '#shared/schemas/imports.ts'
import { plainArray, textArray } from './arrays.ts'
import { shownCell, type Cell } from './cells.ts'
import type { Failure, Problem } from './parse-row.ts'

export type ListedProblem = Problem & { line: number }

/** What a failed row is kept with: the values stand in its cells. */
export type KeptProblem = Omit<Problem, 'value'>

/** Rows that failed, a column at a time, as PostgreSQL writes arrays: as objects, 2,000 rows are 20 MB of garbage. */
export interface FailedRows {
  count: number
  lines: string
  cells: string
  /** What is wrong with each, as a place in `ways`. */
  places: string
  /** Every way in which a row of them is wrong, once, as JSON: thousands of rows fail in a few ways. */
  ways: string
  /** What is wrong with the first of them, as far as an answer has room for it. */
  listed: ListedProblem[]
  /** How many problems there are, listed or not. */
  found: number
}

/** Writes the failed rows of one file, from its first to its last: of those that follow many, nothing is listed. */
export function failureWriter(): (failures: Failure[]) => FailedRows {
  let room = MOST_ERRORS_ANSWERED
  return (failures) => {
    const listed = failures.slice(0, room).flatMap(listedProblems).slice(0, room)
    room -= listed.length
    const ways = new Map<string, number>()
    return {
      count: failures.length,
      lines: plainArray(failures.map(({ line }) => line)),
      cells: textArray(failures.map(({ cells }) => JSON.stringify(cells.map(keepable)))),
      places: plainArray(failures.map(({ problems }) => placeIn(ways, JSON.stringify(problems.map(kept))))),
      ways: `[${[...ways.keys()].join(',')}]`,
      listed,
      found: failures.reduce((sum, { problems }) => sum + problems.length, 0),
    }
  }
}

function listedProblems({ line, problems }: Failure): ListedProblem[] {
  return problems.map((problem) => ({ line, ...problem }))
}

function kept({ column, reason }: Problem): KeptProblem {
  return { column, reason }
}

function placeIn(ways: Map<string, number>, way: string): number {
  const place = ways.get(way) ?? ways.size
  ways.set(way, place)
  return place
}

// PostgreSQL's text and JSON hold no NUL.
function keepable(cell: Cell): Cell {
  return typeof cell === 'string' ? shownCell(cell) : cell
}
