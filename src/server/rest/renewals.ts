import type { FastifyInstance } from 'fastify'
import { RemindersSwitch } from '#shared/schemas/contracts.ts'
import { ById } from '#shared/schemas/fields.ts'
import {
  EndContract,
  RenewContract,
  ReopenContract,
  SaveRenewalSettings,
  UndoDecision,
} from '#shared/schemas/renewals.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import { getRenewalSettings, saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { endContract, reopenContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { listTerms } from '#server/contracts/terms.service.ts'
import { comingConfirmations } from '#server/renewals/coming-confirmations.service.ts'
import { previewRenewal, renewByHand } from '#server/renewals/renew-by-hand.service.ts'
import { inputOf, takes } from './input.ts'
import { asSubscriberOnce } from './once.ts'

export async function renewalRoutes(app: FastifyInstance) {
  app.get('/contracts/:id/terms', async (request) => listTerms(requireReader(request.context), inputOf(ById, request)))

  app.post('/contracts/:id/renew', async (request) => {
    const input = inputOf(RenewContract, request)
    return asSubscriberOnce(request, (ctx) => renewByHand(ctx, input))
  })

  app.post('/contracts/:id/renew/preview', async (request) =>
    previewRenewal(requireReader(request.context), inputOf(RenewContract, request)),
  )

  app.post('/contracts/:id/end', async (request) => {
    const input = inputOf(EndContract, request)
    return asSubscriberOnce(request, (ctx) => endContract(ctx, input))
  })

  app.post('/contracts/:id/reopen', takes(RemindersSwitch), async (request) => {
    const input = inputOf(ReopenContract, request)
    return asSubscriberOnce(request, (ctx) => reopenContract(ctx, input))
  })

  app.post('/contracts/:id/undo', async (request) => {
    const input = inputOf(UndoDecision, request)
    return asSubscriberOnce(request, (ctx) => undoDecision(ctx, input))
  })

  app.get('/account/renewal-settings', async (request) => getRenewalSettings(requireReader(request.context)))

  app.put('/account/renewal-settings', async (request) => {
    const input = inputOf(SaveRenewalSettings, request)
    return asSubscriber(request.context, (ctx) => saveRenewalSettings(ctx, input))
  })

  app.get('/account/renewal-settings/confirmations', async (request) =>
    comingConfirmations(requireReader(request.context)),
  )
}
