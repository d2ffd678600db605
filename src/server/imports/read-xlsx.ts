import { unzipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { AppError } from '#shared/errors.ts'
import type { SheetLine } from './read-csv.ts'

/** Beyond this, what a spreadsheet unpacks to is not read at all. */
const MOST_UNPACKED_BYTES = 96 * 1024 * 1024

/**
 * The rows of the first sheet, without blank ones. All of it is in memory: to be called in a thread of its own, whose
 * heap is bounded. @throws IMPORT_UNREADABLE, IMPORT_SHEET_TOO_LARGE
 */
export async function readXlsx(bytes: Uint8Array<ArrayBuffer>): Promise<SheetLine[]> {
  const rows = await sheetOf(bytes)
  const lines = rows.map((row, index) => ({ line: index + 1, cells: row.map(plain) }))
  return lines.filter(({ cells }) => cells.some((cell) => String(cell).trim() !== ''))
}

async function sheetOf(bytes: Uint8Array<ArrayBuffer>) {
  try {
    if (unpackedSize(bytes) > MOST_UNPACKED_BYTES) throw new AppError('IMPORT_SHEET_TOO_LARGE')
    return await readSheet(bytes.buffer)
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('IMPORT_UNREADABLE', { cause: error })
  }
}

/** As the archive's directory tells; nothing is unpacked beyond what it tells. */
function unpackedSize(bytes: Uint8Array): number {
  let total = 0
  unzipSync(bytes, {
    filter: ({ originalSize }) => {
      total += originalSize
      return false
    },
  })
  return total
}

function plain(cell: unknown): string | number | boolean {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  return typeof cell === 'number' || typeof cell === 'boolean' || typeof cell === 'string' ? cell : ''
}
