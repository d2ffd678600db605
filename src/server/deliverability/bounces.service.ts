import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Write } from '#server/db/database.ts'
import { BouncedAddressEntity } from './deliverability.entity.ts'
import { AccountEntity } from '#server/identity/account.entity.ts'
import { notify } from '#server/notifications/notify.ts'
import type { NewNotification } from '#server/notifications/texts.ts'
import type { Addressed } from '#server/ledger/ledger.ts'

export interface BounceView {
  address: string
  bouncedAt: Date
  /** What the mail server said. */
  answer: string | null
}

const BOUNCE = columnsOf(BouncedAddressEntity, 'b', ['address', 'bouncedAt', 'answer'])
const BounceRow = z.object(BOUNCE.fields)
/** The row of a customer without a bounce. */
const NoBounceRow = z.object({ address: z.null(), bouncedAt: z.null(), answer: z.null() })
const PossibleBounceRow = z.union([BounceRow, NoBounceRow])

/** The bounce of a customer's address, while nothing is sent there. @throws CUSTOMER_NOT_FOUND */
export async function getBounce({ read, accountId }: ReaderContext, { id }: ById): Promise<BounceView | null> {
  const statement = sql`
    select ${BOUNCE}
    from customers c left join bounced_addresses b
      on b.account_id = c.account_id and b.address = lower(c.email) and b.cleared_at is null
    where c.account_id = ${accountId} and c.id = ${id}`
  const [row] = await read(statement, PossibleBounceRow)
  if (!row) throw new AppError('CUSTOMER_NOT_FOUND')
  return row.bouncedAt === null ? null : row
}

/** The bounce of the owner's own address, while nothing is sent there. */
export async function getOwnBounce({ read, accountId }: ReaderContext): Promise<BounceView | null> {
  const statement = sql`
    select ${BOUNCE}
    from accounts a join bounced_addresses b
      on b.account_id = a.id and b.address = lower(a.email) and b.cleared_at is null
    where a.id = ${accountId}`
  const [row] = await read(statement, BounceRow)
  return row ?? null
}

/** Marks the customer's address as working; twice changes nothing. @throws CUSTOMER_NOT_FOUND */
export async function clearBounce(ctx: SubscriberContext, { id }: ById): Promise<void> {
  const { accountId } = ctx
  const [customer] = await ctx.write(
    cleared(ctx, sql`select id, email from customers where account_id = ${accountId} and id = ${id}`),
  )
  if (!customer) throw new AppError('CUSTOMER_NOT_FOUND')
}

/** The same for the address of a further contact. @throws CONTACT_NOT_FOUND, also for somebody else's */
export async function clearContactBounce(ctx: SubscriberContext, { id }: ById): Promise<void> {
  const { accountId } = ctx
  const [contact] = await ctx.write(
    cleared(
      ctx,
      sql`
        select x.id, x.email from customer_contacts x
          join customers c on c.account_id = x.account_id and c.id = x.customer_id
        where x.account_id = ${accountId} and x.id = ${id}`,
    ),
  )
  if (!contact) throw new AppError('CONTACT_NOT_FOUND')
}

/** Marks the address of the reader that `reader` selects as working, as a statement that returns the reader. */
function cleared({ accountId, services }: SubscriberContext, reader: Sql): Sql {
  return sql`
    with reader as (${reader}),
    cleared as (
      update bounced_addresses b set cleared_at = ${services.now()} from reader
      where b.account_id = ${accountId} and b.address = lower(reader.email) and b.cleared_at is null)
    select id from reader`
}

/** Marks the owner's own address as working; twice changes nothing. */
export async function clearOwnBounce({ em, accountId, services }: SubscriberContext): Promise<void> {
  const { email } = await em.findOneOrFail(AccountEntity, accountId)
  const bounce = { accountId, address: email.toLowerCase(), clearedAt: null }
  await em.nativeUpdate(BouncedAddressEntity, bounce, { clearedAt: services.now() })
}

/** Stops mail to the address until it is marked as working. The owner is notified once, however many messages bounced. */
export async function recordBounce(write: Write, bounced: Addressed, now: Date): Promise<void> {
  const { accountId, address, answer } = bounced
  const [isNew] = await write(sql`
    insert into bounced_addresses (account_id, address, bounced_at, answer)
    values (${accountId}, lower(${address}), ${now}, ${answer})
    on conflict (account_id, address) where cleared_at is null do nothing returning id`)
  if (isNew) await notify(write, { accountId, now }, noticeOf(bounced))
}

function noticeOf({ recipient, customerId, customerName, address }: Addressed): NewNotification {
  if (recipient === 'owner') return { kind: 'owner_bounced', address }
  return { kind: 'customer_bounced', name: customerName, customerId, address }
}

/** Whether mail to an address bounced and it has not been marked as working since. */
export function hasBounced(accountId: Sql, address: Sql): Sql {
  return sql`exists (
    select from bounced_addresses b
    where b.account_id = ${accountId} and b.address = lower(${address}) and b.cleared_at is null)`
}
