import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ImportMappingEntity } from '#server/imports/import.entity.ts'
import type { ExportTable } from './tables.ts'

const MAPPING = columnsOf(ImportMappingEntity, 'm', ['kind', 'mapping', 'updatedAt'])
const ExportedMapping = z.object(MAPPING.fields)
type ExportedMapping = z.output<typeof ExportedMapping>

/** The columns chosen for imported files: a row for each set of headings. Their number is limited. */
export function importMappingsTable({ read, accountId }: ReaderContext): ExportTable<ExportedMapping> {
  return {
    headings: ['Kind', 'Columns', 'Date'],
    cells: ({ kind, mapping, updatedAt }) => [kind, JSON.stringify(mapping), updatedAt],
    async *batches() {
      const statement = sql`
        select ${MAPPING} from import_mappings m where m.account_id = ${accountId} order by m.kind, m.headings_key`
      yield await read(statement, ExportedMapping)
    },
  }
}
