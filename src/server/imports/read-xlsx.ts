import { zipSync, type Zippable } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { AppError } from '#shared/errors.ts'
import { checkSheetXml } from './check-sheet-xml.ts'
import type { SheetLine } from './read-csv.ts'
import { listParts, unpackPart } from './workbook-parts.ts'

/** As many characters as a CSV file may have in a row. */
const LONGEST_ROW = 1_000_000

/**
 * The rows of the first sheet, without blank ones. All of it is in memory, and what its libraries make of a hostile
 * file nobody knows: to be called in a process of its own.
 * @throws IMPORT_UNREADABLE, IMPORT_SHEET_TOO_LARGE, IMPORT_TOO_MANY_COLUMNS, IMPORT_TOO_MANY_ROWS
 */
export async function* readXlsx(bytes: Buffer): AsyncGenerator<SheetLine> {
  const rows = await rowsOf(bytes)
  for (const [index, row] of rows.entries()) {
    const cells = row.map(plain)
    let characters = 0
    for (const cell of cells) characters += String(cell).length
    if (characters > LONGEST_ROW) throw new AppError('IMPORT_SHEET_TOO_LARGE')
    if (cells.some((cell) => String(cell).trim() !== '')) yield { line: index + 1, cells }
  }
}

async function rowsOf(bytes: Buffer) {
  const { parts, refusals } = await checkedParts(bytes)
  try {
    return await readSheet(archiveOf(parts))
  } catch (error) {
    // Parts that were refused are not there; what the reader did without, it did not need.
    throw (
      refusals[0] ??
      new AppError(isOutOfMemory(error) ? 'IMPORT_SHEET_TOO_LARGE' : 'IMPORT_UNREADABLE', { cause: error })
    )
  }
}

async function checkedParts(bytes: Buffer) {
  const parts: Zippable = {}
  const refusals: AppError[] = []
  for (const entry of await listParts(bytes.length, (position, length) =>
    bytes.subarray(position, position + length),
  )) {
    try {
      const part = unpackPart(bytes, entry)
      checkSheetXml(part.toString('latin1'))
      parts[entry.name] = part
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refusals.push(error)
    }
  }
  return { parts, refusals }
}

/** The reader takes archives only; it unpacks what is stored without a look at sizes that may not be true. */
function archiveOf(parts: Zippable): ArrayBuffer {
  return zipSync(parts, { level: 0 }).buffer
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /allocation failed|invalid (?:array|string) length/i.test(error.message)
}

function plain(cell: unknown): string | number | boolean {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10)
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : String(cell)
  return typeof cell === 'boolean' || typeof cell === 'string' ? cell : ''
}
