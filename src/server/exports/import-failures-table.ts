import sql from 'sql-template-tag'
import type { ReaderContext } from '#server/context.ts'
import type { Cell } from '#server/imports/sheet/cells.ts'
import type { StoredProblem } from '#server/imports/sheet/parse-row.ts'
import { BATCH, type ExportTable } from './tables.ts'

interface ExportedFailure {
  importId: number
  line: number
  problems: StoredProblem[]
  cells: Cell[]
}

/** The rows that imports refused, as they were; which columns they have depends on their file. */
export function importFailuresTable(ctx: ReaderContext): ExportTable<ExportedFailure> {
  return {
    headings: ['Import ID', 'Line', 'Reason', 'Row'],
    cells: ({ importId, line, problems, cells }) => [
      importId,
      line,
      problems.map(({ column, reason }) => (column ? `${column}: ${reason}` : reason)).join('; '),
      ...cells,
    ],
    batches: () => failures(ctx),
  }
}

async function* failures({ read, accountId }: ReaderContext): AsyncGenerator<ExportedFailure[]> {
  for (let last = { importId: 0, line: 0 }; ;) {
    const rows = await read<ExportedFailure>(sql`
      select import_id as "importId", line, problems, cells from import_failures
      where account_id = ${accountId} and (import_id, line) > (${last.importId}, ${last.line})
      order by import_id, line limit ${BATCH}`)
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = end
  }
}
