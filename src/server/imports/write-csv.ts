import { stringify } from 'csv-stringify/sync'
import sql from 'sql-template-tag'
import { guardFormula } from '#shared/domain/formula-guard.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { ReaderContext } from '#server/context.ts'
import type { Cell } from './sheet/cells.ts'
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

const TEMPLATES: Record<ImportKind, string[][]> = {
  customers: [
    ['Name', 'Address', 'Phone', 'Customer Number', 'Email', 'Notifications'],
    ['Acme Ltd', '1 Main Street, Springfield', '555 0142', 'C-1001', 'office@acme.example', 'Yes'],
  ],
  contracts: [
    ['Customer Number', 'Customer', 'Amount', 'Start Date', 'Renewal Cycle', 'Renewal Date', 'Status'],
    ['C-1001', 'Acme Ltd', '1200.00', '2026-01-31', 'yearly', '2027-01-31', 'active'],
  ],
}

/** A file with the headings to use and one row as an example. */
export function templateOf(kind: ImportKind): string {
  return BYTE_ORDER_MARK + csvOf(TEMPLATES[kind])
}

/** The failed rows of an import with their lines and the reasons. @throws IMPORT_NOT_FOUND */
export async function errorsOf(ctx: ReaderContext, { id }: ById): Promise<AsyncGenerator<string>> {
  const { read, accountId } = ctx
  const [found] = await read<Import>(
    sql`select id, headings, failed, coalesce(failed_kept, failed) as kept from imports where account_id = ${accountId} and id = ${id}`,
  )
  if (!found) throw new AppError('IMPORT_NOT_FOUND')
  return errorLines(ctx, found)
}

interface FailureRow {
  line: number
  problems: StoredProblem[]
  cells: Cell[]
}

interface Import {
  id: number
  headings: string[]
  failed: number
  kept: number
}

async function* errorLines(ctx: ReaderContext, { id, headings, failed, kept }: Import): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvOf([['Line', 'Reason', ...headings]])
  let after = 0
  for (;;) {
    const failures = await ctx.read<FailureRow>(sql`
      select line, problems, cells from import_failures
      where account_id = ${ctx.accountId} and import_id = ${id} and line > ${after} order by line limit ${ROWS_A_READ}`)
    if (failures.length === 0) break
    yield csvOf(failures.map(({ line, problems, cells }) => [line, problems.map(sentence).join('; '), ...cells]))
    after = failures.at(-1)?.line ?? after
  }
  if (kept < failed) yield csvOf([['', `Only ${kept} of the ${failed} failed rows are kept`]])
}

function sentence({ column, reason }: StoredProblem): string {
  return column ? `${column}: ${reason}` : reason
}
