import { Worker } from 'node:worker_threads'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import { batchesOf, type Batch, type RowsWanted } from './batches.ts'
import { inspectSheet, type InspectOptions, type Inspection } from './inspect-sheet.ts'
import { openSheet } from './upload-file.ts'
import type { StoredFile } from './upload-file.ts'

/** A file that has been inspected and can be read in batches. */
export interface SheetReader extends AsyncDisposable {
  inspection: Inspection
  /** All of its rows, or those that are wanted, each time from the first one. */
  batches(wanted?: RowsWanted): AsyncGenerator<Batch>
}

export interface ReadTask extends InspectOptions {
  stored: StoredFile
}

/** Asks the thread, after its inspection, for one batch. */
export interface BatchRequest extends RowsWanted {
  fromStart: boolean
}

/** What the thread sends. Empty after the last batch. */
export interface ThreadMessage {
  inspection?: Inspection
  batch?: Batch
  refusal?: { key: RefusalKey; values: Record<string, string | number>; details: object }
}

const SMALL_BYTES = 2 * 1024 * 1024
/** Many short rows leave more garbage behind than a few long ones. */
const FEW_LINES = 20_000
/** The file is read in pieces. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }
const LONGEST_INSPECTION_MS = 120_000

/**
 * Inspects a text file, or the rows of a workbook. A large one is read in a thread, whose memory is bounded and given
 * back, while the server goes on with other work. @throws what the inspection throws, IMPORT_SHEET_TOO_LARGE
 */
export async function openReader(task: ReadTask): Promise<SheetReader> {
  const reader = isSmall(task.stored) ? await readHere(task) : await readInThread(task)
  return { ...reader, batches: (wanted) => prefetch(reader.batches(wanted)) }
}

/** Whether reading the file takes less time than starting a thread for it. */
export function isSmall({ size, lines }: StoredFile): boolean {
  return size <= SMALL_BYTES && lines <= FEW_LINES
}

async function readHere({ stored, ...options }: ReadTask): Promise<SheetReader> {
  const { kind } = options
  const sheet = await openSheet(stored, kind)
  const inspection = await inspectSheet(sheet, options)
  const batches = (wanted?: RowsWanted) => batchesOf(kind, sheet, { ...inspection, ...wanted })
  return { inspection, batches, [Symbol.asyncDispose]: async () => {} }
}

async function readInThread(task: ReadTask): Promise<SheetReader> {
  const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: RESOURCE_LIMITS,
  })
  const close = async () => void (await worker.terminate())
  try {
    const nextMessage = messagesFrom(worker)
    const { inspection } = await withinTime(worker, nextMessage())
    if (!inspection) throw new Error('The thread sent no inspection')
    const ask = (request: BatchRequest) => {
      worker.postMessage(request)
      return nextMessage()
    }
    return { inspection, batches: (wanted) => askForBatches(ask, wanted), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

async function* askForBatches(
  ask: (request: BatchRequest) => Promise<ThreadMessage>,
  wanted?: RowsWanted,
): AsyncGenerator<Batch> {
  for (let fromStart = true; ; fromStart = false) {
    const { batch } = await ask({ fromStart, ...wanted })
    if (!batch) return
    yield batch
  }
}

/** Returns a function that waits for the thread's next message; one at a time. */
function messagesFrom(worker: Worker): () => Promise<ThreadMessage> {
  const ended = new Promise<never>((_, fail) => {
    worker.once('error', (cause) => {
      fail(isOutOfMemory(cause) ? tooLarge(cause) : new Error('The thread failed', { cause }))
    })
    worker.once('exit', () => fail(new Error('The thread ended without a message')))
  })
  // It may end between two messages.
  ended.catch(() => {})
  return async () => {
    const message = new Promise<ThreadMessage>((resolve) => worker.once('message', resolve))
    const { refusal, ...rest } = await Promise.race([message, ended])
    if (refusal) throw new AppError(refusal.key, refusal)
    return rest
  }
}

async function withinTime<T>(worker: Worker, work: Promise<T>): Promise<T> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void worker.terminate()
  }, LONGEST_INSPECTION_MS)
  try {
    return await work
  } catch (error) {
    throw isLate ? tooLarge(error) : error
  } finally {
    clearTimeout(timer)
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooLarge(cause: unknown): AppError {
  return new AppError('IMPORT_SHEET_TOO_LARGE', { cause })
}

/** Reads the next batch while the previous one is being written. */
async function* prefetch<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next()
  try {
    for (let item = await next; !item.done; item = await next) {
      next = items.next()
      // It is awaited in the next round; a failure until then is not an unhandled one.
      next.catch(() => {})
      yield item.value
    }
  } finally {
    await items.return(undefined)
  }
}
