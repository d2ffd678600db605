import sql from 'sql-template-tag'
import { z } from 'zod'
import { CLOSED_REASONS } from '#shared/domain/closed-address.ts'
import { REPORT_REASONS } from '#shared/schemas/reports.ts'
import type { ReaderContext } from '#server/context.ts'
import { ClosedAddressEntity } from '#server/customers/closed-address.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ComplaintEntity } from '#server/deliverability/deliverability.entity.ts'
import { BATCH, byId, type ExportTable } from './tables.ts'

const CLOSED = columnsOf(ClosedAddressEntity, 'c', ['address', 'reason', 'closedAt'])
const ExportedClosed = z.object(CLOSED.fields)

/** Closed addresses. */
export function closedAddressesTable({ read, accountId }: ReaderContext): ExportTable<z.output<typeof ExportedClosed>> {
  return {
    headings: ['Address', 'Since', 'Reason'],
    cells: ({ address, reason, closedAt }) => [address, closedAt, CLOSED_REASONS[reason]],
    async *batches() {
      const readAfter = (address: string) =>
        read(
          sql`select ${CLOSED} from closed_addresses c
            where c.account_id = ${accountId} and c.address > ${address} order by c.address limit ${BATCH}`,
          ExportedClosed,
        )
      for (let rows = await readAfter(''); rows.length > 0; rows = await readAfter(rows.at(-1)?.address ?? ''))
        yield rows
    },
  }
}

const COMPLAINT = columnsOf(ComplaintEntity, 'c', ['id', 'reminderId', 'source', 'reason', 'complainedAt'])
const ExportedComplaint = z.object(COMPLAINT.fields)

export function complaintsTable({ read, accountId }: ReaderContext): ExportTable<z.output<typeof ExportedComplaint>> {
  return {
    headings: ['ID', 'Reminder ID', 'Source', 'Reason', 'Date'],
    cells: ({ id, reminderId, source, reason, complainedAt }) => [
      id,
      reminderId,
      source,
      reason && REPORT_REASONS[reason],
      complainedAt,
    ],
    batches: () =>
      byId((after) =>
        read(
          sql`select ${COMPLAINT} from complaints c
            where c.account_id = ${accountId} and c.id > ${after} order by c.id limit ${BATCH}`,
          ExportedComplaint,
        ),
      ),
  }
}
