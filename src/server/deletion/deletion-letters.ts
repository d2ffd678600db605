import { dayIn } from '#shared/domain/day.ts'
import type { Letter } from '#server/mail/letter.ts'

interface DeletionNotice {
  deletesAt: Date
  timeZone: string
  publicUrl: string
}

export interface WrittenNotice {
  subject: string
  letter: Letter
}

/** The first notice to the owner of an account without access. */
export function firstDeletionNotice({ deletesAt, timeZone, publicUrl }: DeletionNotice): WrittenNotice {
  const day = longDay(deletesAt, timeZone)
  return {
    subject: `Your TRAXX data will be deleted on ${day}`,
    letter: {
      sender: 'TRAXX',
      parts: [
        { text: 'Hello,' },
        {
          text: `Your TRAXX subscription has ended. We keep your account, your customers, and your contracts until ${day}. Then we will delete them for good.`,
        },
        { text: 'To continue where you left off, subscribe again before then:' },
        { link: { label: 'Subscribe', url: `${publicUrl}/checkout` } },
        {
          text: 'To keep a copy, export everything as one archive. You can also delete your account there right away:',
        },
        { link: { label: 'Export your data', url: `${publicUrl}/your-data` } },
      ],
      note: NOTE,
    },
  }
}

/** The last notice. */
export function lastDeletionNotice({ deletesAt, timeZone, publicUrl }: DeletionNotice): WrittenNotice {
  const day = longDay(deletesAt, timeZone)
  return {
    subject: `Last reminder: your TRAXX data will be deleted on ${day}`,
    letter: {
      sender: 'TRAXX',
      parts: [
        { text: 'Hello,' },
        {
          text: `On ${day}, we will delete your TRAXX account with all of its customers, contracts, and files. This cannot be undone, and we will not write to you about it again.`,
        },
        { text: 'Until then you can export everything as one archive:' },
        { link: { label: 'Export your data', url: `${publicUrl}/your-data` } },
        { text: 'Or subscribe again, and nothing is deleted:' },
        { link: { label: 'Subscribe', url: `${publicUrl}/checkout` } },
      ],
      note: NOTE,
    },
  }
}

const NOTE = 'You are receiving this email because your TRAXX account no longer has a subscription.'
const LONG = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

function longDay(moment: Date, timeZone: string): string {
  return LONG.format(new Date(`${dayIn(moment, timeZone)}T00:00:00Z`))
}
