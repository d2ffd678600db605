import sql from 'sql-template-tag'
import type { ReaderContext } from '#server/context.ts'
import { CONTRACT_COLUMNS, ContractRow, contractView } from '#server/contracts/contract.view.ts'
import { CUSTOMER_COLUMNS, CustomerRow, customerView } from '#server/customers/customer.view.ts'
import { instant } from '#server/db/columns.ts'
import { BATCH, byId, withDetails, type ExportTable } from './tables.ts'

const Deleted = { deletedAt: instant }

/** A table with what is in the trash after the other rows, and a column that says when it was deleted. */
export function alsoFromTrash<View extends object>(
  table: ExportTable<View>,
  deleted: () => AsyncIterable<(View & { deletedAt: Date })[]>,
): ExportTable<View & { deletedAt: Date | null }> {
  return {
    headings: [...table.headings, 'Deleted'],
    cells: (row) => [...table.cells(row), row.deletedAt],
    async *batches() {
      for await (const batch of table.batches()) yield batch.map((row) => ({ ...row, deletedAt: null }))
      yield* deleted()
    },
  }
}

const DeletedCustomer = CustomerRow.extend(Deleted)

/** The customers in the trash; `read` has to see them. */
export function deletedCustomers({ read, accountId }: ReaderContext) {
  return byId(async (after) => {
    const statement = sql`
      select ${CUSTOMER_COLUMNS}, c.deleted_at as "deletedAt" from customers c
      where c.account_id = ${accountId} and c.deleted_at is not null and c.id > ${after} order by c.id limit ${BATCH}`
    const rows = await read(statement, DeletedCustomer)
    return rows.map(({ deletedAt, ...row }) => ({ ...customerView(row), deletedAt }))
  })
}

const DeletedContract = ContractRow.extend(Deleted)

/** The contracts in the trash; `read` has to see them. */
export function deletedContracts(ctx: ReaderContext) {
  const { read, accountId, today } = ctx
  const batches = byId(async (after) => {
    const statement = sql`
      select ${CONTRACT_COLUMNS}, k.deleted_at as "deletedAt" from contracts k
      where k.account_id = ${accountId} and k.deleted_at is not null and k.id > ${after} order by k.id limit ${BATCH}`
    const rows = await read(statement, DeletedContract)
    return rows.map(({ deletedAt, ...row }) => ({ ...contractView(row, today), deletedAt }))
  })
  return withDetails(ctx, batches)
}
