import { createFileRoute, redirect } from '@tanstack/react-router'
import { CheckoutPage, CheckoutRouteFailure } from '#client/routes/-checkout-page.tsx'

export const Route = createFileRoute('/checkout/signup/$')({
  staticData: { title: 'Start your free trial' },
  beforeLoad: async ({ context: { session } }) => {
    if (await session.signedInPerson())
      redirect({ to: '/checkout', search: { trial: true }, replace: true, throw: true })
  },
  component: CheckoutSignUpRoute,
  pendingMs: 0,
  errorComponent: CheckoutRouteFailure,
})

function CheckoutSignUpRoute() {
  return <CheckoutPage trial canceled={false} />
}
