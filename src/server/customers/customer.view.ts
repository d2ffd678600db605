import sql from 'sql-template-tag'
import { z } from 'zod'
import { columnsOf } from '#server/db/columns.ts'
import { mailClosed, MailClosedField } from './closed-address.rows.ts'
import { CustomerEntity } from './customer.entity.ts'

const OWN = columnsOf(CustomerEntity, 'c', [
  'id',
  'name',
  'address',
  'phone',
  'customerNumber',
  'email',
  'contactName',
  'contactRole',
  'sendNotifications',
  'tags',
  'createdAt',
  'version',
])

/** The columns of a CustomerRow, from customers `c`. */
export const CUSTOMER_COLUMNS = sql`${OWN}, ${mailClosed(sql`c.account_id`, sql`c.mailbox`)} as "mailClosed"`

export const CustomerRow = z.object({ ...OWN.fields, mailClosed: MailClosedField })

/** If `mailClosed` is set, the reader of this address wants no more mail, and notifications are off. */
export type CustomerView = z.output<typeof CustomerRow>

/** A customer as both transports return it. */
export function customerView(row: z.output<typeof CustomerRow>): CustomerView {
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    phone: row.phone,
    customerNumber: row.customerNumber,
    email: row.email,
    contactName: row.contactName,
    contactRole: row.contactRole,
    sendNotifications: row.sendNotifications && !row.mailClosed,
    tags: row.tags,
    createdAt: row.createdAt,
    version: row.version,
    mailClosed: row.mailClosed,
  }
}
