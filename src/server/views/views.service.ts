import { UniqueConstraintViolationException } from '@mikro-orm/core'
import sql, { empty, join } from 'sql-template-tag'
import { z } from 'zod'
import { foldText } from '#shared/domain/fold-text.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import { MOST_VIEWS, type ChangeView, type SaveView } from '#shared/schemas/views.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { rowOf } from '#server/db/insert.ts'
import { isViolation } from '#server/db/violations.ts'
import { SavedViewEntity } from './saved-view.entity.ts'

const OWN = columnsOf(SavedViewEntity, 'v', ['id', 'name', 'search'])
const ViewRow = z.object(OWN.fields)

export interface SavedView extends z.output<typeof ViewRow> {
  /** Its place among the views, from 1. */
  position: number
}

/** The account's views in their order. */
export async function listViews({ read, accountId }: ReaderContext): Promise<SavedView[]> {
  const rows = await read(
    sql`select ${OWN} from saved_views v where account_id = ${accountId} order by sort_position, id`,
    ViewRow,
  )
  return rows.map((row, index) => ({ ...row, position: index + 1 }))
}

/** @throws VIEW_NAME_TAKEN, VIEWS_FULL */
export async function saveView(ctx: SubscriberContext, input: SaveView): Promise<SavedView> {
  const { accountId, write } = ctx
  const { name, search, position = MOST_VIEWS } = input
  const others = await lockedViews(ctx)
  if (others.length >= MOST_VIEWS) throw new AppError('VIEWS_FULL', { values: { count: String(MOST_VIEWS) } })
  const row = { accountId, name, key: foldText(name), search: stored(search), sortPosition: position }
  const [added] = await write(
    sql`insert into saved_views ${rowOf(SavedViewEntity, row)} returning id`,
    z.object({ id: z.int() }),
  ).catch(refuseTakenName)
  const id = added?.id ?? 0
  await moveTo(ctx, { id, position })
  return getView(ctx, { id })
}

/** Changes the fields that were sent. @throws VIEW_NOT_FOUND, also for somebody else's, VIEW_NAME_TAKEN */
export async function changeView(ctx: SubscriberContext, input: ChangeView): Promise<SavedView> {
  const { accountId, write } = ctx
  const { id, name, search, position } = input
  const views = await lockedViews(ctx)
  if (!views.some((view) => view.id === id)) throw new AppError('VIEW_NOT_FOUND')
  const changes = join(
    [
      sql`sort_position = sort_position`,
      name === undefined ? empty : sql`, name = ${name}, key = ${foldText(name)}`,
      search === undefined ? empty : sql`, search = ${JSON.stringify(stored(search))}::jsonb`,
    ],
    ' ',
  )
  await write(sql`update saved_views set ${changes} where account_id = ${accountId} and id = ${id}`).catch(
    refuseTakenName,
  )
  if (position !== undefined) await moveTo(ctx, { id, position })
  return getView(ctx, { id })
}

/** @throws VIEW_NOT_FOUND, also for somebody else's. */
export async function removeView({ write, accountId }: SubscriberContext, { id }: ById): Promise<void> {
  const removed = await write(
    sql`delete from saved_views where account_id = ${accountId} and id = ${id} returning id`,
    z.object({ id: z.int() }),
  )
  if (removed.length === 0) throw new AppError('VIEW_NOT_FOUND')
}

/**
 * One change at a time, so that two at once neither exceed the limit nor number the views differently. Locking the rows
 * would not do: who waits for them does not see those that were added meanwhile.
 */
async function lockedViews({ write, accountId }: SubscriberContext) {
  await write(sql`select pg_advisory_xact_lock(hashtextextended('views', ${accountId}))`)
  return write(sql`select id from saved_views where account_id = ${accountId} order by id`, z.object({ id: z.int() }))
}

/** Puts a view in its place among the others, and numbers all of them. */
async function moveTo({ write, accountId }: SubscriberContext, { id, position }: { id: number; position: number }) {
  await write(sql`
    update saved_views v set sort_position = n.at from (
      select id, row_number() over (order by case when id = ${id} then ${position}::int - 0.5 else others end) as at from (
        select id, row_number() over (partition by id = ${id} order by sort_position, id) as others
        from saved_views where account_id = ${accountId}) o) n
    where v.account_id = ${accountId} and v.id = n.id`)
}

async function getView(ctx: SubscriberContext, { id }: ById): Promise<SavedView> {
  const view = (await listViews(ctx)).find((one) => one.id === id)
  if (!view) throw new AppError('VIEW_NOT_FOUND')
  return view
}

function stored(search: SaveView['search']): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function refuseTakenName(error: unknown): never {
  const isTaken = isViolation(error, 'unique') || error instanceof UniqueConstraintViolationException
  if (isTaken) throw new AppError('VIEW_NAME_TAKEN', { cause: error })
  throw error
}
