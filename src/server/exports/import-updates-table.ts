import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ImportUpdateEntity } from '#server/imports/import.entity.ts'
import { BATCH, type ExportTable } from './tables.ts'

const UPDATE = columnsOf(ImportUpdateEntity, 'u', ['importId', 'contractId', 'before'])
const ExportedUpdate = z.object(UPDATE.fields)
type ExportedUpdate = z.output<typeof ExportedUpdate>

/** The contracts that imports changed, as they were before. */
export function importUpdatesTable(ctx: ReaderContext): ExportTable<ExportedUpdate> {
  return {
    headings: ['Import ID', 'Contract ID', 'Before'],
    cells: ({ importId, contractId, before }) => [importId, contractId, JSON.stringify(before)],
    batches: () => updates(ctx),
  }
}

async function* updates({ read, accountId }: ReaderContext): AsyncGenerator<ExportedUpdate[]> {
  for (let last = { importId: 0, contractId: 0 }; ;) {
    const statement = sql`
      select ${UPDATE} from import_updates u
      where u.account_id = ${accountId} and (u.import_id, u.contract_id) > (${last.importId}, ${last.contractId})
      order by u.import_id, u.contract_id limit ${BATCH}`
    const rows: ExportedUpdate[] = await read(statement, ExportedUpdate)
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = end
  }
}
