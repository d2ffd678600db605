import { About, AddNote, ChangeNote, ListActivity } from '#shared/schemas/activity.ts'
import { ById } from '#shared/schemas/fields.ts'
import { listActivity } from '#server/activity/activity.service.ts'
import { addNote, changeNote, listNotes, removeNote } from '#server/activity/notes.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const activityRouter = router({
  list: readerProcedure
    .input(ListActivity)
    .query(({ ctx, input: { cursor, ...input } }) => listActivity(ctx, { ...input, after: cursor, skip: 0 })),
})

export const notesRouter = router({
  list: readerProcedure.input(About).query(({ ctx, input }) => listNotes(ctx, input)),
  add: subscriberProcedure.input(AddNote).mutation(({ ctx, input }) => addNote(ctx, input)),
  update: subscriberProcedure.input(ChangeNote).mutation(({ ctx, input }) => changeNote(ctx, input)),
  remove: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeNote(ctx, input)),
})
