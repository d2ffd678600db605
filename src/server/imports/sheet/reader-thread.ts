import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { BulkUpload, IMPORT_KINDS } from '#shared/schemas/imports.ts'
import { batchesOf, type Batch } from './batches.ts'
import type { KnownMapping } from './heading-row.ts'
import { inspectSheet } from './inspect-sheet.ts'
import { openSheet } from './upload-file.ts'
import type { BatchRequest, ThreadAnswer } from './reader.ts'

// The thread that reader.ts starts: it says what it found in the file, and then answers each request with a batch.
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

await answerWith(async () => {
  const sheet = openSheet(stored, kind)
  const inspection = await inspectSheet(sheet, { kind, answers, known, onlyLines })
  let batches: AsyncGenerator<Batch>
  parentPort?.on('message', ({ fromStart }: BatchRequest) => {
    void answerWith(async () => {
      if (fromStart) batches = batchesOf(kind, sheet, inspection)
      const next = await batches.next()
      return next.done ? {} : { batch: next.value }
    })
  })
  return { inspection }
})

/** A refusal is an answer; any other failure ends the thread, and reader.ts sees that. */
async function answerWith(work: () => Promise<ThreadAnswer>): Promise<void> {
  parentPort?.postMessage(await work().catch(refusalOf))
}

function refusalOf(error: unknown): ThreadAnswer {
  if (!(error instanceof AppError)) throw error
  const { key, values, details } = error
  return { refusal: { key, values, details } }
}
