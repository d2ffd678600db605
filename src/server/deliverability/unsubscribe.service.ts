import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ClosedReason } from '#shared/domain/closed-address.ts'
import { AppError } from '#shared/errors.ts'
import type { RequestContext, SystemContext } from '#server/context.ts'
import type { Write } from '#server/db/database.ts'
import { notify } from '#server/notifications/notify.ts'
import { actorOf, readReader, type Reader } from './reader-keys.ts'

/**
 * Ends this account's messages to the address that the link was sent to, and notifies the owner. Repeating it changes
 * nothing. @throws UNSUBSCRIBE_NOT_FOUND
 */
export async function unsubscribe(ctx: SystemContext, token: string): Promise<Reader> {
  const reader = await readReader(ctx, token)
  const now = ctx.services.now()
  const db = ctx.db.as(actorOf(reader))
  await db.writeAs(reader.accountId, (_em, write) => closeAddress(write, { ...reader, reason: 'unsubscribed', now }))
  return { ...reader, closed: reader.closed ?? 'unsubscribed' }
}

/**
 * Allows this account's messages again, which only a reader can do, and notifies the owner.
 * @throws UNSUBSCRIBE_NOT_FOUND, also for older links, which the account knows too, and TOO_MANY_REQUESTS
 */
export async function resubscribe(ctx: SystemContext & Pick<RequestContext, 'limits'>, token: string): Promise<Reader> {
  const reader = await readReader(ctx, token)
  if (!reader.message) throw new AppError('UNSUBSCRIBE_NOT_FOUND')
  if (reader.closed) await ctx.limits.take('resubscriptions', `${reader.accountId}.${reader.message.id}`)
  const now = ctx.services.now()
  const db = ctx.db.as(actorOf(reader))
  await db.writeAs(reader.accountId, (_em, write) => reopenAddress(write, { ...reader, now }))
  return { ...reader, closed: null }
}

interface Closing {
  accountId: number
  address: string
  reason: ClosedReason
  now: Date
}

/**
 * Closes a mailbox for the account, for all customers whose addresses belong to it. The owner is notified once, and again
 * if somebody who had unsubscribed complains.
 */
export async function closeAddress(write: Write, { accountId, address, reason, now }: Closing): Promise<void> {
  const statement = sql`
    with closed as (
      insert into closed_addresses as x (account_id, address, reason, closed_at)
      values (${accountId}, lower(${address}), ${reason}, ${now})
      on conflict (account_id, mailbox) do update set reason = excluded.reason
        where x.reason = 'unsubscribed' and excluded.reason = 'complained'
      returning account_id, address, mailbox)
    ${READERS}`
  const readers = await write(statement, ClosedReader)
  await notify(write, { accountId, now }, ...readers.map((reader) => ({ kind: reason, ...reader })))
}

/** Reopens the address; each customer's own setting applies again. The owner is notified. */
export async function reopenAddress(write: Write, { accountId, address, now }: Omit<Closing, 'reason'>): Promise<void> {
  const statement = sql`
    with closed as (
      delete from closed_addresses where account_id = ${accountId} and mailbox = mailbox_of(${address})
      returning account_id, address, mailbox),
    forgotten as (
      delete from kept_closures k using accounts a cross join unnest(a.former_hashes) former (hash)
      where a.id = ${accountId} and k.email_hash = former.hash
        and k.mailbox_hash = kept_mailbox(former.hash, mailbox_of(${address})))
    ${READERS}`
  const readers = await write(statement, ClosedReader)
  await notify(
    write,
    { accountId, now },
    ...readers.map((reader) => ({ kind: 'subscribed_again' as const, ...reader })),
  )
}

const ClosedReader = z.object({ name: z.string(), customerId: z.int().nullable() })

/** The customers with a contact at the address `closed`; if there are none, the address itself. */
const READERS = sql`
  select distinct on (r.id) coalesce(r.name, x.address) as name, r.id as "customerId"
  from closed x left join lateral (
    select c.id, c.name, 0 as contact_id from customers c where c.account_id = x.account_id and c.mailbox = x.mailbox
    union all select c.id, o.name || ' (' || c.name || ')', o.id
      from customer_contacts o join customers c on c.account_id = o.account_id and c.id = o.customer_id
      where o.account_id = x.account_id and o.mailbox = x.mailbox) r on true
  order by r.id, r.contact_id`
