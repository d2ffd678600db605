import * as z from 'zod/mini'
import { ACTIVITY_SUBJECTS } from '#shared/domain/activity.ts'
import { ById, Id, lines } from './fields.ts'
import { Cursor, oneOf, Page, Slice } from './filters.ts'

/** A customer or contract. */
export const About = z.object({ about: oneOf(ACTIVITY_SUBJECTS), id: Id })
export type About = z.output<typeof About>

/** A page after `cursor`, which is the `last` of the page before. */
export const ListActivity = z.object({
  ...About.shape,
  limit: Page.shape.limit,
  cursor: z.optional(Cursor),
})

/** The same for the REST API, whose paths say what it is about. */
export const SliceActivity = z.object({ ...ById.shape, ...Slice.shape })

export const MAX_NOTE = 5000
/** How many notes a customer or contract can have. */
export const MOST_NOTES = 500

export const NoteText = z.object({ text: lines(MAX_NOTE, 'Write a note') })
export type NoteText = z.output<typeof NoteText>

export const AddNote = z.object({ ...About.shape, ...NoteText.shape })
export type AddNote = z.output<typeof AddNote>

export const ChangeNote = z.object({ ...ById.shape, ...NoteText.shape })
export type ChangeNote = z.output<typeof ChangeNote>
