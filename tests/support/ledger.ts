import type { RequestContext } from '#server/context.ts'
import { NOON } from './services.ts'

export interface LedgerRow {
  id: number
  contractId: number | null
  customerName: string
  contactId: number
  contactName: string | null
  renewalDate: string
  kind: string
  offset: number
  dueOn: string
  recipient: string
  channel: string
  state: string
  reason: string | null
  address: string | null
  subject: string | null
  body: string | null
  messageId: string | null
  attempts: number
  repeats: number
  answer: string | null
  nextAttemptAt: string | null
  sentOn: string | null
}

const COLUMNS = `reminders.id::float8 as id, contract_id as "contractId", customer_name as "customerName", contact_id as "contactId",
  contact_name as "contactName", renewal_date as "renewalDate", kind,
  offset_days as "offset", due_on as "dueOn", recipient, channel, state, reason, address, subject, body,
  message_id as "messageId", attempts, repeats, answer, next_attempt_at as "nextAttemptAt", sent_on as "sentOn"`

type Of = Pick<RequestContext, 'db' | 'caller'>

/** All that an account's ledger says, in the order in which it was written. */
export function ledgerOf({ db, caller }: Of): Promise<LedgerRow[]> {
  const accountId = caller?.id ?? 0
  return db.writeAs(accountId, (em) =>
    em.execute<LedgerRow[]>(`select ${COLUMNS} from reminders where account_id = ? order by reminders.id`, [accountId]),
  )
}

/** Every email that the account has sent bounces, or each to one address. */
export async function bounceAll({ db, caller }: Of, address: string | null = null): Promise<void> {
  await db.writeAs(caller?.id ?? 0, (em) =>
    em.execute(
      `with returned as (
          update reminders set state = 'bounced', bounced_at = ?, answer = '550 no such user'
          where state = 'sent' and channel = 'email' and address = coalesce(?::text, address) returning account_id, address, bounced_at, answer)
        insert into bounced_addresses (account_id, address, bounced_at, answer) select * from returned`,
      [NOON, address],
    ),
  )
}

/** The text of an email as the ledger keeps it: the links are its reader's. */
export function withoutLinks(text: string | undefined): string | undefined {
  return text
    ?.replaceAll(/\n(Unsubscribe|Report this message): \S+/g, '')
    .replaceAll(/^(Answer online.*?): http\S+$/gm, '$1: (a link that only the reader has)')
}
