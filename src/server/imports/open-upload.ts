import { checkWorkbook, convertXlsx, isWorkbook } from './sheet/convert-xlsx.ts'
import { openReader, type ReadTask, type SheetReader } from './sheet/reader.ts'
import { FairQueue, type Requester } from './fair-queue.ts'

/** There is memory for reading one workbook at a time, however many are uploaded. */
const workbooks = new FairQueue({ mostWaiting: 50, mostWaitingOfOne: 3, longestWaitMs: 120_000 })

/**
 * Inspects an upload and opens it for reading in batches. A workbook is first converted to a file of its rows.
 * @throws what `openReader` and `convertXlsx` throw, IMPORT_BUSY, IMPORT_TOO_MANY_WAITING
 */
export async function openUpload(task: ReadTask, requester: Requester): Promise<SheetReader> {
  if (!isWorkbook(task.stored.firstBytes)) return openReader(task)
  await using opened = new AsyncDisposableStack()
  const rows = opened.use(await convertInQueue(task, requester))
  const reader = opened.use(await openReader({ ...task, stored: rows.stored }))
  const open = opened.move()
  return { ...reader, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

async function convertInQueue({ stored }: ReadTask, requester: Requester) {
  // Nobody has to wait for a file that is refused by its directory.
  await checkWorkbook(stored)
  const leave = await workbooks.enter(requester)
  try {
    return await convertXlsx(stored, requester.signal)
  } finally {
    leave()
  }
}
