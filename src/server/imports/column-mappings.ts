import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ColumnMapping, ImportKind, MappingKey } from '#shared/schemas/imports.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ImportMappingEntity } from './import.entity.ts'
import { fieldsOf, headingOf } from './sheet/columns.ts'
import { headingsKey, mappingToKeep, type HeadingRow, type KnownMapping } from './sheet/heading-row.ts'

/** Of each kind of file. Beyond them the oldest is forgotten. */
const MOST_KEPT = 100

const MAPPING = columnsOf(ImportMappingEntity, 'm', ['headingsKey', 'mapping'])
const MappingRow = z.object(MAPPING.fields)

/** What was chosen for the columns of earlier files of the account. */
export function knownMappings({ read, accountId }: ReaderContext, kind: ImportKind): Promise<KnownMapping[]> {
  const statement = sql`
    select ${MAPPING} from import_mappings m where m.account_id = ${accountId} and m.kind = ${kind}`
  return read(statement, MappingRow)
}

export interface MappingView {
  kind: ImportKind
  /** Names it among those of its kind. */
  key: string
  /** Every field that such a file can have, and the heading of its column; null where it is not imported. */
  columns: { field: string; label: string; heading: string | null }[]
  updatedAt: Date
}

const LISTED = columnsOf(ImportMappingEntity, 'm', ['kind', 'headingsKey', 'mapping', 'updatedAt'])

/** What is remembered of the columns of files, the latest first: at most 100 of each kind. */
export async function listMappings({ read, accountId }: ReaderContext): Promise<MappingView[]> {
  const rows = await read(
    sql`select ${LISTED} from import_mappings m where m.account_id = ${accountId}
      order by m.updated_at desc, m.kind, m.headings_key`,
    z.object(LISTED.fields),
  )
  return rows.map(({ kind, headingsKey: key, mapping, updatedAt }) => {
    const headingFor = (field: string) => (field in mapping ? String(mapping[field] ?? '') || null : null)
    const fields = new Set<string>([...fieldsOf(kind), ...Object.keys(mapping)])
    const columns = [...fields].map((field) => ({
      field,
      label: headingOf(kind, field),
      heading: headingFor(field),
    }))
    return { kind, key, columns, updatedAt }
  })
}

/** The next file with these headings is asked about again. @throws IMPORT_MAPPING_NOT_FOUND, also for somebody else's */
export async function removeMapping({ em, accountId }: SubscriberContext, { kind, key }: MappingKey): Promise<void> {
  const removed = await em.nativeDelete(ImportMappingEntity, { accountId, kind, headingsKey: key })
  if (removed === 0) throw new AppError('IMPORT_MAPPING_NOT_FOUND')
}

/** Keeps which column was chosen for each field, for the next file with these headings. */
export async function rememberMapping(ctx: SubscriberContext, kind: ImportKind, row: HeadingRow): Promise<void> {
  const { em, write, accountId, services } = ctx
  const mapping: ColumnMapping | undefined = mappingToKeep(kind, row)
  if (!mapping) return
  const key = headingsKey(kind, row.headings)
  await em.upsert(ImportMappingEntity, { accountId, kind, headingsKey: key, mapping, updatedAt: services.now() })
  await write(sql`
    delete from import_mappings where account_id = ${accountId} and kind = ${kind} and headings_key in (
      select headings_key from import_mappings where account_id = ${accountId} and kind = ${kind}
      order by updated_at desc, headings_key offset ${MOST_KEPT})`)
}

/** The next file with these headings is asked about again. */
export async function forgetMapping(
  { em, accountId }: SubscriberContext,
  kind: ImportKind,
  headings: string[],
): Promise<void> {
  await em.nativeDelete(ImportMappingEntity, { accountId, kind, headingsKey: headingsKey(kind, headings) })
}
