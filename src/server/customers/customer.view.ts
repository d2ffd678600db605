export interface CustomerRow {
  id: number
  name: string
  address: string | null
  phone: string | null
  customerNumber: string | null
  email: string | null
  sendNotifications: boolean
  createdAt: string
}

export interface CustomerView extends Omit<CustomerRow, 'createdAt'> {
  createdAt: Date
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
    sendNotifications: row.sendNotifications,
    createdAt: new Date(row.createdAt),
  }
}
