import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { CheckoutSuccess } from '#client/checkout/checkout-success.tsx'

export const Route = createFileRoute('/checkout/success')({
  staticData: { title: 'Trial started' },
  validateSearch: z.object({ session_id: z.coerce.string().optional().catch(undefined) }),
  component: CheckoutSuccessRoute,
})

function CheckoutSuccessRoute() {
  return <CheckoutSuccess sessionId={Route.useSearch().session_id} />
}
