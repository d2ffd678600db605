import { AppError } from '#shared/errors.ts'
import { ARCHIVE_TABLES, type ArchiveTable } from './archive-tables.ts'
import type { ZipEntry } from './zip.ts'

/** The rows of all files together. */
export const MOST_ROWS = 2_000_000
const MOST_DATA_BYTES = 2 * 1024 ** 3
const FORMAT_FILE = 'archive.json'
const PDF = /^pdfs\/contract-(\d{1,10})\.pdf$/
const LOGOS = ['logo.png', 'logo.jpg']

export interface ArchiveFiles {
  format: ZipEntry
  tables: Map<ArchiveTable, ZipEntry>
  /** By the IDs of their contracts. */
  pdfs: Map<number, ZipEntry>
  logo: ZipEntry | undefined
  /** What the files with rows unpack to. */
  dataBytes: number
  pdfBytes: number
}

/**
 * The files of an archive that are imported; all others, such as the CSV files, are ignored.
 * @throws ARCHIVE_INCOMPLETE, ARCHIVE_OF_OTHER_VERSION, ARCHIVE_TOO_LARGE
 */
export function archiveFiles(entries: ReadonlyMap<string, ZipEntry>): ArchiveFiles {
  const format = entries.get(FORMAT_FILE)
  // Archives had no such file at first.
  if (!format && entries.has('contracts.json')) throw new AppError('ARCHIVE_OF_OTHER_VERSION')
  if (!format) throw new AppError('ARCHIVE_INCOMPLETE', { values: { file: FORMAT_FILE } })
  const tables = new Map(ARCHIVE_TABLES.map((table) => [table, needed(entries, `${table}.json`)]))
  const pdfs = new Map<number, ZipEntry>()
  for (const [name, entry] of entries) {
    const id = PDF.exec(name)?.[1]
    if (id !== undefined) pdfs.set(Number(id), entry)
  }
  const dataBytes = bytesOf(tables.values())
  if (dataBytes > MOST_DATA_BYTES) throw tooLarge()
  const logo = LOGOS.flatMap((name) => entries.get(name) ?? [])[0]
  return { format, tables, pdfs, logo, dataBytes, pdfBytes: bytesOf(pdfs.values()) }
}

export function tooLarge(): AppError {
  return new AppError('ARCHIVE_TOO_LARGE', { values: { rows: MOST_ROWS.toLocaleString('en-US'), size: '2 GB' } })
}

function needed(entries: ReadonlyMap<string, ZipEntry>, file: string): ZipEntry {
  const entry = entries.get(file)
  if (!entry) throw new AppError('ARCHIVE_INCOMPLETE', { values: { file } })
  return entry
}

function bytesOf(entries: Iterable<ZipEntry>): number {
  let bytes = 0
  for (const { size } of entries) bytes += size
  return bytes
}
