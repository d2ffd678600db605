import { MOST_ERRORS_ANSWERED } from '#shared/schemas/imports.ts'
import { plainArray, textArray } from './arrays.ts'
import { shownCell, type Cell } from './cells.ts'
import type { Failure, Problem } from './parse-row.ts'

export type ListedProblem = Problem & { line: number }

/** Rows that failed, a column at a time, as PostgreSQL writes arrays: as objects, 2,000 rows are 20 MB of garbage. */
export interface FailedRows {
  count: number
  lines: string
  problems: string
  cells: string
  /** What is wrong with the first of them, as far as an answer has room for it. */
  listed: ListedProblem[]
  /** How many problems there are, listed or not. */
  found: number
}

/** Writes the failed rows of one file, from its first to its last: of those that follow many, nothing is listed. */
export function failureWriter(): (failures: Failure[]) => FailedRows {
  let room = MOST_ERRORS_ANSWERED
  return (failures) => {
    const problems = failures.flatMap((failure) => failure.problems.map((one) => ({ line: failure.line, ...one })))
    const listed = problems.slice(0, room)
    room -= listed.length
    return {
      count: failures.length,
      lines: plainArray(failures.map(({ line }) => line)),
      problems: textArray(failures.map((failure) => JSON.stringify(failure.problems))),
      cells: textArray(failures.map(({ cells }) => JSON.stringify(cells.map(keepable)))),
      listed,
      found: problems.length,
    }
  }
}

// PostgreSQL's text and JSON hold no NUL.
function keepable(cell: Cell): Cell {
  return typeof cell === 'string' ? shownCell(cell) : cell
}
