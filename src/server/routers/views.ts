import { ById } from '#shared/schemas/fields.ts'
import { ChangeView, ListSettings, SaveView } from '#shared/schemas/views.ts'
import { getListSettings, saveListSettings } from '#server/views/list-settings.service.ts'
import { changeView, listViews, removeView, saveView } from '#server/views/views.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const viewsRouter = router({
  listSettings: readerProcedure.query(({ ctx }) => getListSettings(ctx)),
  saveListSettings: subscriberProcedure.input(ListSettings).mutation(({ ctx, input }) => saveListSettings(ctx, input)),
  list: readerProcedure.query(({ ctx }) => listViews(ctx)),
  save: subscriberProcedure.input(SaveView).mutation(({ ctx, input }) => saveView(ctx, input)),
  update: subscriberProcedure.input(ChangeView).mutation(({ ctx, input }) => changeView(ctx, input)),
  remove: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeView(ctx, input)),
})
