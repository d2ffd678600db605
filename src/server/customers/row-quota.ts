import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ReaderContext } from '#server/context.ts'

const COUNT = new Intl.NumberFormat('en-US')
const StoredRow = z.object({ count: z.int() })

/**
 * How many customers and contracts the account has, also in the trash, from the stored totals, so that the cost does not
 * depend on their number. Rows added by the same statement are not counted yet.
 */
export function storedRows(accountId: number): Sql {
  return sql`
    select (coalesce((select sum(customers + in_trash) from customer_totals where account_id = ${accountId}), 0)
      + coalesce((select sum(contracts + in_trash) from contract_totals where account_id = ${accountId}), 0))::int`
}

/**
 * Counts what the transaction has already added. Concurrent transactions may not see each other, so an account can end up a
 * few rows over its quota.
 * @param coming how many more rows are about to be added
 * @throws ACCOUNT_FULL if customers and contracts together exceed the quota
 */
export async function refuseMoreRows(ctx: ReaderContext, coming = 0): Promise<void> {
  const [stored] = await ctx.read(sql`select (${storedRows(ctx.accountId)}) as count`, StoredRow)
  refuseBeyondQuota(ctx, (stored?.count ?? 0) + coming)
}

/** @throws ACCOUNT_FULL if there is no room for this many customers and contracts together */
export function refuseBeyondQuota({ services }: Pick<ReaderContext, 'services'>, count: number): void {
  const { customersAndContracts } = services.storage.quotas
  if (count <= customersAndContracts) return
  throw new AppError('ACCOUNT_FULL', { values: { count: COUNT.format(customersAndContracts) } })
}
