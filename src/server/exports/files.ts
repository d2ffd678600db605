import { BYTE_ORDER_MARK, csvOf } from '#server/imports/write-csv.ts'
import type { ExportTable } from './tables.ts'

/** A table as a CSV file. */
export async function* csvFile<View>({ headings, cells, batches }: ExportTable<View>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvOf([headings])
  for await (const batch of batches()) yield csvOf(batch.map(cells))
}

/** A table as a JSON array, a row a line. */
export async function* jsonFile<View>({ batches }: Pick<ExportTable<View>, 'batches'>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const batch of batches()) {
    yield separator + batch.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
