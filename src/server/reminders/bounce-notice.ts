import sql, { type Sql } from 'sql-template-tag'
import type { Line } from '#shared/domain/reminder-plan.ts'

/** A message that came back, or whose address was refused. */
export interface Returned extends Pick<Line, 'recipient'> {
  accountId: number
  customerId: number | null
  customerName: string
  address: string
  /** What the mail server said. */
  answer: string | null
}

/** The columns of what came back, from reminders. */
export const RETURNED = sql`
  account_id as "accountId", recipient, customer_id as "customerId", customer_name as "customerName", address, answer`

/** From now on nothing is sent to its address. No row where that is so already. */
function recordBounce({ accountId, address, answer }: Returned, now: Date): Sql {
  return sql`
    insert into bounced_addresses (account_id, address, bounced_at, answer)
    values (${accountId}, lower(${address}), ${now}, ${answer})
    on conflict (account_id, address) where cleared_at is null do nothing`
}

/** The same, and tells the owner: once for an address, however many messages were on their way to it. */
export function tellOfBounce(returned: Returned, now: Date): Sql {
  const { title, message, actionUrl } = noticeOf(returned)
  return sql`
    with bounced as (${recordBounce(returned, now)} returning account_id)
    insert into notifications (account_id, type, title, message, action_url)
    select account_id, 'other', ${title}, ${message}, ${actionUrl} from bounced`
}

function noticeOf({ recipient, customerId, customerName, address }: Returned) {
  const says = `${address} does not take mail.`
  if (recipient === 'owner') {
    const message = `${says} No more reminders are sent to you by email until your address is another, or you say in your profile that it works again.`
    return { title: 'Mail to you came back', message, actionUrl: '/profile' }
  }
  return {
    title: `Mail to ${customerName} came back`,
    message: `${says} No more is sent there: correct the address of ${customerName}, or say there that it works again.`,
    actionUrl: customerId ? `/customers?open=${customerId}` : null,
  }
}
