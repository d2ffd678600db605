import * as z from 'zod/mini'
import { LETTER_DELIVERIES } from '#shared/domain/notice-window.ts'
import { day, Id, spacedOrNone } from './fields.ts'
import { Cursor, flag, oneOf, Page, wholeNumber } from './filters.ts'
import { NOTICE_LISTS } from './notice-lists.ts'

const NoticeFilter = z.object({
  show: z._default(oneOf(NOTICE_LISTS), 'due'),
  /** Only those of which a letter can be marked as mailed, or no longer. */
  letters: z.optional(flag()),
})

export const ListNotices = z.object({ ...NoticeFilter.shape, ...Page.shape })
export type ListNotices = z.output<typeof ListNotices>

/** Of the REST API, which never sends the whole list at once. */
export const SliceNotices = z.object({
  ...NoticeFilter.shape,
  limit: z._default(wholeNumber(1, 1000), 200),
  cursor: z.optional(Cursor),
})

/** Contracts to which a rule applies, and whose windows cannot be computed. */
export const ListIncompleteNotices = z.object(Page.shape)
export type ListIncompleteNotices = z.output<typeof ListIncompleteNotices>

/** Of the REST API. */
export const SliceIncompleteNotices = z.object({ limit: SliceNotices.shape.limit, cursor: SliceNotices.shape.cursor })

export const LONGEST_MAIL_NUMBER = 60

/** Marks the letter with the notice of a contract's current term as mailed. */
export const PostNotice = z
  .object({
    id: Id,
    on: day('Enter the day on which it was mailed'),
    /** The number of certified mail. */
    mailNumber: z._default(spacedOrNone(LONGEST_MAIL_NUMBER), null),
    /** How it was delivered, which some laws ask for; a number alone means certified mail there. */
    delivery: z._default(z.nullable(oneOf(LETTER_DELIVERIES)), null),
  })
  .check(
    z.refine(({ delivery, mailNumber }) => delivery !== 'certified_mail' || mailNumber !== null, {
      path: ['mailNumber'],
      error: 'Enter the number of the mail',
    }),
    z.refine(({ delivery, mailNumber }) => delivery !== 'in_person' || mailNumber === null, {
      path: ['mailNumber'],
      error: 'A letter that is handed over in person has no number',
    }),
  )
export type PostNotice = z.output<typeof PostNotice>
