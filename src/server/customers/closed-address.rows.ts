import sql, { type Sql } from 'sql-template-tag'

/** Why the reader of an address gets no mail from the account; null where they do. */
export function closedReason(accountId: Sql, address: Sql): Sql {
  return sql`(
    select x.reason from closed_addresses x where x.account_id = ${accountId} and x.address = lower(${address}))`
}

/** The same as JSON, with since when. */
export function mailClosed(accountId: Sql, address: Sql): Sql {
  return sql`(
    select json_build_object('reason', x.reason, 'since', x.closed_at) from closed_addresses x
    where x.account_id = ${accountId} and x.address = lower(${address}))`
}
