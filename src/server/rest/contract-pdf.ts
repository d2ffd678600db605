import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MAX_PDF_BYTES } from '#shared/domain/contract-pdf.ts'
import { ById } from '#shared/schemas/fields.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import { attachPdf, openPdf, removePdf, restorePdf } from '#server/files/files.service.ts'
import { FILES_POLICY } from '#server/security/content-policies.ts'
import { inlineAs, rangeOf } from './answers/downloads.ts'
import { fileOf, type FileForm } from './uploads/form-file.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce, hashed, runOnce } from './once.ts'
import { leastFileBytes, takeForms } from './uploads/upload-forms.ts'

const PDF = '/contracts/:id/pdf'
const FORM: FileForm = {
  field: 'pdf',
  maxFileBytes: MAX_PDF_BYTES,
  notAForm: 'PDF_FORM_REQUIRED',
  tooLarge: 'PDF_TOO_LARGE',
  noFile: 'PDF_FIELD_REQUIRED',
  unreadable: 'PDF_FORM_UNREADABLE',
}

export async function contractPdfRoutes(app: FastifyInstance) {
  app.route({ method: ['GET', 'HEAD'], url: PDF, handler: sendPdf })

  app.delete(PDF, async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removePdf(ctx, input))
    return reply.code(204).send()
  })

  app.post(`${PDF}/restore`, async (request) => {
    const input = inputOf(ById, request)
    return asSubscriberOnce(request, (ctx) => restorePdf(ctx, input))
  })

  await app.register(uploadRoute)
}

async function uploadRoute(app: FastifyInstance) {
  await takeForms(app, FORM)
  app.post(PDF, async (request, reply) => {
    const pdf = { ...inputOf(ById, request), leastBytes: leastFileBytes(request) }
    const file = hashed(fileOf(request, FORM))
    const attached = await runOnce(request, () => attachPdf(request.context, pdf, file.bytes), { file })
    return reply.code(201).send(attached)
  })
}

async function sendPdf(request: FastifyRequest, reply: FastifyReply) {
  const pdf = await openPdf(requireReader(request.context), inputOf(ById, request))
  const range = rangeOf(request.headers, pdf.size)
  reply.type('application/pdf').headers({
    'content-disposition': inlineAs(pdf.fileName),
    'content-security-policy': FILES_POLICY,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    'content-length': range ? range.end - range.start + 1 : pdf.size,
  })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${pdf.size}`)
  return reply.send(request.method === 'HEAD' ? undefined : await pdf.read(range))
}
