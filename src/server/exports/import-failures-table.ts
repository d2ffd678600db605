import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ImportFailureEntity } from '#server/imports/import.entity.ts'
import { BATCH, type ExportTable } from './tables.ts'

const FAILURE = columnsOf(ImportFailureEntity, 'f', ['importId', 'line', 'problems', 'cells'])
const ExportedFailure = z.object(FAILURE.fields)
type ExportedFailure = z.output<typeof ExportedFailure>

/** The failed rows of imports as they were; their columns depend on the file. */
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
    const statement = sql`
      select ${FAILURE} from import_failures f
      where f.account_id = ${accountId} and (f.import_id, f.line) > (${last.importId}, ${last.line})
      order by f.import_id, f.line limit ${BATCH}`
    const rows: ExportedFailure[] = await read(statement, ExportedFailure)
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = end
  }
}
