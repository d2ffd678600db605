import sql, { empty, type Sql } from 'sql-template-tag'
import { REFUSALS } from '#shared/errors.ts'
import type { ImportContact } from '#shared/schemas/import-rows.ts'
import type { SubscriberContext } from '#server/context.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { columnNames, rowsOf } from '#server/db/insert.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import { tagColumn } from './batch-rows.ts'
import { countOf, Refused, type Inserted, type InsertOptions } from './insert-rows.ts'
import type { CustomerBatch } from './sheet/batches.ts'

/** Adds a batch in one statement. A customer number that is taken, in the account or earlier in the file, fails its row. */
export async function insertCustomers(
  ctx: SubscriberContext,
  { count, columns }: CustomerBatch,
  { importId }: InsertOptions,
): Promise<Inserted> {
  const { createdAt: written, tags: lists, contacts, ...fields } = columns
  const createdAt = written.map((instant) => (instant === null ? null : new Date(instant)))
  const [names, tags] = [columnNames(CustomerEntity, fields), tagColumn(lists)]
  const { accountId } = ctx
  const statement = sql`
    with input as (
      select *, customer_number is not null
        and row_number() over (partition by lower(customer_number) order by position) > 1 as is_repeated
      from ${rowsOf(CustomerEntity, { ...fields, createdAt })} ${tags.joined}
    ), added as (
      insert into customers (account_id, import_id, ${names}, created_at${tags.name})
      select ${accountId}, ${importId}, ${names}, coalesce(created_at, now())${tags.value}
      from input where not is_repeated order by position
      on conflict (account_id, lower(customer_number)) where ${NOT_DELETED} do nothing
      returning id, customer_number
    ), refused as (
      select position from input where customer_number is not null
        and (is_repeated or customer_number not in (select customer_number from added where customer_number is not null))
    )
    ${contactsAdded(ctx, contacts)}
    select array_agg(position::int order by position) as positions from refused having count(*) > 0`
  const taken = { field: 'customerNumber', reason: REFUSALS.CUSTOMER_NUMBER_TAKEN.message }
  const refused = (await ctx.write(statement, Refused, 'each time')).map(({ positions }) => ({ positions, ...taken }))
  return { created: count - countOf(refused), createdCustomers: 0, missingCustomers: 0, refused }
}

/** The contacts of the customers that were `added`, whose IDs are in the order of their rows. */
function contactsAdded({ accountId, today, services }: SubscriberContext, lists: readonly ImportContact[][]): Sql {
  const rows = lists.flatMap((contacts, row) => contacts.map((contact) => ({ position: row + 1, ...contact })))
  if (rows.length === 0) return empty
  return sql`, ids as (select id, row_number() over (order by id) as place from added
    ), places as (
      select position, row_number() over (order by position) as place from input
      where position not in (select position from refused)
    ), contacts as (
      insert into customer_contacts (account_id, customer_id, name, role, email, phone, reminders, reminders_from, created_at)
      select ${accountId}, ids.id, c.name, c.role, c.email, c.phone, c.reminders, ${today}::date, ${services.now()}::timestamptz
      from rows from (json_to_recordset(${JSON.stringify(rows)}::json)
        as (position bigint, name text, role text, email text, phone text, reminders boolean))
        with ordinality as c(position, name, role, email, phone, reminders, ordinal)
      join places using (position) join ids using (place) order by c.ordinal
    )`
}
