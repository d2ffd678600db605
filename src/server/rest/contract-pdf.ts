import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MAX_PDF_BYTES } from '#shared/domain/contract-pdf.ts'
import { AppError } from '#shared/errors.ts'
import { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import { attachPdf, openPdf, removePdf } from '#server/files/files.service.ts'
import { rangeOf } from './byte-range.ts'
import { inlineAs } from './content-disposition.ts'
import { inputOf } from './input.ts'
import { checkForm, takeForms, withPatience, type UploadForm } from './upload-forms.ts'

const PDF = '/contracts/:id/pdf'
const FORM: UploadForm = { maxFileBytes: MAX_PDF_BYTES, notAForm: 'PDF_FORM_REQUIRED', tooLarge: 'PDF_TOO_LARGE' }

export async function contractPdfRoutes(app: FastifyInstance) {
  app.route({ method: ['GET', 'HEAD'], url: PDF, handler: sendPdf })

  app.delete(PDF, async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removePdf(ctx, input))
    return reply.code(204).send()
  })

  await app.register(uploadRoute)
}

async function uploadRoute(app: FastifyInstance) {
  await takeForms(app, FORM)
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
  checkForm(request, FORM)
  try {
    yield* withPatience(request, onlyPdf(request))
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('PDF_FORM_UNREADABLE', { cause: error })
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
