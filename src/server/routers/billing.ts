import {
  getSubscription,
  openPortal,
  refreshSubscription,
  startCheckout,
} from '#server/billing/subscriptions.service.ts'
import { accountProcedure, router } from '#server/trpc.ts'

export const billingRouter = router({
  subscription: accountProcedure.query(({ ctx }) => getSubscription(ctx)),
  refresh: accountProcedure.mutation(({ ctx }) => refreshSubscription(ctx)),
  startCheckout: accountProcedure.mutation(({ ctx }) => startCheckout(ctx)),
  openPortal: accountProcedure.mutation(({ ctx }) => openPortal(ctx)),
})
