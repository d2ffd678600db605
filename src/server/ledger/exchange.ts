import sql, { type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import type { Write } from '#server/db/database.ts'

// What making a contact the first one changes in the ledger.

interface Exchange {
  accountId: number
  customerId: number
  /** The contact that is made the first, whose ID the former first one has now. */
  contactId: number
  /** To which contact's ID each contact's messages go; see messagesMoved. */
  moved: ReadonlyMap<number, number>
  /** The first day whose reminders have not been planned. */
  unplanned: Day
}

/**
 * Moves messages along with their readers, so that nobody is sent again what they have been sent, or gets what was planned for
 * another. Reminders of days that have been planned are exchanged where each of these contacts has one, and stay otherwise:
 * whoever was not to get one then would get it late. Emails about an answer stay with whoever gave it, also where another
 * contact has the same mailbox.
 */
export async function exchangeMessages(write: Write, { moved, ...exchange }: Exchange): Promise<void> {
  const { contactId, unplanned } = exchange
  const answerers = new Map([
    [0, contactId],
    [contactId, 0],
  ])
  await move(write, { ...exchange, moved: answerers, which: sql`r.kind in ('answer', 'reply')` })
  if (moved.size === 0) return
  const occasion = sql`case r.kind when 'reminder' then r.renewal_date - r.offset_days else r.renewal_date + r.offset_days end`
  const which = sql`r.kind in ('notice', 'confirmation', 'manual')
    or r.kind in ('reminder', 'follow_up') and (${occasion} >= ${unplanned}::date or ${moved.size}::int = (
      select count(*) from reminders o where o.account_id = r.account_id and o.contract_id = r.contract_id
        and o.renewal_date = r.renewal_date and o.term_number = r.term_number and o.kind = r.kind
        and o.offset_days = r.offset_days and o.recipient = r.recipient and o.channel = r.channel
        and o.contact_id = any(${[...moved.keys()]}::int[])))`
  await move(write, { ...exchange, moved, which })
}

interface Moving extends Omit<Exchange, 'contactId' | 'unplanned'> {
  /** A condition on messages `r` to the customer. */
  which: Sql
}

/** No contact has this number or one of the next, not even one that is gone: see archives. */
const NO_CONTACT = -2_147_483_648

async function move(write: Write, { accountId, customerId, moved, which }: Moving): Promise<void> {
  const moves = [...moved].map(([from, to], index) => ({ from, to, meanwhile: NO_CONTACT + index }))
  const each = sql`json_to_recordset(${JSON.stringify(moves)}::json) as m("from" int, "to" int, meanwhile int)`
  const ofCustomer = sql`r.account_id = ${accountId} and r.customer_id = ${customerId} and r.recipient = 'customer'`
  // No two rows may have the same key meanwhile.
  await write(sql`
    update reminders r set contact_id = m.meanwhile from ${each}
    where ${ofCustomer} and r.contact_id = m."from" and (${which})`)
  await write(sql`
    update reminders r set contact_id = m."to",
      contact_name = (select name from customer_contacts where account_id = r.account_id and id = m."to")
    from ${each} where ${ofCustomer} and r.contact_id = m.meanwhile`)
}
