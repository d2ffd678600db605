import { Worker } from 'node:worker_threads'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import type { Batch, ReadBatch, ReadTask, SheetReader } from './batches.ts'
import type { FailedRows } from './failed-rows.ts'
import type { Refused } from './parse-row.ts'
import type { Survey } from './survey.ts'

/** The next batch is asked for by its number, from 0, with which the file is read anew. */
export type Question = { next: number } | { batch: number; refused: Refused[] }

/** What the thread says: one thing for the task and one for each question. No batch means that there are no more. */
export interface Reply {
  survey?: Survey
  batch?: Batch | undefined
  failed?: FailedRows
  refusal?: { key: RefusalKey; values: Record<string, string | number>; details: object }
}

/** A file is read piece by piece. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }
const LONGEST_SURVEY_MS = 120_000

/** Reads and checks a file in a thread of its own. @throws what the survey finds, IMPORT_SHEET_TOO_LARGE */
export async function openThread(task: ReadTask): Promise<SheetReader> {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: RESOURCE_LIMITS,
  })
  const close = async () => void (await worker.terminate())
  try {
    const { reply, ask } = converse(worker)
    const { survey } = await withinTime(worker, reply)
    if (!survey) throw new Error('The thread did not say what it found')
    return { survey, batches: () => batches(ask), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

type Ask = (question: Question) => Promise<Reply>

async function* batches(ask: Ask): AsyncGenerator<ReadBatch> {
  for (let number = 0; ; number += 1) {
    const { batch } = await ask({ next: number })
    if (!batch) return
    yield { batch, refuse: (refused) => failedOf(ask({ batch: number, refused })) }
  }
}

async function failedOf(reply: Promise<Reply>): Promise<FailedRows> {
  const { failed } = await reply
  if (!failed) throw new Error('The thread did not say which rows failed')
  return failed
}

/** The thread answers in the order in which it is asked. */
function converse(worker: Worker): { reply: Promise<Reply>; ask: Ask } {
  const waiting: PromiseWithResolvers<Reply>[] = []
  const fail = (error: unknown) => {
    for (const one of waiting.splice(0)) one.reject(isOutOfMemory(error) ? tooLarge(error) : error)
  }
  worker.on('message', ({ refusal, ...reply }: Reply) => {
    const one = waiting.shift()
    if (refusal) one?.reject(new AppError(refusal.key, refusal))
    else one?.resolve(reply)
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread ended without an answer')))
  const wait = () => {
    const one = Promise.withResolvers<Reply>()
    waiting.push(one)
    return one.promise
  }
  const ask = (question: Question) => {
    worker.postMessage(question)
    return wait()
  }
  return { reply: wait(), ask }
}

async function withinTime(worker: Worker, reply: Promise<Reply>): Promise<Reply> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void worker.terminate()
  }, LONGEST_SURVEY_MS)
  try {
    return await reply
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
