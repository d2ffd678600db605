import {
  AdoptTimeZone,
  CreateApiKey,
  DeleteAccount,
  EndSession,
  SetTimeZone,
  SignOutOthers,
} from '#shared/schemas/accounts.ts'
import { ById } from '#shared/schemas/fields.ts'
import { deleteAccount } from '#server/deletion/delete-account.service.ts'
import { adoptTimeZone, getAccount, refreshAccount, setTimeZone } from '#server/identity/accounts.service.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '#server/identity/api-keys.service.ts'
import { endSession, listSessions, signOutOthers } from '#server/identity/sessions.service.ts'
import { accountProcedure, publicProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const identityRouter = router({
  /** What the browser needs before anybody can sign in. */
  config: publicProcedure.query(({ ctx }) => ctx.services.identityConfig),
  account: accountProcedure.query(({ ctx }) => getAccount(ctx)),
  refresh: accountProcedure.mutation(({ ctx }) => refreshAccount(ctx)),
  adoptTimeZone: accountProcedure.input(AdoptTimeZone).mutation(({ ctx, input }) => adoptTimeZone(ctx, input)),
  setTimeZone: accountProcedure.input(SetTimeZone).mutation(({ ctx, input }) => setTimeZone(ctx, input)),
  apiKeys: accountProcedure.query(({ ctx }) => listApiKeys(ctx)),
  createApiKey: subscriberProcedure.input(CreateApiKey).mutation(({ ctx, input }) => createApiKey(ctx, input)),
  revokeApiKey: accountProcedure.input(ById).mutation(({ ctx, input }) => revokeApiKey(ctx, input)),
  sessions: accountProcedure.query(({ ctx }) => listSessions(ctx)),
  endSession: accountProcedure.input(EndSession).mutation(({ ctx, input }) => endSession(ctx, input)),
  signOutOthers: accountProcedure.input(SignOutOthers).mutation(({ ctx, input }) => signOutOthers(ctx, input)),
  deleteAccount: accountProcedure.input(DeleteAccount).mutation(({ ctx, input }) => deleteAccount(ctx, input)),
})
