import { ListContracts } from '#shared/schemas/filters.ts'
import { CreateContract, EditContract } from '#shared/schemas/contracts.ts'
import { ById } from '#shared/schemas/fields.ts'
import {
  EndContract,
  RenewContract,
  ReopenContract,
  SaveRenewalSettings,
  UndoDecision,
} from '#shared/schemas/renewals.ts'
import {
  contractFigures,
  createContract,
  getContract,
  listContracts,
  removeContract,
  updateContract,
} from '#server/contracts/contracts.service.ts'
import { getRenewalSettings, saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { endContract, reopenContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { seen } from '#server/db/seen-version.ts'
import { restorePdf } from '#server/files/files.service.ts'
import { listTerms } from '#server/contracts/terms.service.ts'
import { planReminder, undoReminder } from '#server/reminders/manual-reminders.service.ts'
import { previewReminder } from '#server/reminders/contract-reminders.service.ts'
import { comingConfirmations } from '#server/renewals/coming-confirmations.service.ts'
import { previewRenewal, renewByHand } from '#server/renewals/renew-by-hand.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const contractsRouter = router({
  list: readerProcedure.input(ListContracts).query(({ ctx, input }) => listContracts(ctx, input)),
  figures: readerProcedure.query(({ ctx }) => contractFigures(ctx)),
  get: readerProcedure.input(ById).query(({ ctx, input }) => getContract(ctx, input)),
  create: subscriberProcedure.input(CreateContract).mutation(({ ctx, input }) => createContract(ctx, input)),
  update: subscriberProcedure
    .input(EditContract)
    .mutation(({ ctx, input: { version, ...input } }) => updateContract(ctx, input, seen(version))),
  remove: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeContract(ctx, input)),
  terms: readerProcedure.input(ById).query(({ ctx, input }) => listTerms(ctx, input)),
  renew: subscriberProcedure.input(RenewContract).mutation(({ ctx, input }) => renewByHand(ctx, input)),
  previewRenewal: readerProcedure.input(RenewContract).query(({ ctx, input }) => previewRenewal(ctx, input)),
  end: subscriberProcedure.input(EndContract).mutation(({ ctx, input }) => endContract(ctx, input)),
  reopen: subscriberProcedure.input(ReopenContract).mutation(({ ctx, input }) => reopenContract(ctx, input)),
  undo: subscriberProcedure.input(UndoDecision).mutation(({ ctx, input }) => undoDecision(ctx, input)),
  renewalSettings: readerProcedure.query(({ ctx }) => getRenewalSettings(ctx)),
  saveRenewalSettings: subscriberProcedure
    .input(SaveRenewalSettings)
    .mutation(({ ctx, input }) => saveRenewalSettings(ctx, input)),
  comingConfirmations: readerProcedure.query(({ ctx }) => comingConfirmations(ctx)),
  restorePdf: subscriberProcedure.input(ById).mutation(({ ctx, input }) => restorePdf(ctx, input)),
  planReminder: readerProcedure.input(ById).mutation(({ ctx, input }) => planReminder(ctx, input)),
  undoReminder: subscriberProcedure.input(ById).mutation(({ ctx, input }) => undoReminder(ctx, input)),
  previewReminder: readerProcedure.input(ById).query(({ ctx, input }) => previewReminder(ctx, input)),
})
