import sql from 'sql-template-tag'
import { REFUSALS } from '#shared/errors.ts'
import type { SubscriberContext } from '#server/context.ts'
import type { CustomerBatch } from './batches.ts'
import type { Refused } from './parse-row.ts'

export interface InsertOptions {
  importId: number
  /** Whether a contract may bring its customer along. */
  createCustomers: boolean
  /** Whether the customers are not written to about the renewal dates that contracts come with. */
  isMuted: boolean
}

export interface Inserted {
  created: number
  createdCustomers: number
  /** Rows that the account's other rows do not allow. */
  refused: Refused[]
}

const TAKEN = REFUSALS.CUSTOMER_NUMBER_TAKEN.message

/** Adds a batch in one statement. A number that is taken, in the account or earlier in the file, fails its row. */
export async function insertCustomers(
  { read, accountId }: SubscriberContext,
  { count, columns }: CustomerBatch,
  { importId }: InsertOptions,
): Promise<Inserted> {
  const refused = await read<Refused>(sql`
    with given as (
      select *, customer_number is not null
        and row_number() over (partition by lower(customer_number) order by place) > 1 as is_repeated
      from unnest(${columns.sourceId}::int[], ${columns.name}::text[], ${columns.address}::text[],
        ${columns.phone}::text[], ${columns.customerNumber}::text[], ${columns.email}::text[],
        ${columns.sendNotifications}::bool[], ${columns.createdAt}::timestamptz[])
        with ordinality as i(source_id, name, address, phone, customer_number, email, notified, added_at, place)
    ), added as (
      insert into customers (account_id, import_id, source_id, name, address, phone, customer_number, email,
        send_notifications, created_at)
      select ${accountId}, ${importId}, source_id, name, address, phone, customer_number, email, notified,
        coalesce(added_at, now())
      from given where not is_repeated order by place
      on conflict (account_id, lower(customer_number)) do nothing
      returning customer_number
    )
    select place::int, 'customerNumber' as field, ${TAKEN} as reason from given
    where customer_number is not null
      and (is_repeated or customer_number not in (select customer_number from added where customer_number is not null))
    order by place`)
  return { created: count - refused.length, createdCustomers: 0, refused }
}
