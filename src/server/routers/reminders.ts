import { ListReminders } from '#shared/schemas/filters.ts'
import { ById } from '#shared/schemas/fields.ts'
import {
  AnnounceCustomerTags,
  AnnounceMail,
  AnnounceTag,
  ListComing,
  MessageKey,
  MuteContract,
  ReminderSettings,
  SaveContractSettings,
  SaveReminderSettings,
  SnoozeReminder,
  UndoPlannedNow,
} from '#shared/schemas/reminders.ts'
import { SaveProofHead } from '#shared/schemas/proofs.ts'
import { getProofHead, saveProofHead } from '#server/proofs/proof-head.service.ts'
import { announceMail } from '#server/reminders/announced-mail.service.ts'
import { announceCustomerTags, announceTag } from '#server/reminders/announced-tags.service.ts'
import { contractReminders, muteContract, saveContractSettings } from '#server/reminders/contract-reminders.service.ts'
import { customerReminders } from '#server/reminders/customer-reminders.service.ts'
import { clearBounce, clearOwnBounce, getBounce, getOwnBounce } from '#server/deliverability/bounces.service.ts'
import { listComing, listReminders, listUnreachable } from '#server/reminders/outbox.service.ts'
import { TextOfKind, TryText, WriteText } from '#shared/schemas/reminder-texts.ts'
import { getMailLimits } from '#server/deliverability/mail-limits.service.ts'
import { skipReminder, snoozeReminder, undoSkippedReminder } from '#server/reminders/outbox-actions.service.ts'
import { planReminderNow, undoPlannedNow } from '#server/reminders/planned-now.service.ts'
import { getSettings, previewSettings, saveSettings } from '#server/reminder-settings/settings.service.ts'
import { getReminderRuns } from '#server/reminders/reminder-runs.service.ts'
import { getTexts, previewText, resetText, saveText, sendTestText } from '#server/reminder-settings/texts.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const remindersRouter = router({
  list: readerProcedure.input(ListReminders).query(({ ctx, input }) => listReminders(ctx, input)),
  coming: readerProcedure.input(ListComing).query(({ ctx, input }) => listComing(ctx, input)),
  unreachable: readerProcedure.query(({ ctx }) => listUnreachable(ctx)),
  ofContract: readerProcedure.input(ById).query(({ ctx, input }) => contractReminders(ctx, input)),
  ofCustomer: readerProcedure.input(ById).query(({ ctx, input }) => customerReminders(ctx, input)),
  bounce: readerProcedure.input(ById).query(({ ctx, input }) => getBounce(ctx, input)),
  ownBounce: readerProcedure.query(({ ctx }) => getOwnBounce(ctx)),
  runs: readerProcedure.query(({ ctx }) => getReminderRuns(ctx)),
  mailLimits: readerProcedure.query(({ ctx }) => getMailLimits(ctx)),
  settings: readerProcedure.query(({ ctx }) => getSettings(ctx)),
  previewSettings: readerProcedure.input(ReminderSettings).query(({ ctx, input }) => previewSettings(ctx, input)),
  saveSettings: subscriberProcedure.input(SaveReminderSettings).mutation(({ ctx, input }) => saveSettings(ctx, input)),
  saveContractSettings: subscriberProcedure
    .input(SaveContractSettings)
    .mutation(({ ctx, input }) => saveContractSettings(ctx, input)),
  texts: readerProcedure.query(({ ctx }) => getTexts(ctx)),
  // A text may be longer than an address.
  previewText: readerProcedure.input(TryText).mutation(({ ctx, input }) => previewText(ctx, input)),
  sendTestText: readerProcedure.input(TryText).mutation(({ ctx, input }) => sendTestText(ctx, input)),
  saveText: subscriberProcedure.input(WriteText).mutation(({ ctx, input }) => saveText(ctx, input)),
  resetText: subscriberProcedure.input(TextOfKind).mutation(({ ctx, input }) => resetText(ctx, input)),
  skip: subscriberProcedure.input(MessageKey).mutation(({ ctx, input }) => skipReminder(ctx, input)),
  undoSkip: subscriberProcedure.input(MessageKey).mutation(({ ctx, input }) => undoSkippedReminder(ctx, input)),
  snooze: subscriberProcedure.input(SnoozeReminder).mutation(({ ctx, input }) => snoozeReminder(ctx, input)),
  clearBounce: subscriberProcedure.input(ById).mutation(({ ctx, input }) => clearBounce(ctx, input)),
  clearOwnBounce: subscriberProcedure.mutation(({ ctx }) => clearOwnBounce(ctx)),
  announceMail: readerProcedure.input(AnnounceMail).query(({ ctx, input }) => announceMail(ctx, input)),
  announceCustomerTags: readerProcedure
    .input(AnnounceCustomerTags)
    .query(({ ctx, input }) => announceCustomerTags(ctx, input)),
  announceTag: readerProcedure.input(AnnounceTag).query(({ ctx, input }) => announceTag(ctx, input)),
  muteContract: subscriberProcedure.input(MuteContract).mutation(({ ctx, input }) => muteContract(ctx, input)),
  proofHead: readerProcedure.query(({ ctx }) => getProofHead(ctx)),
  saveProofHead: subscriberProcedure.input(SaveProofHead).mutation(({ ctx, input }) => saveProofHead(ctx, input)),
  planNow: readerProcedure.input(MessageKey).mutation(({ ctx, input }) => planReminderNow(ctx, input)),
  undoPlannedNow: subscriberProcedure.input(UndoPlannedNow).mutation(({ ctx, input }) => undoPlannedNow(ctx, input)),
})
