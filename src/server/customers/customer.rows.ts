import sql, { type Sql } from 'sql-template-tag'
import { NOT_DELETED } from '#server/db/trash.ts'

/** An account's customers; conditions on `c` may follow. */
export function customersOf(accountId: number): Sql {
  return sql`from customers c where c.account_id = ${accountId} and c.${NOT_DELETED}`
}
