import type { FastifyInstance } from 'fastify'
import { SaveProofHead } from '#shared/schemas/proofs.ts'
import { ById } from '#shared/schemas/fields.ts'
import { ByMessage } from '#shared/schemas/reminders.ts'
import { asSubscriber, requireExporter, requireReader } from '#server/context.ts'
import { getAnswerCertificate, getCertificate } from '#server/proofs/certificate.service.ts'
import { getProofHead, saveProofHead } from '#server/proofs/proof-head.service.ts'
import { sendFile } from './answers/downloads.ts'
import { inputOf } from './input.ts'

export async function proofRoutes(app: FastifyInstance) {
  app.get('/account/proof-head', async ({ context }) => getProofHead(requireReader(context)))

  app.put('/account/proof-head', async (request) => {
    const input = inputOf(SaveProofHead, request, ['head'])
    return asSubscriber(request.context, (ctx) => saveProofHead(ctx, input))
  })
}

/** Like the export, certificates can still be had for a while after access has ended. */
export async function certificateRoutes(app: FastifyInstance) {
  app.get('/reminders/:id/certificate', async (request, reply) => {
    const { name, bytes } = await getCertificate(requireExporter(request.context), inputOf(ByMessage, request))
    return sendFile(reply, { name, type: 'application/pdf', content: bytes })
  })

  app.get('/answers/:id/certificate', async (request, reply) => {
    const { name, bytes } = await getAnswerCertificate(requireExporter(request.context), inputOf(ById, request))
    return sendFile(reply, { name, type: 'application/pdf', content: bytes })
  })
}
