import { ById } from '#shared/schemas/fields.ts'
import { ListNotices, PostNotice } from '#shared/schemas/notices.ts'
import { noticeOfContract } from '#server/notices/contract-notice.service.ts'
import { listNotices } from '#server/notices/notices.service.ts'
import { postNotice, unpostNotice } from '#server/notices/post-notice.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const noticesRouter = router({
  list: readerProcedure.input(ListNotices).query(({ ctx, input }) => listNotices(ctx, input)),
  ofContract: readerProcedure.input(ById).query(({ ctx, input }) => noticeOfContract(ctx, input)),
  post: subscriberProcedure.input(PostNotice).mutation(({ ctx, input }) => postNotice(ctx, input)),
  unpost: subscriberProcedure.input(ById).mutation(({ ctx, input }) => unpostNotice(ctx, input)),
})
