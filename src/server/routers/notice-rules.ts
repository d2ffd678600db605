import { ById } from '#shared/schemas/fields.ts'
import { AdoptNoticeRule, ChangeNoticeRule, ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import {
  chooseNoticeRule,
  noticeChoiceOfCustomer,
  noticeWindowOfContract,
} from '#server/notice-rules/notice-choices.service.ts'
import {
  adoptNoticeRule,
  changeNoticeRule,
  listNoticeRules,
  makeNoticeRule,
  removeNoticeRule,
} from '#server/notice-rules/notice-rules.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const noticeRulesRouter = router({
  list: readerProcedure.query(({ ctx }) => listNoticeRules(ctx)),
  ofContract: readerProcedure.input(ById).query(({ ctx, input }) => noticeWindowOfContract(ctx, input)),
  ofCustomer: readerProcedure.input(ById).query(({ ctx, input }) => noticeChoiceOfCustomer(ctx, input)),
  make: subscriberProcedure.input(MakeNoticeRule).mutation(({ ctx, input }) => makeNoticeRule(ctx, input)),
  adopt: subscriberProcedure.input(AdoptNoticeRule).mutation(({ ctx, input }) => adoptNoticeRule(ctx, input)),
  change: subscriberProcedure.input(ChangeNoticeRule).mutation(({ ctx, input }) => changeNoticeRule(ctx, input)),
  remove: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeNoticeRule(ctx, input)),
  choose: subscriberProcedure.input(ChooseNoticeRule).mutation(({ ctx, input }) => chooseNoticeRule(ctx, input)),
})
