import { stringify } from 'csv-stringify/sync'
import { guardFormula } from '#shared/domain/formula-guard.ts'

export type CsvCell = string | number | boolean | Date | null

/** Excel takes a file for UTF-8 only where it begins with this. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Rows as CSV; text that a spreadsheet would run is made harmless, and an import takes it as it was. */
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
