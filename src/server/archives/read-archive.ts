import { fstatSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { AppError, REFUSALS } from '#shared/errors.ts'
import { MAX_LOGO_BYTES, MAX_LOGO_PIXELS, pictureOf } from '#shared/domain/logo.ts'
import { checkedPdf } from '#server/files/checked-pdf.ts'
import { archiveFiles, MOST_ROWS, tooLarge, type ArchiveFiles } from './archive-files.ts'
import { ArchiveFormat } from './archive-schemas.ts'
import { rowReaders } from './archive-tables.ts'
import { invalidRow, jsonRows, type NumberedRow } from './json-rows.ts'
import { ARCHIVE_FILE, REFUSED, type ReadSummary } from './reader-output.ts'
import { Known, RowProblem, type ReadRow } from './references.ts'
import { openZip, unpacked, type ReadAt, type ZipEntry } from './zip.ts'

const BATCH_ROWS = 1000
const BATCH_CHARACTERS = 500_000
const LONGEST_FORMAT = 10_000

// This file is also the program of the process that archive-reader.ts starts.
if (import.meta.main) await run()

/** Reads the open archive and writes what it brings to the standard output; a refusal goes to the standard error. */
async function run(): Promise<void> {
  try {
    await pipeline(Readable.from(readArchive(fstatSync(ARCHIVE_FILE).size, readHere)), process.stdout)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    process.stderr.write(JSON.stringify({ key: error.key, values: error.values }))
    process.exitCode = REFUSED
  }
}

function readHere(position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(ARCHIVE_FILE, bytes, 0, length, position))
}

/**
 * Everything that an archive brings, checked, as lines of JSON: batches of rows (see reader-output.ts), and in the end how
 * many of each there are. To be called in a process of its own: somebody else has made the file.
 * @throws ARCHIVE_…
 */
export async function* readArchive(
  size: number,
  readAt: ReadAt,
  { mostRows = MOST_ROWS } = {},
): AsyncGenerator<string> {
  const files = archiveFiles(await openZip(size, readAt))
  await checkFormat(readAt, files.format)
  const known = new Known()
  const rows: ReadSummary['rows'] = {}
  let total = 0
  const readers = rowReaders(known)
  for (const [table, entry] of files.tables) {
    let count = 0
    for await (const batch of rowBatches(entry, unpacked(readAt, entry), readers[table])) {
      count += batch.length
      total += batch.length
      if (total > mostRows) throw tooLarge()
      yield lineOf(table, batch)
    }
    rows[table] = count
  }
  const pdfs = yield* pdfBatches(readAt, files, known)
  if (files.logo) {
    await checkLogo(readAt, files.logo)
    yield lineOf('logo', [JSON.stringify({ entry: files.logo })])
  }
  yield `${JSON.stringify({ rows, pdfs, ...known.found } satisfies ReadSummary)}\n`
}

/** A batch of rows that are JSON already. */
function lineOf(table: string, batch: readonly string[]): string {
  return `["${table}",[${batch.join(',')}]]\n`
}

async function checkFormat(readAt: ReadAt, entry: ZipEntry): Promise<void> {
  const pieces: Uint8Array[] = []
  if (entry.size > LONGEST_FORMAT) throw new AppError('ARCHIVE_OF_OTHER_VERSION')
  for await (const piece of unpacked(readAt, entry)) pieces.push(piece)
  try {
    ArchiveFormat.parse(JSON.parse(Buffer.concat(pieces).toString()))
  } catch (error) {
    throw new AppError('ARCHIVE_OF_OTHER_VERSION', { cause: error })
  }
}

async function* rowBatches(
  { name }: ZipEntry,
  bytes: AsyncIterable<Uint8Array>,
  read: ReadRow,
): AsyncGenerator<string[]> {
  let batch: string[] = []
  let characters = 0
  for await (const row of jsonRows(name, bytes)) {
    const stored = storedOf(name, row, read)
    if (!stored) continue
    const text = JSON.stringify(stored)
    batch.push(text)
    characters += text.length
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

function storedOf(file: string, { row, value }: NumberedRow, read: ReadRow): object | undefined {
  try {
    return read(value)
  } catch (error) {
    if (error instanceof RowProblem) throw invalidRow(file, row, error.message)
    throw error
  }
}

/** Checks each PDF, and says where it is. Returns how many there are. */
async function* pdfBatches(
  readAt: ReadAt,
  { pdfs }: ArchiveFiles,
  { withPdf, found }: Known,
): AsyncGenerator<string, ReadSummary['pdfs']> {
  const summary = { count: 0, bytes: 0 }
  const used = new Set<number>()
  for (const [contract, id] of withPdf) {
    const entry = pdfs.get(id)
    if (!entry) {
      found.missingPdfs += 1
      continue
    }
    used.add(id)
    await checkPdf(readAt, entry)
    summary.count += 1
    summary.bytes += entry.size
    yield lineOf('pdfs', [JSON.stringify({ contract, entry })])
  }
  for (const [id, { name }] of pdfs) if (!used.has(id)) throw invalidFile(name, 'It belongs to no contract')
  return summary
}

async function checkPdf(readAt: ReadAt, entry: ZipEntry): Promise<void> {
  try {
    await finished(Readable.from(checkedPdf(unpacked(readAt, entry))).resume())
  } catch (error) {
    if (!(error instanceof AppError) || error.key === 'ARCHIVE_DAMAGED') throw error
    throw invalidFile(entry.name, error.message)
  }
}

async function checkLogo(readAt: ReadAt, entry: ZipEntry): Promise<void> {
  if (entry.size > MAX_LOGO_BYTES) throw invalidFile(entry.name, REFUSALS.LOGO_TOO_LARGE.message)
  const pieces: Uint8Array[] = []
  for await (const piece of unpacked(readAt, entry)) pieces.push(piece)
  const picture = pictureOf(Buffer.concat(pieces))
  if (!picture) throw invalidFile(entry.name, REFUSALS.NOT_A_LOGO.message)
  const isTooLarge = Math.max(picture.width, picture.height) > MAX_LOGO_PIXELS
  if (isTooLarge) throw invalidFile(entry.name, REFUSALS.LOGO_TOO_MANY_PIXELS.message)
}

function invalidFile(file: string, problem: string): AppError {
  return new AppError('ARCHIVE_FILE_INVALID', { values: { file, problem } })
}
