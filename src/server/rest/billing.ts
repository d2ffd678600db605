import type { FastifyInstance } from 'fastify'
import { OpenPortal, StartCheckout, SubscriptionOf } from '#shared/schemas/billing.ts'
import { subscriptionStatusView } from '#server/billing/subscription.view.ts'
import { getSubscriptionOf, openPortal, startCheckout } from '#server/billing/subscriptions.service.ts'
import { requireAccount } from '#server/context.ts'
import { answerError } from './answers/errors.ts'
import { inputOf } from './input.ts'
import { runOnce } from './once.ts'

/** Fields that callers may also send (spec) and that are ignored: the account's own values are used. */
const IGNORED = ['priceId', 'email', 'trial', 'userId']

/** The subscription, which its owner reaches whatever its status. */
export async function billingRoutes(app: FastifyInstance) {
  app.setErrorHandler(answerError)
  app.addHook('onRequest', async ({ context }) => void requireAccount(context))

  app.get('/stripe/subscription-status/:userId', async (request) => {
    const found = await getSubscriptionOf(requireAccount(request.context), inputOf(SubscriptionOf, request))
    return subscriptionStatusView(found.subscription, found.customerId)
  })

  app.post('/stripe/create-checkout-session', async (request) => {
    const input = inputOf(StartCheckout, request, IGNORED)
    return runOnce(request, () => startCheckout(requireAccount(request.context), input), { isSecret: true })
  })

  app.post('/stripe/create-portal-session', async (request) => {
    const input = inputOf(OpenPortal, request, IGNORED)
    return runOnce(request, () => openPortal(requireAccount(request.context), input), { isSecret: true })
  })
}
