import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { ActivityEntity, NoteEntity } from '#server/activity/activity.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { BATCH, byId, plainTable, type ExportTable } from './tables.ts'

const CHANGE = columnsOf(ActivityEntity, 'a', ['id', 'about', 'aboutId', 'at', 'actor', 'before', 'after'])
const ChangeRow = z.object(CHANGE.fields)

/** What changed on customers and contracts, also on those that have been deleted, with the columns as they are stored. */
export function activityTable({ read, accountId }: ReaderContext): ExportTable<z.output<typeof ChangeRow>> {
  return {
    headings: ['ID', 'Kind', 'Kind ID', 'Date', 'Changed By', 'Before', 'After'],
    cells: ({ id, about, aboutId, at, actor, before, after }) => [
      id,
      about,
      aboutId,
      at,
      actor,
      JSON.stringify(before),
      after && JSON.stringify(after),
    ],
    batches: () =>
      byId((after) => {
        const statement = sql`
          select ${CHANGE} from activity a
          where a.account_id = ${accountId} and a.id > ${after} order by a.id limit ${BATCH}`
        return read(statement, ChangeRow)
      }),
  }
}

export function notesTable(ctx: ReaderContext) {
  return plainTable(ctx, NoteEntity, {
    id: 'ID',
    customerId: 'Customer ID',
    contractId: 'Contract ID',
    text: 'Note',
    createdAt: 'Date',
    createdBy: 'Written By',
    editedAt: 'Edited',
  })
}
