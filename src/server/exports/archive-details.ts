import sql from 'sql-template-tag'
import { z } from 'zod'
import { namedActor } from '#server/activity/actor-name.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { ExportTable } from './tables.ts'

const Creator = { createdBy: z.string().nullable() }
const CUSTOMER = columnsOf(CustomerEntity, 'c', ['id'])
const CustomerDetails = z.object({
  ...CUSTOMER.fields,
  ...Creator,
  /** The account's own setting, which counts again once a closed address is open. */
  ownSendNotifications: z.boolean(),
})

/** Customers with what only the JSON file has, so that an archive can be imported without loss. */
export function withCustomerDetails<View extends { id: number }>(
  { read, accountId }: ReaderContext,
  table: ExportTable<View>,
) {
  return withMore(table, (ids) =>
    read(
      sql`select ${CUSTOMER}, c.send_notifications as "ownSendNotifications",
        ${namedActor(accountId, sql`coalesce('import:' || c.import_id, c.created_by)`)} as "createdBy"
      from customers c where c.account_id = ${accountId} and c.id = any(${ids}::int[])`,
      CustomerDetails,
    ),
  )
}

const CONTRACT = columnsOf(ContractEntity, 'k', ['id', 'heldRenewalDate', 'createdAt'])
const ContractDetails = z.object({ ...CONTRACT.fields, ...Creator })

/** The same for contracts. */
export function withContractDetails<View extends { id: number }>(
  { read, accountId }: ReaderContext,
  table: ExportTable<View>,
) {
  return withMore(table, (ids) =>
    read(
      sql`select ${CONTRACT}, ${namedActor(accountId, sql`coalesce('import:' || k.import_id, k.created_by)`)} as "createdBy"
      from contracts k where k.account_id = ${accountId} and k.id = any(${ids}::int[])`,
      ContractDetails,
    ),
  )
}

function withMore<View extends { id: number }, More extends { id: number }>(
  table: ExportTable<View>,
  readMore: (ids: number[]) => Promise<More[]>,
): ExportTable<View & More> {
  return {
    ...table,
    async *batches() {
      for await (const batch of table.batches()) {
        const found = await readMore(batch.map(({ id }) => id))
        const more = new Map(found.map((row) => [row.id, row]))
        // One that was deleted in between is left out.
        yield batch.flatMap((row) => {
          const details = more.get(row.id)
          return details ? [{ ...row, ...details }] : []
        })
      }
    },
  }
}
