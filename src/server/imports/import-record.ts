import sql from 'sql-template-tag'
import type { ImportKind, ImportQuestion } from '#shared/schemas/imports.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { plainArray, textArray } from './arrays.ts'
import { shownCell, type Cell } from './cells.ts'
import { ImportEntity } from './import.entity.ts'
import { asking, type Survey } from './survey.ts'
import type { Outcome } from './write-batch.ts'

interface NewImport {
  kind: ImportKind
  fileName: string
  sha256: Buffer
  again: boolean
}

/** Asks where the same file was imported before. @throws IMPORT_REPEATED */
export async function refuseRepeated({ read, accountId }: ReaderContext, { kind, sha256, again }: NewImport) {
  if (again) return
  const [earlier] = await read<NonNullable<ImportQuestion['earlier']>>(sql`
    select id, created_at as "createdAt", created, failed from imports
    where account_id = ${accountId} and sha256 = ${sha256} and kind = ${kind} order by id desc limit 1`)
  if (!earlier) return
  throw asking('IMPORT_REPEATED', {
    parameter: 'again',
    choices: [{ value: 'true', label: 'Import it again' }],
    earlier: { ...earlier, createdAt: new Date(earlier.createdAt) },
  })
}

/**
 * Whatever imports or takes back takes turns, a transaction at a time: one that adds customers and contracts and one that
 * removes contracts and customers would else wait for each other's sums.
 */
export async function lockImports({ read, accountId }: SubscriberContext): Promise<void> {
  await read(sql`select pg_advisory_xact_lock(hashtextextended('imports', ${accountId}))`)
}

/** Two of the same file at once take turns here, and the second is asked. @throws IMPORT_REPEATED */
export async function recordImport(ctx: SubscriberContext, given: NewImport, survey: Survey): Promise<number> {
  const { em, accountId } = ctx
  await lockImports(ctx)
  await refuseRepeated(ctx, given)
  const { kind, fileName, sha256 } = given
  const { headings, rows } = survey
  const record = em.create(ImportEntity, { accountId, kind, fileName, sha256, headings, rows })
  await em.flush()
  return record.id
}

/** Counts a batch and keeps its failed rows, in the batch's own transaction. */
export async function recordBatch({ read, accountId }: SubscriberContext, importId: number, outcome: Outcome) {
  const { failures, created, createdCustomers, throughLine } = outcome
  await read(sql`
    with failures as (
      insert into import_failures (account_id, import_id, line, problems, cells)
      select ${accountId}, ${importId}, line, problems, cells
      from unnest(${plainArray(failures.map(({ line }) => line))}::int[],
        ${textArray(failures.map(({ problems }) => JSON.stringify(problems)))}::jsonb[],
        ${textArray(failures.map(({ cells }) => JSON.stringify(cells.map(keepable))))}::jsonb[])
        as failure(line, problems, cells)
    )
    update imports set updated_at = now(), through_line = ${throughLine},
      created = created + ${created}, created_customers = created_customers + ${createdCustomers},
      failed = failed + ${failures.length}
    where account_id = ${accountId} and id = ${importId}`)
}

export async function recordEnd({ read, accountId }: SubscriberContext, importId: number) {
  await read(sql`update imports set finished_at = now(), updated_at = now()
    where account_id = ${accountId} and id = ${importId}`)
}

// PostgreSQL's text and JSON hold no NUL.
function keepable(cell: Cell): Cell {
  return typeof cell === 'string' ? shownCell(cell) : cell
}
