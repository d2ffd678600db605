import sql from 'sql-template-tag'
import type { Write } from '#server/db/database.ts'

/**
 * Locks the contracts of a contact's customer, in the order in which others lock several too: no answer about them is given
 * or decided until the transaction ends.
 */
export async function lockAnswered(write: Write, accountId: number, contactId: number): Promise<void> {
  await write(sql`
    select id from contracts where account_id = ${accountId} and customer_id = (
      select customer_id from customer_contacts where account_id = ${accountId} and id = ${contactId})
    order by id for no key update`)
}

/**
 * Exchanges the answers that a contact gave with those of the customer's first one, so that each answer stays with whoever
 * gave it.
 */
export async function exchangeAnswers(
  write: Write,
  { accountId, customerId, contactId }: { accountId: number; customerId: number; contactId: number },
): Promise<void> {
  await write(sql`
    update customer_answers set contact_id = case contact_id when 0 then ${contactId}::int else 0 end
    where account_id = ${accountId} and customer_id = ${customerId} and contact_id in (0, ${contactId}::int)`)
}
