import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { flag, text } from '#shared/schemas/filters.ts'
import { CheckoutSuccess } from '#client/checkout/checkout-success.tsx'
import { destinationAfterPayment } from '#client/browser/destination.ts'
import { lenientSearch } from '#client/list/lenient-search.ts'

const Search = z.object({ session_id: z.optional(text(200)), trial: z._default(flag(), true) })

export const Route = createFileRoute('/checkout/success')({
  staticData: { title: 'Trial started' },
  validateSearch: lenientSearch(Search),
  component: CheckoutSuccessRoute,
})

function CheckoutSuccessRoute() {
  const { session_id: sessionId, trial } = Route.useSearch()
  return <CheckoutSuccess sessionId={sessionId} isTrial={trial} continuesTo={destinationAfterPayment()} />
}
