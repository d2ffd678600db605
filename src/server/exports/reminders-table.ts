import sql from 'sql-template-tag'
import type { ReaderContext } from '#server/context.ts'
import { REMINDER_COLUMNS, reminderView, type ReminderRow, type ReminderView } from '#server/reminders/reminder.view.ts'
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
        const rows = await read<ReminderRow>(sql`
          select ${REMINDER_COLUMNS} from reminders r
          where r.account_id = ${accountId} and r.id > ${after} order by r.id limit ${BATCH}`)
        return rows.map(reminderView)
      }),
  }
}

interface ExportedBounce {
  id: number
  address: string
  bouncedAt: string
  answer: string | null
  clearedAt: string | null
}

/** The addresses that take no mail, or took none until their owner said that they work again. */
export function bouncedAddressesTable({ read, accountId }: ReaderContext): ExportTable<ExportedBounce> {
  return {
    headings: ['ID', 'Address', 'Bounced', 'Mail Server', 'Works Again'],
    cells: ({ id, address, bouncedAt, answer, clearedAt }) => [
      id,
      address,
      new Date(bouncedAt),
      answer,
      clearedAt && new Date(clearedAt),
    ],
    batches: () =>
      byId((after) =>
        read<ExportedBounce>(sql`
          select id, address, bounced_at as "bouncedAt", answer, cleared_at as "clearedAt" from bounced_addresses
          where account_id = ${accountId} and id > ${after} order by id limit ${BATCH}`),
      ),
  }
}
