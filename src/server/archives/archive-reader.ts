import { fileURLToPath } from 'node:url'
import { AppError } from '#shared/errors.ts'
import { FairQueue, type Requester } from '#server/limits/fair-queue.ts'
import {
  savedOutput,
  startReaderProcess,
  type ReaderEnd,
  type ReaderOptions,
} from '#server/imports/sheet/convert-xlsx.ts'
import { readerProgram } from '#server/imports/sheet/reader-program.ts'
import { readBytes, readPieces, type StoredFile } from '#server/imports/sheet/upload-file.ts'
import { archiveFiles, tooLarge, type ArchiveFiles } from './archive-files.ts'
import { ReadBatch, ReadRefusal, ReadSummary, REFUSED, type StoredRow } from './reader-output.ts'
import { openZip, unpacked, type ZipEntry } from './zip.ts'

/** An archive that has been checked. */
export interface OpenArchive extends AsyncDisposable {
  summary: ReadSummary
  /** The rows of all tables, or of one, in batches of a table; each time from the first one. */
  batches(table?: string): AsyncGenerator<ReadBatch>
  /** The content of a PDF or the logo. */
  contentOf(entry: ZipEntry): AsyncGenerator<Uint8Array>
}

const PROGRAM = fileURLToPath(new URL('./read-archive.ts', import.meta.url))
const FEWEST_SECONDS = 10
/** Of the processor: several times as fast on two cores of 2024. */
const DATA_BYTES_A_SECOND = 2 * 1024 ** 2
const PDF_BYTES_A_SECOND = 20 * 1024 ** 2
const LONGEST_MS = 1_800_000
/** IDs become positions, and what is not imported is left out, so that rows hardly get longer. */
const MOST_OUTPUT_BYTES = 3 * 1024 ** 3
const LONGEST_SUMMARY = 65_536

/** One archive is read and written at a time: both take the processor and the disk. */
export const archiveQueue = new FairQueue({ mostWaiting: 20, longestWaitMs: 600_000, refusal: 'ARCHIVE_BUSY' })

/** What the directory of an archive says. @throws ARCHIVE_… refusals of files that are no archive or too large */
export async function listArchive({ file, size }: StoredFile): Promise<ArchiveFiles> {
  return archiveFiles(await openZip(size, (position, length) => readBytes(file, position, length)))
}

/**
 * Checks everything in an archive, in a process of its own, which may run out of memory or time without harm to the server.
 * @throws ARCHIVE_…, and ARCHIVE_BUSY when the signal aborts
 */
export async function openArchive(
  stored: StoredFile,
  { signal }: Requester,
  options: ReaderOptions = {},
): Promise<OpenArchive> {
  const { dataBytes, pdfBytes } = await listArchive(stored)
  const seconds = FEWEST_SECONDS + Math.ceil(dataBytes / DATA_BYTES_A_SECOND + pdfBytes / PDF_BYTES_A_SECOND)
  try {
    const reader = startReaderProcess(stored.file, signal, {
      seconds,
      longestMs: LONGEST_MS,
      program: readerProgram(PROGRAM),
      ...options,
    })
    const output = await savedOutput(reader, { mostBytes: MOST_OUTPUT_BYTES, refusalOf })
    const rows = output.stored
    return {
      summary: await summaryOf(rows),
      batches: (table) => batchesOf(rows, table),
      contentOf: (entry) => unpacked((position, length) => readBytes(stored.file, position, length), entry),
      [Symbol.asyncDispose]: () => output[Symbol.asyncDispose](),
    }
  } catch (error) {
    if (signal.aborted) throw new AppError('ARCHIVE_BUSY', { cause: error })
    throw error instanceof AppError && error.key === 'IMPORT_TOO_LARGE' ? tooLarge() : error
  }
}

/** A process ended by a signal had taken too much memory or time. What is no refusal is a fault of ours. */
function refusalOf({ code, killedBy, errorOutput }: ReaderEnd): Error {
  if (killedBy) return tooLarge()
  if (code !== REFUSED) return new Error(`The reader of archives ended with ${code}: ${errorOutput}`)
  const { key, values } = ReadRefusal.parse(JSON.parse(errorOutput))
  return new AppError(key, { values })
}

async function summaryOf({ file, size }: StoredFile): Promise<ReadSummary> {
  const end = await readBytes(file, Math.max(0, size - LONGEST_SUMMARY), LONGEST_SUMMARY)
  return ReadSummary.parse(JSON.parse(end.toString().trimEnd().split('\n').at(-1) ?? ''))
}

async function* batchesOf(rows: StoredFile, table?: string): AsyncGenerator<ReadBatch> {
  const beginning = table === undefined ? '["' : `["${table}",`
  for await (const line of linesOf(rows)) if (line.startsWith(beginning)) yield ReadBatch.parse(JSON.parse(line))
}

async function* linesOf(rows: StoredFile): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of readPieces(rows)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** The rows of a table that is small. */
export async function allRows(archive: Pick<OpenArchive, 'batches'>, table: string): Promise<StoredRow[]> {
  const rows: StoredRow[] = []
  for await (const [, batch] of archive.batches(table)) rows.push(...batch)
  return rows
}
