import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { ActivitySubject } from '#shared/domain/activity.ts'
import { AppError } from '#shared/errors.ts'
import type { About } from '#shared/schemas/activity.ts'
import type { Page } from '#shared/schemas/filters.ts'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageRow, pageStatement, pageView, type PageView } from '#server/db/page.ts'
import { ActivityEntity } from './activity.entity.ts'
import { actionOfRow, DELETED_AT, fieldChanges, type ActivityView } from './activity.view.ts'
import { actorColumns, ActorFields, actorView } from './actor-name.ts'

const OWN = columnsOf(ActivityEntity, 'a', ['id', 'at', 'before', 'after'])
const ActivityRow = z.object({
  ...OWN.fields,
  before: OWN.fields.before.nullable(),
  ...ActorFields,
  customers: z.record(z.string(), z.string()).nullable(),
})
const ActivityPage = pageRow(ActivityRow)

const TABLES = { customer: 'customers', contract: 'contracts' } as const
const NEWEST: SortKey = { name: 'activity', expression: 'a.id', type: 'bigint', id: 'a.id', idType: 'bigint' }

/**
 * What happened to a customer or contract, newest first; the creation comes last. Also of one that has been deleted since.
 * @throws CUSTOMER_NOT_FOUND, CONTRACT_NOT_FOUND, also for somebody else's
 */
export async function listActivity(
  { read, accountId }: ReaderContext,
  { about, id, ...position }: About & Page,
): Promise<PageView<ActivityView>> {
  const page = pageOf(NEWEST, 'desc', position)
  const columns = sql`${OWN}, ${actorColumns(accountId, sql`a.actor`)}, ${namesOfCustomers(accountId)} as customers`
  const from = sql`from (${recorded({ about, id }, accountId)}) a where true`
  const [found] = await read(pageStatement({ columns, from, page }), ActivityPage)
  if (!found?.total) throw notFound(about)
  return pageView(found, page, activityView)
}

/** The recorded changes, and the creation if the row still exists. */
function recorded({ about, id }: About, accountId: number): Sql {
  return sql`
    select id, at, actor, before, after from activity
    where account_id = ${accountId} and about = ${about} and about_id = ${id}
    union all
    select 0, created_at, coalesce('import:' || import_id, created_by), null, null from ${raw(TABLES[about])}
    where account_id = ${accountId} and id = ${id}`
}

/** The names of the customers whose IDs are in a change. */
function namesOfCustomers(accountId: number): Sql {
  return sql`(select json_object_agg(c.id, c.name) from customers c where c.account_id = ${accountId}
    and c.id in ((a.before ->> 'customer_id')::int, (a.after ->> 'customer_id')::int))`
}

function activityView({ id, at, before, after, customers, ...actor }: z.output<typeof ActivityRow>): ActivityView {
  const by = actorView(actor)
  if (before === null) return { id, action: 'created', at, by, changes: [] }
  const changes = fieldChanges(before, after, customers ?? {})
  const shown = changes.filter(({ field }) => field !== DELETED_AT)
  return { id, action: actionOfRow(after, changes), at, by, changes: shown }
}

/** The refusal for a customer or contract that does not exist. */
export function notFound(about: ActivitySubject): AppError {
  return new AppError(about === 'customer' ? 'CUSTOMER_NOT_FOUND' : 'CONTRACT_NOT_FOUND')
}
