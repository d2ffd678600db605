import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { fault, textOf } from './fault.ts'
import { look } from './ledger-watch.ts'
import type { Model, ModelContract, ModelDeletion } from './model.ts'
import type { Play } from './play.ts'
import { judgeContract } from './stored-decisions.ts'
import { write } from './write.ts'

const TRASH_MS = 30 * 86_400_000

export function aDeletion({ now }: Model): ModelDeletion {
  return { at: now, skipped: [], isForGood: false }
}

/** The contract is in the trash, and the ledger has not been looked at since. */
export function noteDeleted(model: Model, contract: ModelContract): ModelDeletion {
  touch(model, contract)
  return (contract.deletion = aDeletion(model))
}

/** The contract is as it was before its deletion, and the ledger has not been looked at since. */
export function noteRestored(model: Model, contract: ModelContract): void {
  touch(model, contract)
  model.undone.set(contract.id, contract.term)
  for (const { id } of model.rowsOf.get(contract.id) ?? []) model.resumed.delete(id)
  model.trash.restored += 1
  contract.deletion = null
  contract.customer.deletion = null
}

/** Exactly what the deletion had skipped is planned again. */
export function judgeRestored(model: Model, contract: ModelContract, deletion: ModelDeletion): void {
  model.undone.delete(contract.id)
  for (const row of model.rowsOf.get(contract.id) ?? []) {
    const isResumed = model.resumed.delete(row.id)
    const wasSkipped = deletion.skipped.includes(row.id)
    if (isResumed && !wasSkipped)
      fault(model, `message ${row.id} ${textOf(row)}: was not skipped by the deletion`, contract.id)
    if (wasSkipped && row.state === 'skipped' && row.sendingAt === null)
      fault(model, `message ${row.id} ${textOf(row)}: its contract was restored`, contract.id)
  }
}

/** Somebody restores a contract, or its customer alone. */
export async function restore(play: Play, contract: ModelContract): Promise<void> {
  const { model, owner, random } = play
  const { id, account, customer, deletion } = contract
  if (!deletion) return
  const contracts = random.chance(0.8) ? [id] : []
  const customers = contracts.length === 0 || random.chance(0.5) ? [customer.id] : []
  const restored = await write(account, (ctx) => restoreFromTrash(ctx, { customers, contracts }))
  const isContract = contracts.length > 0 && !deletion.isForGood
  const isCustomer = customer.deletion !== null && !customer.deletion.isForGood && (isContract || customers.length > 0)
  if (restored.contracts.length > 0 !== isContract) fault(model, `contract ${id}: was restored or not`, id)
  if (restored.customers.length > 0 !== isCustomer) fault(model, `customer of contract ${id}: was restored or not`, id)
  if (isCustomer) customer.deletion = null
  if (!isContract) return
  noteRestored(model, contract)
  await look(owner, model)
  judgeRestored(model, contract, deletion)
  await judgeContract(play, contract)
}

/** What was deleted 30 days ago is gone, unless something went wrong; and nothing else is. */
export async function judgePurge({ model, owner }: Play, { isComplete }: { isComplete: boolean }): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select 'contract ' || id as name from contracts union all select 'customer ' || id from customers`,
  )
  const present = new Set(rows.map(({ name }) => name))
  const judge = (name: string, deletion: ModelDeletion | null) => {
    if (deletion?.isForGood) return false
    const isGone = !present.has(name)
    const isDue = deletion !== null && deletion.at + TRASH_MS <= model.now
    if (isGone && !isDue) fault(model, `${name}: is gone`)
    if (!isGone && isDue && isComplete) fault(model, `${name}: has been in the trash for 30 days`)
    if (isGone && deletion) deletion.isForGood = true
    return isGone
  }
  for (const { id, deletion } of model.contracts.values())
    if (judge(`contract ${id}`, deletion)) model.trash.purged += 1
  for (const { id, deletion } of model.customers.values()) judge(`customer ${id}`, deletion)
}

function touch(model: Model, contract: ModelContract): void {
  for (const { id } of model.rowsOf.get(contract.id) ?? []) model.touched.add(id)
}
