import sql from 'sql-template-tag'
import type { Write } from '#server/db/database.ts'

/**
 * Locks the contracts that a contact's customer has or has answered about, in the order in which others lock several too: no answer
 * about them is given or decided until the transaction ends. For all of them the trash has to be in sight.
 */
export async function lockContractsOfContact(write: Write, accountId: number, contactId: number): Promise<void> {
  await write(sql`
    with customer as (select customer_id as id from customer_contacts where account_id = ${accountId} and id = ${contactId}),
    locked as (
      select k.id from contracts k where k.account_id = ${accountId} and (k.customer_id = (select id from customer)
        or k.id in (select contract_id from customer_answers where account_id = ${accountId} and customer_id = (select id from customer)))
      order by k.id for no key update)
    select count(*)::int from locked`)
}

interface Exchanged {
  accountId: number
  customerId: number
  contactId: number
}

/**
 * Exchanges the answers that a contact gave, and the links that it was sent, with those of the customer's first one, so that
 * each stays with whoever answered or can. A link like one that the other has already stays where it is, and takes no answer.
 */
export async function exchangeAnswers(write: Write, { accountId, customerId, contactId }: Exchanged): Promise<void> {
  const exchanged = sql`case l.contact_id when 0 then ${contactId}::int else 0 end`
  await write(sql`
    update customer_answers l set contact_id = ${exchanged}
    where l.account_id = ${accountId} and l.customer_id = ${customerId} and l.contact_id in (0, ${contactId}::int)`)
  await write(sql`
    update answer_links l set contact_id = ${exchanged}
    where l.account_id = ${accountId} and l.contact_id in (0, ${contactId}::int)
      and l.contract_id in (select id from contracts where account_id = ${accountId} and customer_id = ${customerId})
      and not exists (select from answer_links o where o.account_id = l.account_id and o.contract_id = l.contract_id
        and o.term_number = l.term_number and o.contact_id = ${exchanged} and o.address = l.address and o.offer = l.offer)`)
}
