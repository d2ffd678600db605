import { batchesOf, type ReadTask, type SheetReader } from './batches.ts'
import { convertXlsx } from './convert-xlsx.ts'
import type { Applicant } from './fair-queue.ts'
import type { Refused } from './parse-row.ts'
import { isSpreadsheet, openSheet, type StoredSheet } from './read-sheet.ts'
import { surveySheet } from './survey.ts'
import { storedSheet } from './spool.ts'
import { openThread } from './thread.ts'

const SMALL_BYTES = 2 * 1024 * 1024
/** Many short rows leave more behind than few long ones. */
const FEW_LINES = 20_000

/**
 * Looks through a file. A spreadsheet becomes a file of its rows first. A large one is read in a thread of its own,
 * beside the server's other work and in memory that is bounded and given back.
 * @throws what the survey finds, what `convertXlsx` throws, IMPORT_SHEET_TOO_LARGE
 */
export async function openReader(task: ReadTask, applicant: Applicant): Promise<SheetReader> {
  await using opened = new AsyncDisposableStack()
  let { upload } = task
  if (isSpreadsheet(upload.head)) upload = storedSheet('rows', opened.use(await convertXlsx(upload, applicant)))
  const reader = opened.use(await readerOf({ ...task, upload }))
  const open = opened.move()
  return {
    survey: reader.survey,
    batches: () => oneAhead(reader.batches()),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

function readerOf(task: ReadTask): Promise<SheetReader> {
  return isSmall(task.upload) ? readHere(task) : openThread(task)
}

/** A file that is read at once: to start a thread for it would take longer than to read it. */
export function isSmall({ size, lines }: StoredSheet): boolean {
  return size <= SMALL_BYTES && lines <= FEW_LINES
}

async function readHere({ kind, answers, upload }: ReadTask): Promise<SheetReader> {
  const sheet = openSheet(upload, kind)
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
