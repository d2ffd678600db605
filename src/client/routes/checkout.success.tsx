import { createFileRoute } from '@tanstack/react-router'
import { CheckoutSuccess } from '#client/checkout/checkout-success.tsx'
import { destinationAfterPayment } from '#client/browser/destination.ts'
import { flag, searchReader, text } from '#client/list/search-params.ts'

interface SuccessSearch {
  session_id?: string | undefined
  trial: boolean
}

export const Route = createFileRoute('/checkout/success')({
  staticData: { title: 'Trial started' },
  validateSearch: searchReader<SuccessSearch>({ session_id: text(200), trial: flag }, { trial: true }),
  component: CheckoutSuccessRoute,
})

function CheckoutSuccessRoute() {
  const { session_id: sessionId, trial } = Route.useSearch()
  return <CheckoutSuccess sessionId={sessionId} isTrial={trial} goesOnTo={destinationAfterPayment()} />
}
