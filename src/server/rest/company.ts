import type { FastifyInstance } from 'fastify'
import { MAX_LOGO_BYTES } from '#shared/domain/logo.ts'
import { ConfirmReplyTo, UpdateCompany } from '#shared/schemas/company.ts'
import { getCompany, updateCompany, type CompanyView } from '#server/company/company.service.ts'
import { attachLogo, removeLogo } from '#server/company/logo.service.ts'
import { confirmReplyTo, sendReplyToCode } from '#server/company/reply-to.service.ts'
import { asSubscriber, requireAccount, requireReader } from '#server/context.ts'
import { fileOf, type FileForm } from './uploads/form-file.ts'
import { inputOf } from './input.ts'
import { hashed, runOnce } from './once.ts'
import { takeForms } from './uploads/upload-forms.ts'

const COMPANY = '/account/company'
const FORM: FileForm = {
  field: 'logo',
  maxFileBytes: MAX_LOGO_BYTES,
  notAForm: 'LOGO_FORM_REQUIRED',
  tooLarge: 'LOGO_TOO_LARGE',
  noFile: 'LOGO_FIELD_REQUIRED',
  unreadable: 'LOGO_FORM_UNREADABLE',
}

/** Fields of a company in responses that no request here can change. */
const READ_ONLY = Object.keys({ isReplyToConfirmed: 1, logoPath: 1, ownerEmail: 1, hasContracts: 1 } satisfies Record<
  Exclude<keyof CompanyView, keyof UpdateCompany>,
  1
>)

/** The company: what customers read as the sender. */
export async function companyRoutes(app: FastifyInstance) {
  app.get(COMPANY, async ({ context }) => getCompany(requireAccount(context)))

  app.put(COMPANY, async (request) => {
    const input = inputOf(UpdateCompany, request, READ_ONLY)
    return asSubscriber(request.context, (ctx) => updateCompany(ctx, input))
  })

  app.delete(`${COMPANY}/logo`, async (request, reply) => {
    await asSubscriber(request.context, removeLogo)
    return reply.code(204).send()
  })

  app.post(`${COMPANY}/reply-to/code`, async (request, reply) => {
    await runOnce(request, () => sendReplyToCode(requireReader(request.context)))
    return reply.code(204).send()
  })

  app.post(`${COMPANY}/reply-to/confirm`, async (request) => {
    const input = inputOf(ConfirmReplyTo, request)
    return runOnce(request, () => confirmReplyTo(requireReader(request.context), input))
  })

  await app.register(uploadRoute)
}

async function uploadRoute(app: FastifyInstance) {
  await takeForms(app, FORM)
  app.post(`${COMPANY}/logo`, async (request, reply) => {
    const file = hashed(fileOf(request, FORM))
    const attached = await runOnce(request, () => attachLogo(request.context, file.bytes), { file })
    return reply.code(201).send(attached)
  })
}
