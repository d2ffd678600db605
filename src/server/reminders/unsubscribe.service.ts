import { createHmac, timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import { AppError } from '#shared/errors.ts'
import type { RequestContext } from '#server/context.ts'

interface Place {
  accountId: number
  customerId: number
}

/** What the link in a customer's e-mails stands for. */
export interface Unsubscription {
  /** In whose name the messages come. */
  sender: string
  customerName: string
  /** False where no messages are wanted any more. */
  isActive: boolean
}

interface Row extends Unsubscription {
  key: string
}

const LARGEST_ID = 2_147_483_647

/** What only a link of ours can say of a customer. */
export function unsubscribeToken(key: string, { accountId, customerId }: Place): string {
  return `${accountId}.${customerId}.${sealOf(key, { accountId, customerId })}`
}

/** Changes nothing: programs follow links by themselves. @throws UNSUBSCRIBE_NOT_FOUND */
export async function getUnsubscription(ctx: Pick<RequestContext, 'db'>, token: string): Promise<Unsubscription> {
  return (await verified(ctx, token)).row
}

/** Once is enough, and twice changes nothing. The owner is told. @throws UNSUBSCRIBE_NOT_FOUND */
export async function unsubscribe(ctx: Pick<RequestContext, 'db'>, token: string): Promise<Unsubscription> {
  const { place, row } = await verified(ctx, token)
  await ctx.db.writeAs(place.accountId, (_em, write) => write(optOut(place)))
  return { ...row, isActive: false }
}

/**
 * No more messages for a customer, nor for others at the same address: who asks for that has one mailbox. Where there
 * were any until now, the owner is told.
 */
export function optOut({ accountId, customerId }: Place) {
  return sql`
    with left_off as (
      update customers c set send_notifications = false from customers one
      where one.account_id = ${accountId} and one.id = ${customerId} and c.account_id = one.account_id
        and (c.id = one.id or lower(c.email) = lower(one.email)) and c.send_notifications returning c.id, c.name)
    insert into notifications (account_id, type, title, message, action_url)
    select ${accountId}, 'other', name || ' unsubscribed',
      name || ' does not want reminders by email any more. No more are sent to them.',
      '/customers?open=' || id from left_off order by id`
}

async function verified({ db }: Pick<RequestContext, 'db'>, token: string): Promise<{ place: Place; row: Row }> {
  const [, account = '', customer = '', seal = ''] = /^(\d{1,10})\.(\d{1,10})\.([\w-]{43})$/.exec(token) ?? []
  const place = { accountId: Number(account), customerId: Number(customer) }
  const isMeant = seal !== '' && Math.max(place.accountId, place.customerId) <= LARGEST_ID
  const row = isMeant ? await readRow(db, place) : undefined
  if (!row || !timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(row.key, place)))) {
    throw new AppError('UNSUBSCRIBE_NOT_FOUND')
  }
  return { place, row }
}

async function readRow(db: RequestContext['db'], { accountId, customerId }: Place): Promise<Row | undefined> {
  const [row] = await db.readAs(accountId)<Row>(sql`
    select coalesce(p.sender_name, a.email) as sender, c.name as "customerName",
      c.send_notifications as "isActive", unsubscribe_key() as key
    from customers c join accounts a on a.id = c.account_id
    left join reminder_preferences p on p.account_id = c.account_id
    where c.account_id = ${accountId} and c.id = ${customerId}`)
  return row
}

function sealOf(key: string, { accountId, customerId }: Place): string {
  return createHmac('sha256', key).update(`unsubscribe ${accountId} ${customerId}`).digest('base64url')
}
