import { fstatSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { zipSync, type Zippable } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { AppError } from '#shared/errors.ts'
import { toJsonRow, type Cell, type SheetRow } from './cells.ts'
import { checkSheetXml, columnLetters } from './check-sheet-xml.ts'
import { exitCodeOf, listParts, unpackPart, WORKBOOK_FILE } from './workbook.ts'

/** Characters of a row, as in a CSV file. */
const LONGEST_ROW = 1_000_000
const CHARACTERS_AT_ONCE = 65_536
/** How the reader says which cell it cannot read. */
const UNREADABLE_CELL = /^<c\/> at row (\d+), col (\d+): /
const ERROR_CELL = /(<(?:[\w.-]+:)?c\s[^<>]*?\bt\s*=\s*["'])e(?=["'])/g

// This file is also the program of the process that convert-xlsx.ts starts.
if (import.meta.main) await convert()

/**
 * Reads the open workbook and writes its rows to the standard output. What it refuses is said by its exit code, and the
 * cell that the refusal names on the standard error.
 */
async function convert(): Promise<void> {
  try {
    await pipeline(Readable.from(jsonRows()), process.stdout)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const code = exitCodeOf(error.key)
    if (code === undefined) throw error
    if (error.values['cell']) process.stderr.write(String(error.values['cell']))
    process.exitCode = code
  }
}

async function* jsonRows(): AsyncGenerator<string> {
  let text = ''
  for await (const row of readXlsx(bytesOf(WORKBOOK_FILE))) {
    text += toJsonRow(row)
    if (text.length < CHARACTERS_AT_ONCE) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

function bytesOf(file: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(file).size)
  for (let read = 0; read < bytes.length;) {
    const more = readSync(file, bytes, read, bytes.length - read, read)
    if (more === 0) throw new Error('The upload is shorter than it was')
    read += more
  }
  return bytes
}

/**
 * The rows of the first sheet, without blank ones. To be called in a process of its own: it holds the whole workbook in
 * memory, and its libraries may do anything with a hostile file.
 * @throws IMPORT_UNREADABLE, IMPORT_CELL_UNREADABLE, IMPORT_SHEET_TOO_LARGE, IMPORT_TOO_MANY_COLUMNS, IMPORT_TOO_MANY_ROWS
 */
export async function* readXlsx(bytes: Buffer): AsyncGenerator<SheetRow> {
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
    // Refused parts were left out. If the reader succeeds without them, they were not needed.
    throw refusals[0] ?? refusalOf(error)
  }
}

function refusalOf(cause: unknown): AppError {
  if (isOutOfMemory(cause)) return new AppError('IMPORT_SHEET_TOO_LARGE', { cause })
  const [, row, column] = UNREADABLE_CELL.exec(cause instanceof Error ? cause.message : '') ?? []
  if (row === undefined) return new AppError('IMPORT_UNREADABLE', { cause })
  return new AppError('IMPORT_CELL_UNREADABLE', { cause, values: { cell: columnLetters(Number(column)) + row } })
}

async function checkedParts(bytes: Buffer) {
  const parts: Zippable = {}
  const refusals: AppError[] = []
  for (const entry of await listParts(bytes.length, (position, length) =>
    bytes.subarray(position, position + length),
  )) {
    try {
      const part = unpackPart(bytes, entry)
      const xml = part.toString('latin1')
      checkSheetXml(xml)
      parts[entry.name] = withErrorsAsText(part, xml)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refusals.push(error)
    }
  }
  return { parts, refusals }
}

/** The reader would leave out errors of formulas, such as #REF!, as if their cells were empty. */
function withErrorsAsText(part: Buffer, xml: string): Buffer {
  const text = xml.replaceAll(ERROR_CELL, '$1str')
  return text === xml ? part : Buffer.from(text, 'latin1')
}

/** The reader takes only archives. Stored parts are not unpacked, so that no wrong size can do harm. */
function archiveOf(parts: Zippable): ArrayBuffer {
  return zipSync(parts, { level: 0 }).buffer
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /allocation failed|invalid (?:array|string) length/i.test(error.message)
}

function plain(cell: unknown): Cell {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10)
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : String(cell)
  return typeof cell === 'boolean' || typeof cell === 'string' ? cell : ''
}
