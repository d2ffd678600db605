import { stringify } from 'csv-stringify/sync'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { guardFormula } from '#shared/domain/formula-guard.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ImportEntity, ImportFailureEntity } from './import.entity.ts'
import { templateRows } from './sheet/columns.ts'
import type { StoredProblem } from './sheet/parse-row.ts'

export type CsvCell = string | number | boolean | Date | null

/** Excel reads a file as UTF-8 only if it begins with this. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Rows as CSV. Text that a spreadsheet would run as a formula is guarded; an import removes the guard. */
export function csvOf(rows: CsvCell[][]): string {
  return stringify(rows, {
    record_delimiter: '\r\n',
    quote_record_delimiter: true,
    cast: {
      string: guardFormula,
      boolean: (value) => (value ? 'Yes' : 'No'),
      date: (value) => value.toISOString(),
    },
  })
}

const ROWS_A_READ = 1000

/** A file with the headings to use and one row as an example. */
export function templateOf(kind: ImportKind): string {
  return BYTE_ORDER_MARK + csvOf(templateRows(kind))
}

/** The failed rows of an import with their lines and the reasons. @throws IMPORT_NOT_FOUND */
export async function errorsOf(ctx: ReaderContext, { id }: ById): Promise<AsyncGenerator<string>> {
  const { read, accountId } = ctx
  const statement = sql`
    select ${IMPORT}, coalesce(i.failed_kept, i.failed) as kept from imports i
    where i.account_id = ${accountId} and i.id = ${id}`
  const [found] = await read(statement, Import)
  if (!found) throw new AppError('IMPORT_NOT_FOUND')
  return errorLines(ctx, found)
}

const IMPORT = columnsOf(ImportEntity, 'i', ['id', 'headings', 'failed'])
const Import = z.object({ ...IMPORT.fields, kept: z.int() })
type Import = z.output<typeof Import>

const FAILURE = columnsOf(ImportFailureEntity, 'f', ['line', 'problems', 'cells'])
const FailureRow = z.object(FAILURE.fields)

async function* errorLines(ctx: ReaderContext, { id, headings, failed, kept }: Import): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvOf([['Line', 'Reason', ...headings]])
  let after = 0
  for (;;) {
    const statement = sql`
      select ${FAILURE} from import_failures f
      where f.account_id = ${ctx.accountId} and f.import_id = ${id} and f.line > ${after}
      order by f.line limit ${ROWS_A_READ}`
    const failures = await ctx.read(statement, FailureRow)
    if (failures.length === 0) break
    yield csvOf(failures.map(({ line, problems, cells }) => [line, problems.map(sentence).join('; '), ...cells]))
    after = failures.at(-1)?.line ?? after
  }
  if (kept < failed) yield csvOf([['', `Only ${kept} of the ${failed} failed rows were kept`]])
}

function sentence({ column, reason }: StoredProblem): string {
  return column ? `${column}: ${reason}` : reason
}
