import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { instant } from '#server/db/columns.ts'

export const BounceField = z
  .object({
    bouncedAt: instant,
    /** What the mail server said. */
    answer: z.string().nullable(),
  })
  .nullable()

/** The bounce of an address, while nothing is sent there, as JSON; null without one. */
export function bounceOf(accountId: Sql, address: Sql): Sql {
  return sql`(
    select json_build_object('bouncedAt', bounce.bounced_at, 'answer', bounce.answer) from bounced_addresses bounce
    where bounce.account_id = ${accountId} and bounce.address = lower(${address}) and bounce.cleared_at is null)`
}
