import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Hidden, ObjectName, Objects } from './object-types.ts'
import type { Transaction } from './transaction.ts'

export interface Stored<Name extends ObjectName> {
  data: Objects[Name]
  hidden: Hidden[Name]
}

export interface Saved<Name extends ObjectName> extends Stored<Name> {
  /** When the clock must look at it next. */
  dueAt?: number | null
}

/** What a listed object must have at a path: one of some values, or a number within a range. */
export interface Filter {
  path: string[]
  oneOf?: readonly string[]
  range?: Range
}

export interface Range {
  gt?: number | undefined
  gte?: number | undefined
  lt?: number | undefined
  lte?: number | undefined
}

export interface Slice {
  /** Newest first; `before` the cursor is newer than it. */
  after?: string | undefined
  before?: string | undefined
  limit: number
}

export async function findStored<Name extends ObjectName>(
  { client }: Transaction,
  object: Name,
  id: string,
): Promise<Stored<Name> | null> {
  const { rows } = await client.query<Stored<Name>>(
    sql`select data, hidden from standin.stripe_objects where id = ${id} and object = ${object}`,
  )
  return rows[0] ?? null
}

export async function find<Name extends ObjectName>(
  tx: Transaction,
  object: Name,
  id: string,
): Promise<Objects[Name] | null> {
  return (await findStored(tx, object, id))?.data ?? null
}

/** Whatever has this id, of whichever kind. */
export async function findAny({ client }: Transaction, id: string): Promise<object | null> {
  const { rows } = await client.query<{ data: object }>(
    sql`select data from standin.stripe_objects where id = ${id} and object <> 'event'`,
  )
  return rows[0]?.data ?? null
}

export async function insert<Name extends ObjectName>({ client }: Transaction, saved: Saved<Name>): Promise<void> {
  const { data, hidden, dueAt = null } = saved
  await client.query(
    sql`insert into standin.stripe_objects (id, object, customer, due_at, data, hidden)
        values (${data.id}, ${data.object}, ${customerOf(data)}, ${dueAt}, ${json(data)}, ${json(hidden)})`,
  )
}

export async function update<Name extends ObjectName>({ client }: Transaction, saved: Saved<Name>): Promise<void> {
  const { data, hidden, dueAt = null } = saved
  await client.query(
    sql`update standin.stripe_objects
        set customer = ${customerOf(data)}, due_at = ${dueAt}, data = ${json(data)}, hidden = ${json(hidden)}
        where id = ${data.id}`,
  )
}

/** At most `limit` objects, newest first. */
export async function listObjects<Name extends ObjectName>(
  { client }: Transaction,
  object: Name,
  { filters = [], slice }: { filters?: Filter[]; slice: Slice },
): Promise<Objects[Name][]> {
  const { after, before, limit } = slice
  const { rows } = await client.query<{ data: Objects[Name] }>(
    sql`select data from standin.stripe_objects
        where object = ${object} and not data ? 'deleted'
        ${join([empty, ...filters.map(conditionOf)], ' and ')}
        ${after === undefined ? empty : sql`and seq < (select seq from standin.stripe_objects where id = ${after})`}
        ${before === undefined ? empty : sql`and seq > (select seq from standin.stripe_objects where id = ${before})`}
        order by seq ${before === undefined ? sql`desc` : sql`asc`} limit ${limit}`,
  )
  const found = rows.map(({ data }) => data)
  return before === undefined ? found : found.toReversed()
}

/** All of them, newest first; for what one customer has of a kind. */
export function listAll<Name extends ObjectName>(
  tx: Transaction,
  object: Name,
  filters: Filter[],
): Promise<Objects[Name][]> {
  return listObjects(tx, object, { filters, slice: { limit: 10_000 } })
}

function conditionOf({ path, oneOf, range = {} }: Filter): Sql {
  const isCustomer = path.length === 1 && path[0] === 'customer'
  const value = isCustomer ? sql`customer` : sql`data #>> ${path}::text[]`
  const conditions = oneOf ? [sql`${value} = any(${[...oneOf]}::text[])`] : []
  if (range.gt !== undefined) conditions.push(sql`(${value})::numeric > ${range.gt}`)
  if (range.gte !== undefined) conditions.push(sql`(${value})::numeric >= ${range.gte}`)
  if (range.lt !== undefined) conditions.push(sql`(${value})::numeric < ${range.lt}`)
  if (range.lte !== undefined) conditions.push(sql`(${value})::numeric <= ${range.lte}`)
  return conditions.length > 0 ? join(conditions, ' and ') : sql`true`
}

function customerOf(data: object): string | null {
  return 'customer' in data && typeof data.customer === 'string' ? data.customer : null
}

function json(value: object): string {
  return JSON.stringify(value)
}
