import { once } from 'node:events'
import { read } from 'node:fs'
import { promisify } from 'node:util'
import { AppError } from '#shared/errors.ts'
import { FairQueue, type Applicant } from './fair-queue.ts'
import type { StoredSheet } from './read-sheet.ts'
import { spool, type Spool } from './spool.ts'
import { listParts } from './workbook-parts.ts'
import { startXlsxProcess, type XlsxProcess } from './start-xlsx-process.ts'
import { refusalOfExit } from './xlsx-refusals.ts'

/** Many cells can share one text of the file. */
const MOST_ROW_BYTES = 128 * 1024 * 1024

/** There is memory for one, however many upload. */
const queue = new FairQueue({ mostWaiting: 50, mostWaitingOfOne: 3, longestWaitMs: 120_000 })
const readAt = promisify(read)

/**
 * Writes the rows of a workbook's first sheet to a file, as `readRows` takes them. They are read in a process of their
 * own, which may run out of memory or time without harm to the server; one workbook at a time.
 * @throws IMPORT_UNREADABLE, IMPORT_SHEET_TOO_LARGE, IMPORT_TOO_MANY_COLUMNS, IMPORT_TOO_MANY_ROWS, IMPORT_BUSY,
 * IMPORT_TOO_MANY_WAITING
 */
export async function convertXlsx({ file, size }: StoredSheet, applicant: Applicant): Promise<Spool> {
  // A file that is too large by its own word keeps nobody waiting.
  await listParts(size, async (position, length) => {
    const { bytesRead, buffer } = await readAt(file, Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  })
  const leave = await queue.enter(applicant)
  try {
    return await convert(startXlsxProcess(file, applicant.signal), applicant.signal)
  } finally {
    leave()
  }
}

async function convert({ child, output, complaint }: XlsxProcess, signal: AbortSignal): Promise<Spool> {
  const ended = once(child, 'exit')
  // It fails at once where the process is cut off, while its output is still waited for.
  ended.catch(() => {})
  await using opened = new AsyncDisposableStack()
  try {
    const rows = opened.use(await spool(output, MOST_ROW_BYTES))
    const [code, killedBy] = await ended
    if (code !== 0)
      throw refusalOf(code, killedBy) ?? new Error(`The reader of workbooks ended with ${code}: ${await complaint}`)
    opened.move()
    return rows
  } catch (error) {
    child.kill('SIGKILL')
    await ended.catch(() => {})
    if (signal.aborted) throw new AppError('IMPORT_BUSY', { cause: error })
    throw isTooLarge(error) ? new AppError('IMPORT_SHEET_TOO_LARGE', { cause: error }) : error
  }
}

/**
 * A process that ended by a signal was killed for its memory or its time, or ran out of memory by itself. Undefined for a
 * fault of ours.
 */
function refusalOf(code: number | null, killedBy: string | null): AppError | undefined {
  if (killedBy) return new AppError('IMPORT_SHEET_TOO_LARGE', { cause: new Error(`The reader ended by ${killedBy}`) })
  const key = refusalOfExit(code)
  return key && new AppError(key)
}

function isTooLarge(error: unknown): boolean {
  return error instanceof AppError && error.key === 'IMPORT_TOO_LARGE'
}
