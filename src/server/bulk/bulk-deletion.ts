import sql from 'sql-template-tag'
import type { SubscriberContext } from '#server/context.ts'
import { lockDeletedContracts, moveContractsToTrash, restoreContracts } from '#server/contracts/contract.trash.ts'
import { restoreCustomers } from '#server/customers/customer.trash.ts'

interface Run extends Pick<SubscriberContext, 'write' | 'accountId' | 'services' | 'today'> {
  id: number
  now: Date
}

/** Moves contracts to the trash, and notes when. */
export async function movedToTrash(run: Run, contracts: readonly { before: { id: number } }[]): Promise<void> {
  const { write, accountId, id, now } = run
  const ids = contracts.map(({ before }) => before.id)
  await moveContractsToTrash(run, sql`k.id = any(${ids}::int[])`)
  await write(sql`
    update bulk_contracts set state = 'changed', deleted_at = ${now}
    where account_id = ${accountId} and bulk_id = ${id} and contract_id = any(${ids}::int[])`)
}

interface DeletedRow {
  contractId: number
  deletedAt: Date | null
}

const RESTORED = 'Restored'
const GONE = 'Deleted permanently'

/** Restores the contracts that this change has deleted, unless somebody has restored them since. Returns the others. */
export async function deletionsTakenBack(run: Run, rows: readonly DeletedRow[], present: ReadonlyMap<number, unknown>) {
  const ids = rows.map(({ contractId }) => contractId)
  const deletedAt = new Map(rows.map((row) => [row.contractId, row.deletedAt?.getTime()]))
  const inTrash = await lockDeletedContracts(run, ids)
  const restored = inTrash.filter((contract) => deletedAt.get(contract.id) === contract.deletedAt.getTime())
  await restoreCustomers(run, [...new Set(restored.map(({ customerId }) => customerId))])
  await restoreContracts(run, restored)
  const isRestored = new Set(restored.map(({ id }) => id))
  const known = new Set([...present.keys(), ...inTrash.map(({ id }) => id)])
  return ids
    .filter((id) => !isRestored.has(id))
    .map((contractId) => ({ contractId, reason: known.has(contractId) ? RESTORED : GONE }))
}
