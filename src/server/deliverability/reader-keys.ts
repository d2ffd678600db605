import { createHmac, timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ClosedReason } from '#shared/domain/closed-address.ts'
import { usableCompanyName } from '#shared/domain/company-name.ts'
import { AppError } from '#shared/errors.ts'
import type { RequestContext } from '#server/context.ts'
import { ClosedReasonField, closedReason } from '#server/customers/closed-address.rows.ts'
import type { Actor } from '#server/db/actor.ts'
import { instant } from '#server/db/columns.ts'
import { readLinkKey } from '#server/db/link-key.ts'

/** An emailed message. Its links act for whoever reads mail at its address. */
interface Message {
  accountId: number
  reminderId: number
  address: string
}

/** What a link in a customer's email refers to. */
export interface Reader {
  accountId: number
  /** 0 if the customer was deleted. */
  customerId: number
  /** In lower case. */
  address: string
  /** The name that the messages are sent under. */
  sender: string
  /** Why they get no more messages; null if they do. */
  closed: ClosedReason | null
  /** The message with the link; null for older links, which name only a customer. */
  message: { id: number; subject: string; sentAt: Date | null } | null
}

const ReaderRow = z.object({
  customerId: z.int(),
  company: z.string().nullable(),
  address: z.string(),
  closed: ClosedReasonField,
  subject: z.string().nullable(),
  sentAt: instant.nullable(),
})

/** Of accounts and customers. Messages may have larger ones. */
const LARGEST_ID = 2_147_483_647
const TOKEN = /^([1-9]\d{0,9})\.(m?)([1-9]\d{0,14})\.([\w-]{43})$/

/**
 * A token that only the reader of a message has. The address is signed too: the account may change the customer's address
 * later, and an old link must not act for the new one.
 */
export function readerToken(key: string, message: Message): string {
  return `${message.accountId}.m${message.reminderId}.${sealOf(key, message)}`
}

/**
 * What a Message-ID is made from. It is the same for every try to one address, and differs for another, so that events
 * concern only what was sent there. The IDs of other messages cannot be derived from it.
 */
export function messageKey(key: string, { accountId, reminderId, address }: Message): string {
  const secret = createHmac('sha256', key).update(`message ${accountId} ${reminderId} ${address.toLowerCase()}`)
  return `reminder-${reminderId}.${secret.digest('hex').slice(0, 32)}`
}

/** The key that a Message-ID was made from. */
export function keyOfMessageId(messageId: string): string | undefined {
  return /^<(.+)@[^@]*>$/.exec(messageId)?.[1]
}

/** The ledger row that a Message-ID names, one of those in that email. */
export function rowOfMessageId(messageId: string): number | undefined {
  const [, id] = /^<?reminder-(\d{1,15})\./.exec(messageId) ?? []
  return id === undefined ? undefined : Number(id)
}

/** The reader at the address that a link was sent to. @throws UNSUBSCRIBE_NOT_FOUND */
export async function readReader({ db }: Pick<RequestContext, 'db'>, token: string): Promise<Reader> {
  const [, account = '', isOfMessage = '', number = '', seal = ''] = TOKEN.exec(token) ?? []
  const [accountId, id] = [Number(account), Number(number)]
  if (seal === '' || Math.max(accountId, isOfMessage ? 0 : id) > LARGEST_ID) throw new AppError('UNSUBSCRIBE_NOT_FOUND')
  const read = db.as('link').readAs(accountId)
  const [row] = await read(isOfMessage ? byMessage(accountId, id) : byCustomer(accountId, id), ReaderRow)
  if (!row) throw new AppError('UNSUBSCRIBE_NOT_FOUND')
  const { subject, sentAt, company, ...reader } = row
  const key = await readLinkKey(db)
  const expected = isOfMessage
    ? sealOf(key, { accountId, reminderId: id, address: row.address })
    : hmac(key, `unsubscribe ${accountId} ${id}`)
  if (!timingSafeEqual(Buffer.from(seal), Buffer.from(expected))) throw new AppError('UNSUBSCRIBE_NOT_FOUND')
  const message = isOfMessage ? { id, subject: subject ?? '', sentAt } : null
  return { accountId, ...reader, sender: usableCompanyName(company) ?? 'this company', message }
}

/** The actor for changes made through a link. */
export function actorOf({ customerId }: Reader): Actor {
  return `customer:${customerId}`
}

function byMessage(accountId: number, id: number) {
  return sql`
    select coalesce(r.customer_id, 0) as "customerId", co.name as company, lower(r.address) as address,
      ${closedReason(sql`r.account_id`, sql`mailbox_of(r.address)`)} as closed, r.subject, r.sent_at as "sentAt"
    from reminders r left join companies co on co.account_id = r.account_id
    where r.account_id = ${accountId} and r.id = ${id} and r.recipient = 'customer' and r.address is not null`
}

function byCustomer(accountId: number, id: number) {
  return sql`
    select c.id as "customerId", co.name as company, lower(c.email) as address,
      ${closedReason(sql`c.account_id`, sql`c.mailbox`)} as closed,
      null as subject, null as "sentAt"
    from customers c left join companies co on co.account_id = c.account_id
    where c.account_id = ${accountId} and c.id = ${id} and c.email is not null`
}

function sealOf(key: string, { accountId, reminderId, address }: Message): string {
  return hmac(key, `reader ${accountId} ${reminderId} ${address.toLowerCase()}`)
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}
