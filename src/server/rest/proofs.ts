import type { FastifyInstance } from 'fastify'
import { ByMessage } from '#shared/schemas/reminders.ts'
import { requireReader } from '#server/context.ts'
import { getCertificate } from '#server/proofs/certificate.service.ts'
import { sendFile } from './answers/downloads.ts'
import { inputOf } from './input.ts'

export async function proofRoutes(app: FastifyInstance) {
  app.get('/reminders/:id/certificate', async (request, reply) => {
    const { name, bytes } = await getCertificate(requireReader(request.context), inputOf(ByMessage, request))
    return sendFile(reply, { name, type: 'application/pdf', content: bytes })
  })
}
