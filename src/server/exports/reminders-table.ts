import sql from 'sql-template-tag'
import type { ReaderContext } from '#server/context.ts'
import { REMINDER_COLUMNS, ReminderRow, reminderView, type ReminderView } from '#server/reminders/reminder.view.ts'
import { BATCH, byId, type ExportTable } from './tables.ts'

const COLUMNS: [heading: string, name: keyof ReminderView][] = [
  ['ID', 'id'],
  ['Contract ID', 'contractId'],
  ['Customer', 'customerName'],
  ['Renewal Date', 'renewalDate'],
  ['Kind', 'kind'],
  ['Days', 'offset'],
  ['Due', 'day'],
  ['To', 'recipient'],
  ['Contact', 'contactName'],
  ['Channel', 'channel'],
  ['State', 'state'],
  ['Reason', 'reason'],
  ['Address', 'address'],
  ['Subject', 'subject'],
  ['Text', 'body'],
  ['Sent', 'sentAt'],
  ['Delivered', 'deliveredAt'],
  ['Bounced', 'bouncedAt'],
]

/** The whole ledger. */
export function remindersTable({ read, accountId }: ReaderContext): ExportTable<ReminderView> {
  return {
    headings: COLUMNS.map(([heading]) => heading),
    cells: (reminder) => COLUMNS.map(([, name]) => reminder[name]),
    batches: () =>
      byId(async (after) => {
        const statement = sql`
          select ${REMINDER_COLUMNS} from reminders r
          where r.account_id = ${accountId} and r.id > ${after} order by r.id limit ${BATCH}`
        const rows = await read(statement, ReminderRow)
        return rows.map(reminderView)
      }),
  }
}
