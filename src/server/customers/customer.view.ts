import sql from 'sql-template-tag'
import type { ClosedReason } from '#shared/domain/closed-address.ts'
import { columnsOf, type RowOf } from '#server/db/columns.ts'
import { mailClosed } from './closed-address.rows.ts'
import { CustomerEntity } from './customer.entity.ts'

const OWN = columnsOf(CustomerEntity, 'c', [
  'id',
  'name',
  'address',
  'phone',
  'customerNumber',
  'email',
  'sendNotifications',
  'createdAt',
])

/** The columns of a CustomerRow, from customers `c`. */
export const CUSTOMER_COLUMNS = sql`${OWN}, ${mailClosed(sql`c.account_id`, sql`c.mailbox`)} as "mailClosed"`

export interface CustomerRow extends RowOf<typeof OWN> {
  mailClosed: { reason: ClosedReason; since: string } | null
}

export interface CustomerView extends Omit<CustomerRow, 'createdAt' | 'mailClosed'> {
  createdAt: Date
  /** The reader of this address wants no more mail: then notifications are off, whatever the account wants. */
  mailClosed: { reason: ClosedReason; since: Date } | null
}

/** What a reader gets to know of a customer. */
export function customerView(row: CustomerRow): CustomerView {
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    phone: row.phone,
    customerNumber: row.customerNumber,
    email: row.email,
    sendNotifications: row.sendNotifications && !row.mailClosed,
    createdAt: new Date(row.createdAt),
    mailClosed: row.mailClosed && { reason: row.mailClosed.reason, since: new Date(row.mailClosed.since) },
  }
}
