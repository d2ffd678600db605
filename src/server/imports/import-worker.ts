import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { BulkUpload, IMPORT_KINDS } from '#shared/schemas/imports.ts'
import { batchesOf } from './batches.ts'
import type { SheetLine } from './read-csv.ts'
import { openSheet } from './read-sheet.ts'
import { surveySheet } from './survey.ts'
import type { Question, Reply } from './thread.ts'

// The other side of thread.ts: it asks, and each question has one answer.
const Task = z.object({
  kind: z.enum(IMPORT_KINDS),
  answers: BulkUpload,
  upload: z.object({ file: z.int(), size: z.int(), head: z.instanceof(Uint8Array), isUtf8: z.boolean() }),
})

const { kind, answers, upload } = Task.parse(workerData)

const sheet = await answered(() => openSheet(upload, kind))
const survey = sheet && (await answered(() => surveySheet(sheet, { kind, answers })))
if (survey) {
  const batches = batchesOf(kind, sheet, survey)
  const given = new Map<number, SheetLine[]>()
  let read = 0
  let turn: Promise<unknown> = Promise.resolve()

  const answer = async (question: Question): Promise<Reply> => {
    if ('places' in question) return { sources: sourcesOf(given.get(question.batch), question.places) }
    const next = await batches.next()
    if (next.done) return {}
    given.set(read, next.value.sources)
    read += 1
    // Only of the batch that is being written, and of the one after it, is anything asked.
    given.delete(read - 3)
    return { batch: next.value.batch }
  }
  parentPort?.on('message', (question: Question) => {
    turn = turn.then(() => answered(() => answer(question))).then((reply) => reply && tell(reply))
  })
  tell({ survey })
}

function sourcesOf(rows: SheetLine[] = [], places: number[]): SheetLine[] {
  return places.flatMap((place) => rows[place - 1] ?? [])
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
