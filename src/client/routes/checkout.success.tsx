import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { CheckoutSuccess } from '#client/checkout/checkout-success.tsx'

export const Route = createFileRoute('/checkout/success')({
  staticData: { title: 'Trial started' },
  validateSearch: z.object({
    session_id: z.coerce.string().optional().catch(undefined),
    trial: z.boolean().default(true).catch(true),
  }),
  component: CheckoutSuccessRoute,
})

function CheckoutSuccessRoute() {
  const { session_id: sessionId, trial } = Route.useSearch()
  return <CheckoutSuccess sessionId={sessionId} isTrial={trial} />
}
