import sql, { type Sql } from 'sql-template-tag'
import type { Line } from '#shared/domain/reminder-plan.ts'

/** A message that came back. */
export interface Returned extends Pick<Line, 'recipient'> {
  customerId: number | null
  customerName: string
  address: string | null
}

/** The columns of what came back, from reminders. */
export const RETURNED = sql`recipient, customer_id as "customerId", customer_name as "customerName", address`

/** Comes before rows of the ledger are written, as in planning: of two that come back at once, one sees the other. */
export function takeTurn(accountId: number): Sql {
  return sql`select from reminder_schedules where account_id = ${accountId} for update`
}

/** Once for an address, however many messages were on their way to it. */
export function tellOfBounce({ id, accountId }: { id: number; accountId: number }, returned: Returned): Sql {
  const { title, message, actionUrl } = noticeOf(returned)
  return sql`
    insert into notifications (account_id, type, title, message, action_url)
    select ${accountId}, 'other', ${title}, ${message}, ${actionUrl}
    where not exists (select from reminders r where r.account_id = ${accountId} and r.id <> ${id}
      and r.bounced_at is not null and r.cleared_at is null and lower(r.address) = lower(${returned.address})
      and r.recipient = ${returned.recipient} and r.customer_id is not distinct from ${returned.customerId})`
}

function noticeOf({ recipient, customerId, customerName, address }: Returned) {
  const says = `${address ?? 'The address'} does not take mail.`
  if (recipient === 'owner') {
    const message = `${says} No more reminders are sent to you by email until your address is another.`
    return { title: 'Mail to you came back', message, actionUrl: '/profile' }
  }
  return {
    title: `Mail to ${customerName} came back`,
    message: `${says} No more is sent there: correct the address of ${customerName}, or say there that it works again.`,
    actionUrl: customerId ? `/customers?open=${customerId}` : null,
  }
}
