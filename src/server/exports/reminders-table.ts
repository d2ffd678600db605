import sql from 'sql-template-tag'
import type { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ReminderEntity } from '#server/ledger/reminder.entity.ts'
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
  ['Mail Number', 'mailNumber'],
  ['Delivery', 'delivery'],
  ['Sent', 'sentAt'],
  ['Delivered', 'deliveredAt'],
  ['Bounced', 'bouncedAt'],
]

/** What only the JSON file has, so that an archive can be imported without loss. */
const MORE = columnsOf(ReminderEntity, 'r', ['customerId', 'termNumber', 'sendingAt', 'sentOn'])
const { fields } = columnsOf(ReminderEntity, 'r', ['reason'])
const ExportedRow = ReminderRow.extend({ ...MORE.fields, reasonKey: fields.reason })
type More = Pick<z.output<typeof ExportedRow>, keyof typeof MORE.fields | 'reasonKey'>

/** The whole ledger. */
export function remindersTable({ read, accountId }: ReaderContext): ExportTable<ReminderView & More> {
  return {
    headings: COLUMNS.map(([heading]) => heading),
    cells: (reminder) => COLUMNS.map(([, name]) => reminder[name]),
    batches: () =>
      byId(async (after) => {
        const statement = sql`
          select ${REMINDER_COLUMNS}, ${MORE}, r.reason as "reasonKey" from reminders r
          where r.account_id = ${accountId} and r.id > ${after} order by r.id limit ${BATCH}`
        const rows = await read(statement, ExportedRow)
        return rows.map(({ customerId, termNumber, sendingAt, sentOn, reasonKey, ...row }) => ({
          ...reminderView(row),
          customerId,
          termNumber,
          sendingAt,
          sentOn,
          reasonKey,
        }))
      }),
  }
}
