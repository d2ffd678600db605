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
  /** The account's calendar day. */
  today: Day
}

/**
 * Moves messages along with their readers, so that nobody is sent again what they have been sent, or gets what was planned for
 * another. One exception: a reminder that the new first contact was not to get, of the day that was planned last or of one missed since,
 * stays with whoever is first, because planning looks at these days again and would send it late. Emails about an answer stay
 * with whoever gave it, also where another contact has the same mailbox.
 */
export async function exchangeMessages(write: Write, { moved, today, ...exchange }: Exchange): Promise<void> {
  const { contactId } = exchange
  const answerers = new Map([
    [0, contactId],
    [contactId, 0],
  ])
  await move(write, { ...exchange, moved: answerers, which: sql`r.kind in ('answer', 'reply')` })
  const next = [...moved.keys()].find((id) => moved.get(id) === 0)
  if (next === undefined) return
  const which = sql`${isOfCustomer([...moved.keys()])}
    and (r.kind in ('notice', 'confirmation', 'manual') or r.kind in ('reminder', 'follow_up') and ${isMoving(next, today)})`
  await move(write, { ...exchange, moved, which })
}

/**
 * A condition on messages `r`: their contract is the customer's, and no other customer, who had it before, has one about the same
 * occasion to the first contact of its own.
 */
function isOfCustomer(contactIds: number[]): Sql {
  return sql`
    exists (select from contracts k where k.account_id = r.account_id and k.id = r.contract_id and k.customer_id = r.customer_id)
    and not exists (select from reminders o where o.account_id = r.account_id and o.contract_id = r.contract_id
      and o.term_number = r.term_number and o.kind = r.kind and o.recipient = r.recipient
      and (r.kind = 'confirmation' or o.renewal_date = r.renewal_date and o.offset_days = r.offset_days)
      and o.contact_id = any(${contactIds}::int[]) and o.customer_id is distinct from r.customer_id)`
}

/** A condition on reminders `r`: once they have moved, planning does not add one that the new first contact was not to get. */
function isMoving(next: number, today: Day): Sql {
  const day = sql`case r.kind when 'reminder' then r.renewal_date - r.offset_days else r.renewal_date + r.offset_days end`
  return sql`(
    ${day} < (select least(planned_through, ${today}::date) from reminder_schedules s where s.account_id = r.account_id)
    or ${day} >= (select reminders_from from customer_contacts x where x.account_id = r.account_id and x.id = ${next})
    or exists (select from reminders o where o.account_id = r.account_id and o.contract_id = r.contract_id
      and o.renewal_date = r.renewal_date and o.term_number = r.term_number and o.kind = r.kind
      and o.offset_days = r.offset_days and o.recipient = r.recipient and o.contact_id = ${next} and o.channel = r.channel))`
}

interface Moving extends Omit<Exchange, 'contactId' | 'today'> {
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
