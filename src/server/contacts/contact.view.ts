import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { columnsOf, instant } from '#server/db/columns.ts'
import { mailClosed, MailClosedField } from '#server/customers/closed-address.rows.ts'
import { CustomerContactEntity } from '#server/customers/customer-contact.entity.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'

const OWN = columnsOf(CustomerContactEntity, 'x', [
  'id',
  'customerId',
  'name',
  'role',
  'email',
  'phone',
  'reminders',
  'version',
])
const FIRST = columnsOf(CustomerEntity, 'c', ['email', 'phone', 'version'])

/** The columns of a ContactRow, from a further contact `x`. */
export const CONTACT_COLUMNS = sql`${OWN}, ${mailClosed(sql`x.account_id`, sql`x.mailbox`)} as "mailClosed",
  ${bounceOf(sql`x.account_id`, sql`x.email`)} as bounce`

/** The same from a customer `c`, for its first contact. */
export const FIRST_CONTACT_COLUMNS = sql`
  0 as id, c.id as "customerId", c.contact_name as name, c.contact_role as role, ${FIRST},
  c.send_notifications as reminders, ${mailClosed(sql`c.account_id`, sql`c.mailbox`)} as "mailClosed",
  ${bounceOf(sql`c.account_id`, sql`c.email`)} as bounce`

export const ContactRow = z.object({
  ...OWN.fields,
  name: z.string().nullable(),
  mailClosed: MailClosedField,
  /** While nothing is sent to the address because an email bounced. */
  bounce: z
    .object({
      bouncedAt: instant,
      /** What the mail server said. */
      answer: z.string().nullable(),
    })
    .nullable(),
})

export interface ContactView extends z.output<typeof ContactRow> {
  /** Its name, role, address and phone are the customer's own, and it has no ID besides. */
  isFirst: boolean
}

/** The bounce of an address, while nothing is sent there, as JSON; null without one. */
function bounceOf(accountId: Sql, address: Sql): Sql {
  return sql`(
    select json_build_object('bouncedAt', bounce.bounced_at, 'answer', bounce.answer) from bounced_addresses bounce
    where bounce.account_id = ${accountId} and bounce.address = lower(${address}) and bounce.cleared_at is null)`
}

/** A contact as both transports return it. Of the first, `reminders` is the customer's switch, which
 * counts for all, and `version` is the customer's. */
export function contactView(row: z.output<typeof ContactRow>): ContactView {
  return { ...row, isFirst: row.id === 0 }
}
