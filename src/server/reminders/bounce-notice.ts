import sql from 'sql-template-tag'
import type { Read } from '#server/db/database.ts'
import { notify, type NewNotification } from '#server/notifications/notify.ts'
import type { Addressed } from './ledger.ts'

/** Nothing more is sent to its address. The owner is told once, however many messages were on their way to it. */
export async function recordBounce(write: Read, bounced: Addressed, now: Date): Promise<void> {
  const { accountId, address, answer } = bounced
  const [isNew] = await write(sql`
    insert into bounced_addresses (account_id, address, bounced_at, answer)
    values (${accountId}, lower(${address}), ${now}, ${answer})
    on conflict (account_id, address) where cleared_at is null do nothing returning id`)
  if (isNew) await notify(write, { accountId, now }, noticeOf(bounced))
}

function noticeOf({ recipient, customerId, customerName, address }: Addressed): NewNotification {
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
