import { ConfirmReplyTo, UpdateCompany } from '#shared/schemas/company.ts'
import { getCompany, updateCompany } from '#server/company/company.service.ts'
import { removeLogo } from '#server/company/logo.service.ts'
import { confirmReplyTo, sendReplyToCode } from '#server/company/reply-to.service.ts'
import { accountProcedure, readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const companyRouter = router({
  get: accountProcedure.query(({ ctx }) => getCompany(ctx)),
  update: subscriberProcedure.input(UpdateCompany).mutation(({ ctx, input }) => updateCompany(ctx, input)),
  removeLogo: subscriberProcedure.mutation(({ ctx }) => removeLogo(ctx)),
  // A wrong code has to count, and mail is sent outside of any transaction.
  sendReplyToCode: readerProcedure.mutation(({ ctx }) => sendReplyToCode(ctx)),
  confirmReplyTo: readerProcedure.input(ConfirmReplyTo).mutation(({ ctx, input }) => confirmReplyTo(ctx, input)),
})
