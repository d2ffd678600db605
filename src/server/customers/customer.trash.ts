import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { NOT_DELETED, seeingTrash } from '#server/db/trash.ts'
import { CustomerEntity } from './customer.entity.ts'
import { refuseForNow } from './taken-number.ts'

type Writer = Pick<SubscriberContext, 'write' | 'accountId' | 'services'>

const IdRow = z.object({ id: z.int() })

/**
 * Moves the customers `c` of a condition to the trash, and returns how many there were. In two statements: a contract that
 * somebody adds just now is committed before its customer can be locked, and only a statement that begins after that sees
 * it. The table refuses customers with contracts outside the trash, as a foreign key does. Rows that
 * match only after the first are not locked, and stay.
 */
export async function moveCustomersToTrash({ write, accountId, services }: Writer, which: Sql): Promise<number> {
  const these = sql`c.account_id = ${accountId} and c.${NOT_DELETED} and ${which}`
  const locked = await write(sql`select c.id from customers c where ${these} order by c.id for update`, IdRow)
  const ids = locked.map(({ id }) => id)
  const statement = sql`
    update customers c set deleted_at = ${services.now()} where ${these} and c.id = any(${ids}::int[]) returning c.id`
  const moved = await seeingTrash(write, () => write(statement, IdRow))
  return moved.length
}

const RESTORED = columnsOf(CustomerEntity, 'c', ['id', 'name'])
const RestoredCustomer = z.object({ ...RESTORED.fields, droppedNumber: z.string().nullable() })
export type RestoredCustomer = z.output<typeof RestoredCustomer>

/**
 * Takes those of these customers that are in the trash out of it, and keeps all of them from being deleted until the
 * transaction ends. A customer number that somebody else has by now, or an earlier one of them, is dropped, and returned.
 * @throws ACCOUNT_BUSY if another customer is given the number at the same time
 */
export function restoreCustomers({ write, accountId }: Writer, ids: readonly number[]): Promise<RestoredCustomer[]> {
  const locked = sql`
    select count(*) from (select from customers
      where account_id = ${accountId} and id = any(${[...ids]}::int[]) order by id for no key update) locked`
  const statement = sql`
    with deleted as (
      select id, customer_number as number, row_number() over (partition by lower(customer_number) order by id) > 1
        or exists (select from customers o where o.account_id = ${accountId} and o.${NOT_DELETED}
          and lower(o.customer_number) = lower(d.customer_number)) as is_taken
      from customers d where account_id = ${accountId} and id = any(${[...ids]}::int[]) and deleted_at is not null
    ), c as (
      update customers c set deleted_at = null, customer_number = case when not d.is_taken then d.number end
      from deleted d where c.account_id = ${accountId} and c.id = d.id and c.deleted_at is not null
      returning c.id, c.name, case when d.is_taken then d.number end as dropped)
    select ${RESTORED}, c.dropped as "droppedNumber" from c order by c.id`
  return seeingTrash(write, async () => {
    await write(locked)
    return write(statement, RestoredCustomer).catch(refuseForNow)
  })
}

/** Deletes for good the customers `c` of a condition that are in the trash, and have no contracts. */
export async function removeDeletedCustomers(
  { write, accountId }: Pick<Writer, 'write' | 'accountId'>,
  which: Sql,
): Promise<number> {
  const statement = sql`
    delete from customers c where c.account_id = ${accountId} and c.deleted_at is not null and ${which} returning c.id`
  const removed = await seeingTrash(write, () => write(statement, IdRow))
  return removed.length
}
