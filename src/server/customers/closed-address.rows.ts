import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { columnsOf } from '#server/db/columns.ts'
import { ClosedAddressEntity } from './closed-address.entity.ts'

const { fields } = columnsOf(ClosedAddressEntity, 'closing', ['reason', 'closedAt'])
export const ClosedReasonField = fields.reason.nullable()
export const MailClosedField = z.object({ reason: fields.reason, since: fields.closedAt }).nullable()

// The alias is none that callers use: in a subquery, theirs would be hidden.

/** Why a mailbox gets no mail from the account; null if it does. */
export function closedReason(accountId: Sql, mailbox: Sql): Sql {
  return sql`(
    select closing.reason from closed_addresses closing
    where closing.account_id = ${accountId} and closing.mailbox = ${mailbox})`
}

/** The same as JSON, with since when. */
export function mailClosed(accountId: Sql, mailbox: Sql): Sql {
  return sql`(
    select json_build_object('reason', closing.reason, 'since', closing.closed_at) from closed_addresses closing
    where closing.account_id = ${accountId} and closing.mailbox = ${mailbox})`
}
