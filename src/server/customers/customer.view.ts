import type { ClosedReason } from '#shared/domain/closed-address.ts'

export interface CustomerRow {
  id: number
  name: string
  address: string | null
  phone: string | null
  customerNumber: string | null
  email: string | null
  sendNotifications: boolean
  createdAt: string
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
