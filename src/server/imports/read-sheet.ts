import { read } from 'node:fs'
import { promisify } from 'node:util'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { isKnownHeading } from './columns.ts'
import { csvFormatOf, readCsv, type SheetLine } from './read-csv.ts'
import { readRows } from './read-rows.ts'

/** An upload on disk, as threads can share it. */
export interface StoredSheet {
  /** The upload itself, or the rows that were read from it. */
  content: 'upload' | 'rows'
  /** The number of an open file. */
  file: number
  size: number
  /** How many lines it has, about. */
  lines: number
  /** The first bytes. */
  head: Uint8Array
  /** Whether all of it is valid UTF-8. */
  isUtf8: boolean
}

/** The rows of an upload, some at a time; they can be read more than once. */
export interface Sheet {
  lines(): AsyncIterable<SheetLine[]>
}

/** By its content, whatever its name says. */
export function isSpreadsheet(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).toString('latin1') === 'PK\u0003\u0004'
}

/** A text file, or the rows of a spreadsheet. @throws IMPORT_UNREADABLE */
export function openSheet(stored: StoredSheet, kind: ImportKind): Sheet {
  if (stored.content === 'rows') return { lines: () => readRows(piecesOf(stored)) }
  const isKnown = (heading: string) => isKnownHeading(kind, heading)
  const format = csvFormatOf(stored.head, stored.isUtf8, isKnown)
  return { lines: () => readCsv(piecesOf(stored), format) }
}

const PIECE_BYTES = 65_536
const readAt = promisify(read)

// Not a stream: that closes its file when it is left early, and the number may then be another account's file.
async function* piecesOf({ file, size }: StoredSheet): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size;) {
    const { bytesRead, buffer } = await readAt(file, Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, position)
    if (bytesRead === 0) throw new Error('The upload is shorter than it was')
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
