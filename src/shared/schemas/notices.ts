import * as z from 'zod/mini'
import { day, Id, spacedOrNone } from './fields.ts'

export const LONGEST_MAIL_NUMBER = 60

/** Marks the letter with the notice of a contract's current term as mailed. */
export const PostNotice = z.object({
  id: Id,
  on: day('Enter the day on which it was mailed'),
  /** The number of certified mail. */
  mailNumber: z._default(spacedOrNone(LONGEST_MAIL_NUMBER), null),
})
export type PostNotice = z.output<typeof PostNotice>
