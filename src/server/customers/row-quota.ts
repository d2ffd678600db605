import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { ReaderContext } from '#server/context.ts'

const COUNT = new Intl.NumberFormat('en-US')
const StoredRow = z.object({ count: z.int() })

/**
 * Counts what the transaction has added already, and from the kept sums, so that asking costs the same in every account.
 * Transactions at the same moment may not see each other: a few rows more than the quota may stay.
 * @param coming how many more rows are about to be added
 * @throws ACCOUNT_FULL where customers and contracts together are more than the account has room for
 */
export async function refuseMoreRows({ read, accountId, services }: ReaderContext, coming = 0): Promise<void> {
  const { customersAndContracts } = services.storage.quotas
  const statement = sql`
    select (coalesce((select sum(customers) from customer_totals where account_id = ${accountId}), 0)
      + coalesce((select sum(contracts) from contract_totals where account_id = ${accountId}), 0))::int as count`
  const [stored] = await read(statement, StoredRow)
  if (!stored || stored.count + coming <= customersAndContracts) return
  throw new AppError('ACCOUNT_FULL', { values: { count: COUNT.format(customersAndContracts) } })
}
