import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { ActivityEntity, NoteEntity } from '#server/activity/activity.entity.ts'
import { namedActor } from '#server/activity/actor-name.ts'
import { columnsOf } from '#server/db/columns.ts'
import { BATCH, byId, type ExportTable } from './tables.ts'

const CHANGE = columnsOf(ActivityEntity, 'a', ['id', 'about', 'aboutId', 'at', 'before', 'after'])
const ChangeRow = z.object({ ...CHANGE.fields, actor: z.string() })

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
          select ${CHANGE}, ${namedActor(accountId, sql`a.actor`)} as actor from activity a
          where a.account_id = ${accountId} and a.id > ${after} order by a.id limit ${BATCH}`
        return read(statement, ChangeRow)
      }),
  }
}

const NOTE = columnsOf(NoteEntity, 'n', ['id', 'customerId', 'contractId', 'text', 'createdAt', 'editedAt'])
const NoteRow = z.object({ ...NOTE.fields, createdBy: z.string() })

export function notesTable({ read, accountId }: ReaderContext): ExportTable<z.output<typeof NoteRow>> {
  return {
    headings: ['ID', 'Customer ID', 'Contract ID', 'Note', 'Date', 'Written By', 'Edited'],
    cells: ({ id, customerId, contractId, text, createdAt, createdBy, editedAt }) => [
      id,
      customerId,
      contractId,
      text,
      createdAt,
      createdBy,
      editedAt,
    ],
    batches: () =>
      byId((after) => {
        const statement = sql`
          select ${NOTE}, ${namedActor(accountId, sql`n.created_by`)} as "createdBy" from notes n
          where n.account_id = ${accountId} and n.id > ${after} order by n.id limit ${BATCH}`
        return read(statement, NoteRow)
      }),
  }
}
