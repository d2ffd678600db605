import type { Customer } from './object-types.ts'
import { missing, unknownReference } from './problem.ts'
import { find } from './store.ts'
import type { Transaction } from './transaction.ts'

/** The customer in the path of a call; a deleted one is gone. */
export async function customerInPath(tx: Transaction, id: string): Promise<Customer> {
  const customer = await find(tx, 'customer', id)
  if (!customer || customer.deleted) throw missing('customer', id)
  return customer
}

/** The customer that a parameter names. */
export async function customerNamed(tx: Transaction, id: string): Promise<Customer> {
  const customer = await find(tx, 'customer', id)
  if (!customer || customer.deleted) throw unknownReference('customer', id, 'customer')
  return customer
}
