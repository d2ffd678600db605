import sql from 'sql-template-tag'
import { CLOSED_REASONS, type ClosedReason } from '#shared/domain/closed-address.ts'
import { REPORT_REASONS, type ReportReason } from '#shared/schemas/reports.ts'
import type { ReaderContext } from '#server/context.ts'
import { BATCH, byId, type ExportTable } from './tables.ts'

interface ExportedClosed {
  address: string
  reason: ClosedReason
  closedAt: string
}

/** The addresses whose readers want no more mail. */
export function closedAddressesTable({ read, accountId }: ReaderContext): ExportTable<ExportedClosed> {
  return {
    headings: ['Address', 'Since', 'Reason'],
    cells: ({ address, reason, closedAt }) => [address, new Date(closedAt), CLOSED_REASONS[reason]],
    async *batches() {
      const readAfter = (address: string) =>
        read<ExportedClosed>(sql`
          select address, reason, closed_at as "closedAt" from closed_addresses
          where account_id = ${accountId} and address > ${address} order by address limit ${BATCH}`)
      for (let rows = await readAfter(''); rows.length > 0; rows = await readAfter(rows.at(-1)?.address ?? ''))
        yield rows
    },
  }
}

interface ExportedComplaint {
  id: number
  reminderId: number
  source: string
  reason: ReportReason | null
  complainedAt: string
}

export function complaintsTable({ read, accountId }: ReaderContext): ExportTable<ExportedComplaint> {
  return {
    headings: ['ID', 'Reminder ID', 'Source', 'Reason', 'Date'],
    cells: ({ id, reminderId, source, reason, complainedAt }) => [
      id,
      reminderId,
      source,
      reason && REPORT_REASONS[reason],
      new Date(complainedAt),
    ],
    batches: () =>
      byId((after) =>
        read<ExportedComplaint>(sql`
          select id, reminder_id as "reminderId", source, reason, complained_at as "complainedAt" from complaints
          where account_id = ${accountId} and id > ${after} order by id limit ${BATCH}`),
      ),
  }
}

interface ExportedStop {
  id: number
  stoppedAt: string
  complaints: number
  mails: number
  liftedAt: string | null
}

/** When mail to customers was paused. */
export function mailStopsTable({ read, accountId }: ReaderContext): ExportTable<ExportedStop> {
  return {
    headings: ['ID', 'Paused', 'Complaints', 'Emails', 'Lifted'],
    cells: ({ id, stoppedAt, complaints, mails, liftedAt }) => [
      id,
      new Date(stoppedAt),
      complaints,
      mails,
      liftedAt && new Date(liftedAt),
    ],
    batches: () =>
      byId((after) =>
        read<ExportedStop>(sql`
          select id, stopped_at as "stoppedAt", complaints, mails, lifted_at as "liftedAt" from mail_stops
          where account_id = ${accountId} and id > ${after} order by id limit ${BATCH}`),
      ),
  }
}
