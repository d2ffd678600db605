import { ById } from '#shared/schemas/fields.ts'
import { ChangeView, SaveView } from '#shared/schemas/views.ts'
import { changeView, listViews, removeView, saveView } from '#server/views/views.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const viewsRouter = router({
  list: readerProcedure.query(({ ctx }) => listViews(ctx)),
  save: subscriberProcedure.input(SaveView).mutation(({ ctx, input }) => saveView(ctx, input)),
  update: subscriberProcedure.input(ChangeView).mutation(({ ctx, input }) => changeView(ctx, input)),
  remove: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeView(ctx, input)),
})
