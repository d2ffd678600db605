import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { AppError } from '#shared/errors.ts'
import { readerProgram } from './reader-program.ts'
import { readBytes, saveUpload, type StoredFile, type UploadFile } from './upload-file.ts'
import { listParts, refusalOfExit, unpackedBytes } from './workbook.ts'

/** What is known of the process that reads a file. */
export interface ReaderProcess {
  child: ChildProcess
  output: Readable
  /** The beginning of what it writes to the standard error. */
  errorOutput: Promise<string>
}

/** Either the kernel limits the data of the process, or we watch its resident memory and kill it. */
type MemoryLimit = { dataKb: number } | { residentKb: number }

export interface ReaderOptions {
  memory?: MemoryLimit
  /** Of processor time, so that it only takes longer on a busy machine. */
  seconds?: number
  /** By the clock. */
  longestMs?: number
  /** The arguments of Node, in place of our reader of workbooks: what may be read, and what to run. */
  program?: string[]
}

/** Many cells can share one text of the file. */
const MOST_ROW_BYTES = 128 * 1024 * 1024
const MOST_ERROR_OUTPUT = 4000
const MOST_HEAP_MB = 512
/**
 * Node starts with 600,000 kB of data; 96 MB of text take 1,200,000, of which at most half is resident. Only Linux can
 * limit the data of a process.
 */
const MEMORY: MemoryLimit = process.platform === 'linux' ? { dataKb: 1_200_000 } : { residentKb: 800_000 }
/** The largest workbook, of 96 MB, takes 4 seconds of the processor, and gets 20. */
const FEWEST_SECONDS = 4
const BYTES_A_SECOND = 6 * 1024 * 1024
const LONGEST_MS = 60_000
const WATCH_EVERY_MS = 200

const PROGRAM = fileURLToPath(new URL('./read-xlsx.ts', import.meta.url))
const OPTIONS = [`--max-old-space-size=${MOST_HEAP_MB}`, '--disallow-code-generation-from-strings', '--permission']

/** Whether a file is an Excel workbook (a zip archive), whatever its name. */
export function isWorkbook(firstBytes: Uint8Array): boolean {
  return Buffer.from(firstBytes.subarray(0, 4)).toString('latin1') === 'PK\u0003\u0004'
}

/**
 * Refuses by its directory alone what is no workbook or too large. Returns how many seconds of the processor it may be
 * read for. @throws IMPORT_UNREADABLE, IMPORT_SHEET_TOO_LARGE
 */
export async function checkWorkbook({ file, size }: StoredFile): Promise<number> {
  const parts = await listParts(size, (position, length) => readBytes(file, position, length))
  return secondsFor(unpackedBytes(parts))
}

/** A small workbook that takes long is one that was made to. */
export function secondsFor(bytes: number): number {
  return FEWEST_SECONDS + Math.ceil(bytes / BYTES_A_SECOND)
}

/**
 * Writes the rows of a workbook's first sheet to a file, which `openReader` reads. The workbook is read in a process of
 * its own, which may run out of memory or time without harm to the server.
 * @throws IMPORT_UNREADABLE, IMPORT_CELL_UNREADABLE, IMPORT_SHEET_TOO_LARGE, IMPORT_TOO_MANY_COLUMNS,
 * IMPORT_TOO_MANY_ROWS, and IMPORT_BUSY when the signal aborts
 */
export async function convertXlsx(
  { file }: StoredFile,
  signal: AbortSignal,
  options: ReaderOptions = {},
): Promise<UploadFile> {
  try {
    const reader = startReaderProcess(file, signal, options)
    return await savedOutput(reader, { mostBytes: MOST_ROW_BYTES, refusalOf })
  } catch (error) {
    if (signal.aborted) throw new AppError('IMPORT_BUSY', { cause: error })
    throw isTooLarge(error) ? new AppError('IMPORT_SHEET_TOO_LARGE', { cause: error }) : error
  }
}

/** How a process ended that has not written all of its output. */
export interface ReaderEnd {
  code: number | null
  /** The signal that ended it: it had taken too much memory or time. */
  killedBy: string | null
  errorOutput: string
}

interface OutputOptions {
  mostBytes: number
  refusalOf: (end: ReaderEnd) => Error
}

/** The output of a process as a file, once it has ended. @throws IMPORT_TOO_LARGE beyond `mostBytes`, and what `refusalOf` says */
export async function savedOutput(
  { child, output, errorOutput }: ReaderProcess,
  { mostBytes, refusalOf }: OutputOptions,
): Promise<UploadFile> {
  const exit = once(child, 'exit')
  // It fails as soon as the process is aborted, while the output is still awaited.
  exit.catch(() => {})
  await using opened = new AsyncDisposableStack()
  try {
    const rows = opened.use(await saveUpload(output, { content: 'rows', mostBytes }))
    const [code, killedBy] = await exit
    if (code !== 0) throw refusalOf({ code, killedBy, errorOutput: await errorOutput })
    opened.move()
    return rows
  } catch (error) {
    child.kill('SIGKILL')
    await exit.catch(() => {})
    throw error
  }
}

/**
 * Starts the process that reads a workbook, or another file by another program. It has the open file and our own code
 * but no environment, and may neither write a file nor start a process. It is killed if it takes too much memory or time,
 * or if the signal aborts.
 */
export function startReaderProcess(
  file: number,
  signal: AbortSignal,
  {
    memory = MEMORY,
    seconds = FEWEST_SECONDS,
    longestMs = LONGEST_MS,
    program = readerProgram(PROGRAM),
  }: ReaderOptions = {},
): ReaderProcess {
  const limits = ['ulimit -c 0', `ulimit -t ${seconds}`]
  if ('dataKb' in memory) limits.push(`ulimit -d ${memory.dataKb}`)
  const script = `${limits.join(' && ')} && exec "$0" "$@"`
  const child = spawn('/bin/sh', ['-c', script, process.execPath, ...OPTIONS, ...program], {
    stdio: ['ignore', 'pipe', 'pipe', file],
    env: {},
    cwd: '/',
    signal,
    timeout: longestMs,
    killSignal: 'SIGKILL',
  })
  // Reports the first failure; later ones must not be uncaught.
  child.on('error', () => {})
  if ('residentKb' in memory) watchMemory(child, memory.residentKb)
  const { stdout: output, stderr } = child
  if (!output || !stderr) throw new Error('The reader has no output')
  return { child, output, errorOutput: firstOf(stderr, MOST_ERROR_OUTPUT) }
}

/** The first characters of a stream. The rest is read as well, so that the writer is never blocked. */
export async function firstOf(stream: Readable, most: number): Promise<string> {
  let first = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => (first += text.slice(0, most - first.length)))
  await finished(stream).catch(() => {})
  return first
}

function watchMemory(child: ChildProcess, mostKb: number): void {
  const look = () =>
    execFile('ps', ['-o', 'rss=', '-p', String(child.pid)], (_error, resident) => {
      if (Number(resident) > mostKb) child.kill('SIGKILL')
    })
  const timer = setInterval(look, WATCH_EVERY_MS).unref()
  child.once('exit', () => clearInterval(timer))
}

const CELL = /\b[A-Z]{1,3}\d{1,7}$/

/** What is no refusal is a fault of ours. */
function refusalOf({ code, killedBy, errorOutput }: ReaderEnd): Error {
  if (killedBy) return new AppError('IMPORT_SHEET_TOO_LARGE', { cause: new Error(`The reader ended by ${killedBy}`) })
  const key = refusalOfExit(code)
  if (!key) return new Error(`The reader of workbooks ended with ${code}: ${errorOutput}`)
  return new AppError(key, { values: { cell: CELL.exec(errorOutput)?.[0] ?? '' } })
}

function isTooLarge(error: unknown): boolean {
  return error instanceof AppError && error.key === 'IMPORT_TOO_LARGE'
}
