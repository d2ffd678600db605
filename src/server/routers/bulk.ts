import { BulkChange } from '#shared/schemas/bulk.ts'
import { ById } from '#shared/schemas/fields.ts'
import { getBulk, latestBulk, startBulk, undoBulk } from '#server/bulk/bulk.service.ts'
import { previewBulk } from '#server/bulk/preview-bulk.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const bulkRouter = router({
  preview: readerProcedure.input(BulkChange).query(({ ctx, input }) => previewBulk(ctx, input)),
  start: subscriberProcedure.input(BulkChange).mutation(({ ctx, input }) => startBulk(ctx, input)),
  get: readerProcedure.input(ById).query(({ ctx, input }) => getBulk(ctx, input)),
  latest: readerProcedure.query(({ ctx }) => latestBulk(ctx)),
  undo: subscriberProcedure.input(ById).mutation(({ ctx, input }) => undoBulk(ctx, input)),
})
