import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { MOST_NOTES, type About, type AddNote, type ChangeNote } from '#shared/schemas/activity.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { notFound } from './activity.service.ts'
import { NoteEntity } from './activity.entity.ts'
import { actorColumns, ActorFields, actorView, isFromArchive, type ActorView } from './actor-name.ts'

export interface NoteView {
  id: number
  text: string
  createdAt: Date
  by: ActorView | null
  editedAt: Date | null
  /** Whether the caller may change and delete it. */
  isOwn: boolean
}

const OWN = columnsOf(NoteEntity, 'n', ['id', 'text', 'createdAt', 'editedAt'])
const NoteRow = z.object({ ...OWN.fields, ...ActorFields })

const TABLES = { customer: 'customers', contract: 'contracts' } as const
const COLUMNS = { customer: 'customer_id', contract: 'contract_id' } as const

/** All notes about a customer or contract, newest first. @throws CUSTOMER_NOT_FOUND, CONTRACT_NOT_FOUND, also for somebody else's */
export async function listNotes(ctx: ReaderContext, { about, id }: About): Promise<NoteView[]> {
  const { read, accountId } = ctx
  const statement = sql`
    select (select coalesce(json_agg(row_to_json(o) order by o.id desc), '[]') from (
      ${notesOf(accountId, sql`n.${raw(COLUMNS[about])} = k.id`)}) o) as notes
    from ${raw(TABLES[about])} k where k.account_id = ${accountId} and k.id = ${id}`
  const [found] = await read(statement, z.object({ notes: z.array(NoteRow) }))
  if (!found) throw notFound(about)
  return found.notes.map((row) => noteView(row, ctx))
}

/** @throws CUSTOMER_NOT_FOUND, CONTRACT_NOT_FOUND, also for somebody else's; NOTES_FULL */
export async function addNote(ctx: SubscriberContext, { about, id, text }: AddNote): Promise<NoteView> {
  const { write, accountId, actor, services } = ctx
  const column = raw(COLUMNS[about])
  // Locked first, counted in a second statement: of two concurrent calls, the second counts the first one's note.
  const [locked] = await write(sql`
    select from ${raw(TABLES[about])} where account_id = ${accountId} and id = ${id} for no key update`)
  if (!locked) throw notFound(about)
  const [counted] = await write(
    sql`select count(*)::int as notes from notes where account_id = ${accountId} and ${column} = ${id}`,
    z.object({ notes: z.int() }),
  )
  if ((counted?.notes ?? 0) >= MOST_NOTES) throw new AppError('NOTES_FULL', { values: { count: String(MOST_NOTES) } })
  const [added] = await write(
    sql`insert into notes (account_id, ${column}, text, created_at, created_by)
      values (${accountId}, ${id}, ${text}, ${services.now()}, ${actor}) returning id`,
    z.object({ id: z.int() }),
  )
  return getNote(ctx, { id: added?.id ?? 0 })
}

/** @throws NOTE_NOT_FOUND, also for somebody else's account; NOTE_OF_ANOTHER */
export async function changeNote(ctx: SubscriberContext, { id, text }: ChangeNote): Promise<NoteView> {
  const note = await requireOwn(ctx, id)
  if (note.text === text) return note
  await ctx.write(sql`
    update notes set text = ${text}, edited_at = ${ctx.services.now()} where account_id = ${ctx.accountId} and id = ${id}`)
  return getNote(ctx, { id })
}

/** @throws NOTE_NOT_FOUND, also for somebody else's account; NOTE_OF_ANOTHER */
export async function removeNote(ctx: SubscriberContext, { id }: ById): Promise<void> {
  await requireOwn(ctx, id)
  await ctx.write(sql`delete from notes where account_id = ${ctx.accountId} and id = ${id}`)
}

async function requireOwn(ctx: SubscriberContext, id: number): Promise<NoteView> {
  const note = await getNote(ctx, { id })
  if (!note.isOwn) throw new AppError('NOTE_OF_ANOTHER')
  return note
}

async function getNote(ctx: SubscriberContext, { id }: ById): Promise<NoteView> {
  const [row] = await ctx.read(notesOf(ctx.accountId, sql`n.id = ${id} and ${IS_NOT_IN_TRASH}`), NoteRow)
  if (!row) throw new AppError('NOTE_NOT_FOUND')
  return noteView(row, ctx)
}

/** Condition on a note `n`: what it is about is not in the trash. */
const IS_NOT_IN_TRASH = sql`(
  exists (select from customers c where c.account_id = n.account_id and c.id = n.customer_id)
  or exists (select from contracts k where k.account_id = n.account_id and k.id = n.contract_id))`

function notesOf(accountId: number, which: Sql): Sql {
  return sql`
    select ${OWN}, ${actorColumns(accountId, sql`n.created_by`)} from notes n where n.account_id = ${accountId} and ${which}`
}

function noteView({ id, text, createdAt, editedAt, ...author }: z.output<typeof NoteRow>, { actor }: ReaderContext) {
  return { id, text, createdAt, by: actorView(author), editedAt, isOwn: isOwn(author.actor, actor) }
}

/** People change their own notes, and those that programs with an API key have written or an archive has brought. */
function isOwn(author: string | null, caller: string): boolean {
  if (author === null) return false
  return author === caller || author.startsWith('key:') || isFromArchive(author)
}
