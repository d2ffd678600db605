import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { BulkUpload, IMPORT_KINDS } from '#shared/schemas/imports.ts'
import { batchesOf, type Batch } from './batches.ts'
import type { KnownMapping } from './heading-row.ts'
import { inspectSheet } from './inspect-sheet.ts'
import { openSheet } from './upload-file.ts'
import type { BatchRequest, ThreadMessage } from './reader.ts'

// The thread that reader.ts starts. It sends the inspection of the file, and then a batch for each request.
const Task = z.object({
  kind: z.enum(IMPORT_KINDS),
  answers: BulkUpload,
  known: z.optional(z.custom<KnownMapping[]>()),
  onlyLines: z.optional(z.set(z.int())),
  stored: z.object({
    content: z.enum(['upload', 'rows']),
    file: z.int(),
    size: z.int(),
    lines: z.int(),
    firstBytes: z.instanceof(Uint8Array),
    isUtf8: z.boolean(),
  }),
})

const { kind, answers, known = [], onlyLines, stored } = Task.parse(workerData)

await reply(async () => {
  const sheet = await openSheet(stored, kind)
  const inspection = await inspectSheet(sheet, { kind, answers, known, onlyLines })
  let batches: AsyncGenerator<Batch>
  parentPort?.on('message', ({ fromStart, ...wanted }: BatchRequest) => {
    void reply(async () => {
      if (fromStart) batches = batchesOf(kind, sheet, { ...inspection, ...wanted })
      const next = await batches.next()
      return next.done ? {} : { batch: next.value }
    })
  })
  return { inspection }
})

/** Sends a refusal like a result. Any other failure ends the thread, which reader.ts notices. */
async function reply(work: () => Promise<ThreadMessage>): Promise<void> {
  parentPort?.postMessage(await work().catch(refusalOf))
}

function refusalOf(error: unknown): ThreadMessage {
  if (!(error instanceof AppError)) throw error
  const { key, values, details } = error
  return { refusal: { key, values, details } }
}
