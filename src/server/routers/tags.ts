import { RenameTag, TagByName } from '#shared/schemas/tags.ts'
import { listTags, removeTag, renameTag } from '#server/tags/tags.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const tagsRouter = router({
  list: readerProcedure.query(({ ctx }) => listTags(ctx)),
  rename: subscriberProcedure.input(RenameTag).mutation(({ ctx, input }) => renameTag(ctx, input)),
  remove: subscriberProcedure.input(TagByName).mutation(({ ctx, input }) => removeTag(ctx, input)),
})
