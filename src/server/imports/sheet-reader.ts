import type { BulkUpload, ImportKind } from '#shared/schemas/imports.ts'
import { batchesOf, type Batch } from './batches.ts'
import type { SheetLine } from './read-csv.ts'
import { isSpreadsheet, openSheet, type StoredSheet } from './read-sheet.ts'
import { surveySheet, type Survey } from './survey.ts'
import { openThread } from './thread.ts'

/** A file that has been looked through, and can be read in batches. */
export interface SheetReader extends AsyncDisposable {
  survey: Survey
  batches(): AsyncGenerator<ReadBatch>
}

export interface ReadBatch {
  batch: Batch
  /** The rows at these places of the batch, from 1, as they were. */
  sources: (places: number[]) => Promise<SheetLine[]>
}

export interface ReadTask {
  kind: ImportKind
  answers: BulkUpload
  upload: StoredSheet
}

/** A text file up to this is read at once: to start a thread for it would take longer than to read it. */
const SMALL_BYTES = 2 * 1024 * 1024

/**
 * Looks through a file. A large one is read in a thread of its own, beside the server's other work and in memory that
 * is bounded and given back. The signal says when nobody waits for it any more.
 * @throws what the survey finds, IMPORT_SHEET_TOO_LARGE, IMPORT_BUSY
 */
export async function openReader(task: ReadTask, signal: AbortSignal): Promise<SheetReader> {
  const isSmall = task.upload.size <= SMALL_BYTES && !isSpreadsheet(task.upload.head)
  const reader = isSmall ? await readHere(task) : await openThread(task, signal)
  return { ...reader, batches: () => oneAhead(reader.batches()) }
}

async function readHere({ kind, answers, upload }: ReadTask): Promise<SheetReader> {
  const sheet = await openSheet(upload, kind)
  const survey = await surveySheet(sheet, { kind, answers })
  const read = async function* () {
    for await (const { batch, sources } of batchesOf(kind, sheet, survey)) {
      yield { batch, sources: async (places: number[]) => places.flatMap((place) => sources[place - 1] ?? []) }
    }
  }
  return { survey, batches: read, [Symbol.asyncDispose]: async () => {} }
}

// The next batch is read while the one before is written.
async function* oneAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next()
  try {
    for (let item = await next; !item.done; item = await next) {
      next = items.next()
      // It is awaited a round later; until then its failure is nobody's.
      next.catch(() => {})
      yield item.value
    }
  } finally {
    await items.return(undefined)
  }
}
