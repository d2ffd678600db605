import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { BulkUpload, IMPORT_KINDS } from '#shared/schemas/imports.ts'
import { batchesOf, type OwnBatch } from './batches.ts'
import type { Refused } from './parse-row.ts'
import { openSheet } from './read-sheet.ts'
import { surveySheet } from './survey.ts'
import type { Question, Reply } from './thread.ts'

// The other side of thread.ts: it asks, and each question has one answer.
const Task = z.object({
  kind: z.enum(IMPORT_KINDS),
  answers: BulkUpload,
  upload: z.object({
    content: z.enum(['upload', 'rows']),
    file: z.int(),
    size: z.int(),
    lines: z.int(),
    head: z.instanceof(Uint8Array),
    isUtf8: z.boolean(),
  }),
})

const { kind, answers, upload } = Task.parse(workerData)

const sheet = await answered(async () => openSheet(upload, kind))
const survey = sheet && (await answered(() => surveySheet(sheet, { kind, answers })))
if (survey) {
  let batches = batchesOf(kind, sheet, survey)
  const given = new Map<number, OwnBatch>()
  let turn: Promise<unknown> = Promise.resolve()

  const answer = async (question: Question): Promise<Reply> => {
    if ('refused' in question) return failedOf(given.get(question.batch), question.refused)
    if (question.next === 0) batches = batchesOf(kind, sheet, survey)
    const next = await batches.next()
    if (next.done) return {}
    given.set(question.next, next.value)
    // Only of the batch that is being written, and of the one after it, is anything asked.
    given.delete(question.next - 2)
    return { batch: next.value.batch }
  }
  parentPort?.on('message', (question: Question) => {
    turn = turn.then(() => answered(() => answer(question))).then((reply) => reply && tell(reply))
  })
  tell({ survey })
}

function failedOf(batch: OwnBatch | undefined, refused: Refused[]): Reply {
  return batch ? { failed: batch.refuse(refused) } : {}
}

/** A refusal is told; any other failure ends the thread, which its owner sees. */
async function answered<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { key, values, details } = error
    tell({ refusal: { key, values, details } })
    return undefined
  }
}

function tell(reply: Reply) {
  parentPort?.postMessage(reply)
}
