import multipart from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MAX_PDF_BYTES } from '#shared/domain/contract-pdf.ts'
import { AppError } from '#shared/errors.ts'
import { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import { attachPdf, openPdf, removePdf } from '#server/files/files.service.ts'
import { rangeOf } from './byte-range.ts'
import { inlineAs } from './content-disposition.ts'
import { answerError } from './errors.ts'
import { inputOf } from './input.ts'
import { answerBeforeBody } from './refused-uploads.ts'

const PDF = '/contracts/:id/pdf'
/** A form with the largest PDF: its boundaries and headings are a few hundred bytes. */
const MAX_FORM_BYTES = MAX_PDF_BYTES + 64 * 1024
/** How long a client may send nothing. */
const SILENT_MS = 60_000

export async function contractPdfRoutes(app: FastifyInstance) {
  app.route({ method: ['GET', 'HEAD'], url: PDF, handler: sendPdf })

  app.delete(PDF, async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removePdf(ctx, input))
    return reply.code(204).send()
  })

  await app.register(uploadRoute)
}

/** A scope of its own: here a body is a form of any size, which is read as a stream; elsewhere it is JSON of 1 MB. */
async function uploadRoute(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  await app.register(multipart, {
    limits: { fileSize: MAX_PDF_BYTES + 1, files: 2, fields: 10, fieldSize: 1024, headerPairs: 20 },
  })
  answerBeforeBody(app, { maxBytes: MAX_FORM_BYTES })
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const isOtherType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    return answerError(isOtherType ? new AppError('PDF_FORM_REQUIRED') : error, request, reply)
  })

  app.post(PDF, async (request, reply) => {
    const attached = await attachPdf(request.context, inputOf(ById, request), pdfOf(request))
    return reply.code(201).send(attached)
  })
}

async function sendPdf(request: FastifyRequest, reply: FastifyReply) {
  const pdf = await openPdf(requireReader(request.context), inputOf(ById, request))
  const range = rangeOf(request.headers, pdf.size)
  reply.type('application/pdf').headers({
    'content-disposition': inlineAs(pdf.fileName),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    'content-length': range ? range.end - range.start + 1 : pdf.size,
  })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${pdf.size}`)
  return reply.send(request.method === 'HEAD' ? undefined : await pdf.read(range))
}

/** The bytes of the one file in the form, which fails at its end where the form holds more. */
async function* pdfOf(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  if (!request.isMultipart()) throw new AppError('PDF_FORM_REQUIRED')
  if (Number(request.headers['content-length']) > MAX_FORM_BYTES) throw new AppError('PDF_TOO_LARGE')
  const patience = setTimeout(() => request.raw.destroy(), SILENT_MS)
  try {
    for await (const chunk of onlyPdf(request)) {
      patience.refresh()
      yield chunk
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('PDF_FORM_UNREADABLE', { cause: error })
  } finally {
    clearTimeout(patience)
  }
}

async function* onlyPdf(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  // Nothing would ever come of a request whose client has gone.
  if (request.raw.destroyed) throw new AppError('PDF_FORM_UNREADABLE')
  let found = 0
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue
    found += 1
    if (part.fieldname !== 'pdf' || found > 1) throw new AppError('PDF_FIELD_REQUIRED')
    yield* part.file
    if (part.file.truncated) throw new AppError('PDF_TOO_LARGE')
  }
  if (found === 0) throw new AppError('PDF_FIELD_REQUIRED')
}
