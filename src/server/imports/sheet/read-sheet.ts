import { z } from 'zod'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { SheetRow } from './cells.ts'
import { isKnownHeading } from './columns.ts'
import { csvFormatOf, readCsv } from './read-csv.ts'
import { readPieces, type StoredFile } from './upload-file.ts'

/** The rows of a file in pieces; they can be read more than once. */
export interface Sheet {
  lines(): AsyncIterable<SheetRow[]>
}

const JsonRow = z.tuple([z.int()], z.union([z.string(), z.number(), z.boolean()]))

/** Opens a text file, or the rows of a workbook. @throws IMPORT_UNREADABLE */
export function openSheet(stored: StoredFile, kind: ImportKind): Sheet {
  if (stored.content === 'rows') return { lines: () => readJsonRows(readPieces(stored)) }
  const format = csvFormatOf(stored.firstBytes, stored.isUtf8, (heading) => isKnownHeading(kind, heading))
  return { lines: () => readCsv(readPieces(stored), format) }
}

/** A row from a line of JSON, as `toJsonRow` writes it. */
export function fromJsonRow(text: string): SheetRow {
  const [line, ...cells] = JsonRow.parse(JSON.parse(text))
  return { line, cells }
}

async function* readJsonRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SheetRow[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield lines.map(fromJsonRow)
  }
}
