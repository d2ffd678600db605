import type { BulkUpload, ImportKind } from '#shared/schemas/imports.ts'
import { batchesOf, type Batch } from './batches.ts'
import type { FailedRows } from './failed-rows.ts'
import { isSpreadsheet, openSheet, type StoredSheet } from './read-sheet.ts'
import { surveySheet, type Survey } from './survey.ts'
import { openThread } from './thread.ts'
import type { Asking } from './turns.ts'
import type { Refused } from './write-batch.ts'

/** A file that has been looked through, and can be read in batches. */
export interface SheetReader extends AsyncDisposable {
  survey: Survey
  batches(): AsyncGenerator<ReadBatch>
}

export interface ReadBatch {
  batch: Batch
  /** Rows of the batch that the account's other rows do not allow. */
  refuse: (refused: Refused[]) => Promise<FailedRows>
}

export interface ReadTask {
  kind: ImportKind
  answers: BulkUpload
  upload: StoredSheet
}

const SMALL_BYTES = 2 * 1024 * 1024
/** Many short rows leave more behind than few long ones. */
const FEW_LINES = 20_000

/**
 * Looks through a file. A large one is read in a thread of its own, beside the server's other work and in memory that
 * is bounded and given back.
 * @throws what the survey finds, IMPORT_SHEET_TOO_LARGE, IMPORT_BUSY
 */
export async function openReader(task: ReadTask, asking: Asking): Promise<SheetReader> {
  const reader = isSmall(task.upload) ? await readHere(task) : await openThread(task, asking)
  return { ...reader, batches: () => oneAhead(reader.batches()) }
}

/** A text file that is read at once: to start a thread for it would take longer than to read it. */
export function isSmall({ size, lines, head }: StoredSheet): boolean {
  return size <= SMALL_BYTES && lines <= FEW_LINES && !isSpreadsheet(head)
}

async function readHere({ kind, answers, upload }: ReadTask): Promise<SheetReader> {
  const sheet = await openSheet(upload, kind)
  const survey = await surveySheet(sheet, { kind, answers })
  const read = async function* () {
    for await (const { batch, refuse } of batchesOf(kind, sheet, survey)) {
      yield { batch, refuse: async (refused: Refused[]) => refuse(refused) }
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
