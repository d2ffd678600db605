import { ById } from '#shared/schemas/fields.ts'
import { ListIncompleteNotices, ListNotices, PostNotice } from '#shared/schemas/notices.ts'
import { noticeOfContract } from '#server/notices/contract-notice.service.ts'
import { listIncompleteNotices } from '#server/notices/incomplete-notices.service.ts'
import { listNotices } from '#server/notices/notices.service.ts'
import { postNotice, unpostNotice } from '#server/notices/post-notice.service.ts'
import { deadlineProcedure, exporterProcedure, router } from '#server/trpc.ts'

/** Open as long as the data can be exported, as a legal deadline does not wait for a payment. */
export const noticesRouter = router({
  list: exporterProcedure.input(ListNotices).query(({ ctx, input }) => listNotices(ctx, input)),
  incomplete: exporterProcedure
    .input(ListIncompleteNotices)
    .query(({ ctx, input }) => listIncompleteNotices(ctx, input)),
  ofContract: exporterProcedure.input(ById).query(({ ctx, input }) => noticeOfContract(ctx, input)),
  post: deadlineProcedure.input(PostNotice).mutation(({ ctx, input }) => postNotice(ctx, input)),
  unpost: deadlineProcedure.input(ById).mutation(({ ctx, input }) => unpostNotice(ctx, input)),
})
