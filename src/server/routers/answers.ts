import {
  AcceptAnswer,
  AnswerSettings,
  DeclineAnswer,
  ListAnswers,
  SaveContractAnswers,
} from '#shared/schemas/answers.ts'
import { ById } from '#shared/schemas/fields.ts'
import {
  getAnswerSettings,
  getContractAnswers,
  saveAnswerSettings,
  saveContractAnswers,
} from '#server/customer-answers/answer-settings.service.ts'
import { countWaiting, declineAnswer, listAnswers, revokeLinks } from '#server/customer-answers/answers.service.ts'
import { acceptByHand } from '#server/renewals/accept-by-hand.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const answersRouter = router({
  list: readerProcedure.input(ListAnswers).query(({ ctx, input }) => listAnswers(ctx, input)),
  waiting: readerProcedure.query(({ ctx }) => countWaiting(ctx)),
  accept: subscriberProcedure.input(AcceptAnswer).mutation(({ ctx, input }) => acceptByHand(ctx, input)),
  decline: subscriberProcedure.input(DeclineAnswer).mutation(({ ctx, input }) => declineAnswer(ctx, input)),
  settings: readerProcedure.query(({ ctx }) => getAnswerSettings(ctx)),
  saveSettings: subscriberProcedure.input(AnswerSettings).mutation(({ ctx, input }) => saveAnswerSettings(ctx, input)),
  contractSettings: readerProcedure.input(ById).query(({ ctx, input }) => getContractAnswers(ctx, input)),
  saveContractSettings: subscriberProcedure
    .input(SaveContractAnswers)
    .mutation(({ ctx, input }) => saveContractAnswers(ctx, input)),
  revokeLinks: subscriberProcedure.input(ById).mutation(({ ctx, input }) => revokeLinks(ctx, input)),
})
