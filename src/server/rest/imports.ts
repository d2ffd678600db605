import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { ById } from '#shared/schemas/fields.ts'
import { BulkUpload, IMPORT_KINDS, LARGEST_IMPORT_BYTES, SliceImports } from '#shared/schemas/imports.ts'
import { asSubscriber, requireReader, requireSubscriber } from '#server/context.ts'
import { errorsOf, templateOf } from '#server/imports/files.ts'
import { getImport, importFile, listImports } from '#server/imports/imports.service.ts'
import { takeBackImport } from '#server/imports/take-back.service.ts'
import { sendFile } from './downloads.ts'
import { answerError } from './errors.ts'
import { inputOf } from './input.ts'
import { answerBeforeBody } from './refused-uploads.ts'
import { sendSlice } from './slices.ts'

/** A form with the largest file: its boundaries and headings are a few hundred bytes. */
const MAX_FORM_BYTES = LARGEST_IMPORT_BYTES + 64 * 1024
const STALLED_MS = 60_000
const CSV = 'text/csv; charset=utf-8'

export async function importRoutes(app: FastifyInstance) {
  await app.register(uploadRoutes)

  for (const kind of IMPORT_KINDS) {
    app.get(`/${kind}/bulk-template`, async (request, reply) => {
      requireReader(request.context)
      return sendFile(reply, { name: `${kind}-template.csv`, type: CSV, content: templateOf(kind) })
    })
  }

  app.get('/imports', async (request, reply) => {
    const ctx = requireReader(request.context)
    return sendSlice({ request, reply }, inputOf(SliceImports, request), (page) => listImports(ctx, page))
  })

  app.get('/imports/:id', async (request) => getImport(requireReader(request.context), inputOf(ById, request)))

  app.get('/imports/:id/errors.csv', async (request, reply) => {
    const input = inputOf(ById, request)
    const lines = await errorsOf(requireReader(request.context), input)
    return sendFile(reply, { name: `import-${input.id}-errors.csv`, type: CSV, content: Readable.from(lines) })
  })

  app.delete('/imports/:id', async (request) => {
    const input = inputOf(ById, request)
    return asSubscriber(request.context, (ctx) => takeBackImport(ctx, input))
  })
}

/** A scope of its own: here a body is a form of any size, which is read as a stream; elsewhere it is JSON of 1 MB. */
async function uploadRoutes(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  await app.register(multipart, {
    limits: { fileSize: LARGEST_IMPORT_BYTES + 1, files: 2, fields: 10, fieldSize: 1024, headerPairs: 20 },
  })
  answerBeforeBody(app, { maxBytes: MAX_FORM_BYTES })
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const isOtherType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    return answerError(isOtherType ? new AppError('IMPORT_FORM_REQUIRED') : error, request, reply)
  })

  for (const kind of IMPORT_KINDS) {
    app.post(`/${kind}/bulk-upload`, async (request, reply) => {
      requireSubscriber(request.context)
      const answers = BulkUpload.parse(request.query)
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      return importFile(request.context, { kind, answers, signal: gone.signal, ...(await fileOf(request)) })
    })
  }
}

type Part = AsyncIterable<Uint8Array> & { truncated: boolean }

/** The file of the form, still arriving. */
async function fileOf(request: FastifyRequest): Promise<{ fileName: string; bytes: AsyncIterable<Uint8Array> }> {
  if (!request.isMultipart()) throw new AppError('IMPORT_FORM_REQUIRED')
  if (Number(request.headers['content-length']) > MAX_FORM_BYTES) throw new AppError('IMPORT_TOO_LARGE')
  const part = await begun(request)
  if (part?.fieldname !== 'file') throw new AppError('IMPORT_FILE_REQUIRED')
  if (!/\.(?:csv|xlsx)$/i.test(part.filename)) throw new AppError('IMPORT_TYPE_UNSUPPORTED')
  return { fileName: part.filename.replaceAll(/\p{Cc}/gu, '').slice(-255), bytes: arriving(request, part.file) }
}

/** The form's file as soon as it begins. */
async function begun(request: FastifyRequest) {
  const stalled = setTimeout(() => request.raw.destroy(), STALLED_MS)
  try {
    return await request.file({ throwFileSizeLimit: false })
  } catch (error) {
    return refuseForm(error)
  } finally {
    clearTimeout(stalled)
  }
}

async function* arriving({ raw }: FastifyRequest, file: Part): AsyncGenerator<Uint8Array> {
  const stalled = setTimeout(() => raw.destroy(), STALLED_MS)
  try {
    for await (const chunk of file) {
      stalled.refresh()
      yield chunk
    }
  } catch (error) {
    refuseForm(error)
  } finally {
    clearTimeout(stalled)
  }
  if (file.truncated) throw new AppError('IMPORT_TOO_LARGE')
}

function refuseForm(cause: unknown): never {
  throw new AppError('IMPORT_FORM_UNREADABLE', { cause })
}
