import { AdoptTimeZone } from '#shared/schemas/accounts.ts'
import { adoptTimeZone } from '#server/identity/accounts.service.ts'
import { accountProcedure, publicProcedure, router } from '#server/trpc.ts'

export const identityRouter = router({
  /** What the browser needs before anybody can sign in. */
  config: publicProcedure.query(({ ctx }) => ctx.services.identityConfig),
  adoptTimeZone: accountProcedure.input(AdoptTimeZone).mutation(({ ctx, input }) => adoptTimeZone(ctx, input)),
})
