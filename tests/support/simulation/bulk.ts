import { isDeepStrictEqual } from 'node:util'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { DEFAULT_END_REASONS } from '#shared/schemas/renewals.ts'
import { startBulk, undoBulk } from '#server/bulk/bulk.service.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import type { Random } from '#support/random.ts'
import { changedInBulk } from './bulk-rules.ts'
import { judgeConfirmations } from './confirmations.ts'
import { isOvertaken, judgeTakenBack, momentOf, noteDecision, refusalOf, takenBack } from './decisions.ts'
import { fault } from './fault.ts'
import { look } from './ledger-watch.ts'
import {
  readersOf,
  remember,
  type BulkChoice,
  type Model,
  type ModelAccount,
  type ModelBulk,
  type ModelBulkContract,
  type ModelContract,
} from './model.ts'
import type { Play } from './play.ts'
import { judgeLimited, judgeReminded, remindingOf } from './reminding.ts'
import { judgeContract } from './stored-decisions.ts'
import { retagged, someTags, tagKey } from './tags.ts'
import { judgeRestored, noteDeleted, noteRestored } from './trash.ts'
import { write } from './write.ts'

const MOST_SELECTED = 12
/** Older ones may have been forgotten. */
const LATEST = 4
/** The one before these is forgotten when the next is started. */
const MOST_KEPT = 9

/** The owner has several contracts of an account changed, or all of them. Returns those. */
export async function startBulkChange(
  { model, random }: Play,
  account: ModelAccount,
  change = someChange(random),
): Promise<ModelContract[]> {
  const all = [...model.contracts.values()].filter((one) => one.account === account && !one.deletion)
  const some = all.filter(() => random.chance(0.5)).slice(0, MOST_SELECTED)
  const [chosen, selection] = random.chance(0.2)
    ? [all, { filter: {} }]
    : [some, { ids: some.map(({ id }) => id).toReversed() }]
  if (chosen.length === 0) return []
  const confirm = { yes: true, no: false, usual: undefined }[random.pick(['yes', 'no', 'usual'] as const)]
  const input = BulkChange.parse({ ...requestOf(change), contracts: selection, confirm })
  let id = 0
  const refusal = await refusalOf(write(account, async (ctx) => void ({ id } = await startBulk(ctx, input))))
  judgeRefusal({ model, account }, refusal, isBusy(account) ? 'BULK_RUNNING' : undefined)
  if (refusal !== undefined) return []
  const contracts = chosen.map((contract) => ({ contract, term: contract.term, state: 'waiting' }))
  const isConfirmed = confirm ?? account.confirms
  account.bulks.push({ id, change, isConfirmed, asSettingsSay: confirm === undefined, state: 'running', contracts })
  return chosen
}

/** An owner undoes one of the last changes, as a whole; sometimes one that cannot be undone. */
export async function undoBulkChange(play: Play): Promise<void> {
  const { model, random } = play
  const latest = model.accounts.flatMap((account) =>
    account.hasAccess ? account.bulks.slice(-LATEST).map((bulk) => ({ account, bulk })) : [],
  )
  const done = latest.filter(({ bulk }) => bulk.state === 'done')
  if (latest.length === 0) return
  await undoChange(play, random.pick(done.length > 0 && random.chance(0.9) ? done : latest))
}

/** An owner undoes the latest change of tags, after one of the contracts has got others. */
export async function undoLatestTagging(play: Play): Promise<void> {
  const taggings = play.model.accounts.flatMap((account) =>
    account.bulks
      .slice(-MOST_KEPT)
      .filter(({ change, state }) => account.hasAccess && change.action === 'tag' && state === 'done')
      .map((bulk) => ({ account, bulk })),
  )
  const latest = taggings.findLast(({ bulk }) => bulk.contracts.some(({ state }) => state === 'changed'))
  if (!latest) return
  const changed = latest.bulk.contracts.find(({ state, contract }) => state === 'changed' && !contract.deletion)
  if (changed) await retag(play, changed.contract)
  await undoChange(play, latest)
}

/** Other tags of one contract. */
export async function retag({ random }: Play, contract: ModelContract): Promise<void> {
  if (contract.deletion) return
  const tags = someTags(random, 0.4)
  await write(contract.account, (ctx) => updateContract(ctx, { id: contract.id, tags }))
  contract.tags = tags.map(tagKey)
}

async function undoChange(
  { model }: Play,
  { account, bulk }: { account: ModelAccount; bulk: ModelBulk },
): Promise<void> {
  const refusal = await refusalOf(write(account, (ctx) => undoBulk(ctx, { id: bulk.id })))
  judgeRefusal({ model, account }, refusal, obstacleToUndo(account, bulk))
  if (refusal === undefined) bulk.state = 'undoing'
}

function someChange(random: Random): BulkChoice {
  const share = random.share()
  if (share < 0.3) return { action: 'renew', from: random.pick(['term', 'today'] as const) }
  if (share < 0.45) return { action: 'end', on: random.pick(['renewal_date', 'today'] as const) }
  if (share < 0.6) return { action: 'change_price', percent: random.pick([-100, 3, 5, 10] as const) }
  if (share < 0.7) return { action: 'delete' }
  return share < 0.85 ? { action: 'remind' } : someTagging(random)
}

export function someTagging(random: Random): BulkChoice {
  const add = someTags(random, 0.4)
  const kept = new Set(add.map(tagKey))
  const remove = someTags(random, 0.4).filter((tag) => !kept.has(tagKey(tag)))
  return add.length + remove.length > 0 ? { action: 'tag', add, remove } : { action: 'tag', add: ['VIP'], remove }
}

function requestOf(change: BulkChoice): object {
  if (change.action === 'change_price')
    return { action: change.action, price: { by: 'percent', value: change.percent, roundTo: 1 } }
  return change.action === 'end' ? { ...change, reason: DEFAULT_END_REASONS[0] } : change
}

function isBusy({ bulks }: ModelAccount): boolean {
  return bulks.some(isUnfinished)
}

function obstacleToUndo(account: ModelAccount, { state, change }: ModelBulk): string | undefined {
  if (change.action === 'remind') return 'BULK_FINAL'
  if (state === 'running') return 'BULK_NOT_DONE'
  if (state !== 'done') return 'BULK_UNDONE'
  return isBusy(account) ? 'BULK_RUNNING' : undefined
}

function judgeRefusal(
  { model, account }: Pick<Play, 'model'> & { account: ModelAccount },
  refusal: string | undefined,
  expected: string | undefined,
): void {
  if (refusal !== expected)
    fault(model, `account ${account.id}: a change of many was ${refusal ?? 'not refused'}, not ${expected ?? 'done'}`)
}

/**
 * What the job has come to: each contract is changed once, or left out, for the reason that the rules give. Returns how
 * many contracts it has looked at.
 */
export async function judgeBulkChanges(play: Play, { isComplete }: { isComplete: boolean }): Promise<number> {
  const { model, owner } = play
  const running = model.accounts.flatMap(({ bulks }) => bulks).filter(isUnfinished)
  const processed: Processed[] = []
  for (const bulk of running) processed.push(...(await processedOf(play, bulk, isComplete)))
  const judges = processed.map((one) => (one.isUndoing ? undone(model, one) : changed(model, one)))
  await look(owner, model)
  model.reminded.clear()
  judgeConfirmations(model)
  for (const judge of judges) judge()
  for (const { one } of processed) if (!one.contract.deletion?.isForGood) await judgeContract(play, one.contract)
  return processed.length
}

interface Processed {
  bulk: ModelBulk
  isUndoing: boolean
  one: ModelBulkContract
  reason: string | null
}

/** What has become of its contracts since. */
async function processedOf({ model, owner }: Play, bulk: ModelBulk, isComplete: boolean): Promise<Processed[]> {
  const { rows } = await owner.query<{ id: number; state: string; reason: string | null; bulk: string }>(
    `select r.contract_id as id, r.state, r.reason, b.state as bulk from bulk_changes b
      join bulk_contracts r on r.account_id = b.account_id and r.bulk_id = b.id where b.id = $1`,
    [bulk.id],
  )
  if (rows.length !== bulk.contracts.length) fault(model, `change ${bulk.id}: has ${rows.length} contracts`)
  const isUndoing = bulk.state === 'undoing'
  const processed: Processed[] = []
  for (const one of bulk.contracts) {
    const row = rows.find(({ id }) => id === one.contract.id)
    if (!row || row.state === one.state) continue
    one.state = row.state
    processed.push({ bulk, isUndoing, one, reason: row.reason })
    remember(model, one.contract.id, `change ${bulk.id}, ${bulk.change.action}: ${row.state} ${row.reason ?? ''}`)
  }
  bulk.state = rows[0]?.bulk ?? bulk.state
  const isWaiting = bulk.contracts.some(({ state }) => state === 'waiting' || (isUndoing && state === 'changed'))
  if (isComplete && isUnfinished(bulk)) fault(model, `change ${bulk.id}: is ${bulk.state}`)
  if (!isUnfinished(bulk) && isWaiting) fault(model, `change ${bulk.id}: is ${bulk.state}, and contracts still wait`)
  return processed
}

function isUnfinished({ state }: ModelBulk): boolean {
  return state === 'running' || state === 'undoing'
}

const NOTHING_TO_JUDGE = () => {}

/** Changes the model as the rules say. Returns what is to be judged when the ledger has been looked at. */
function changed(model: Model, processed: Processed): () => void {
  const { bulk, one } = processed
  const { change } = bulk
  const { contract } = one
  const isConfirmed = bulk.isConfirmed && (!bulk.asSettingsSay || contract.account.confirms)
  if (change.action === 'remind') return reminded(model, processed)
  if (change.action === 'tag') return tagged(model, processed, change)
  const outcome = changedInBulk(one, change, momentOf({ model }, contract))
  judgeOutcome(model, processed, typeof outcome === 'string' ? outcome : 'changed')
  if (typeof outcome === 'string') return NOTHING_TO_JUDGE
  if (change.action === 'delete') one.deletion = noteDeleted(model, contract)
  else if (change.action === 'change_price') one.price = { before: contract.nextAmount, after: outcome.nextAmount }
  else one.decision = noteDecision(contract, outcome)
  if (change.action === 'renew') model.renewals.push({ contract, isConfirmed, from: contract.renewalDate })
  Object.assign(contract, outcome)
  for (const { id: rowId } of model.rowsOf.get(contract.id) ?? []) model.touched.add(rowId)
  return NOTHING_TO_JUDGE
}

function judgeOutcome(model: Model, { bulk: { id }, one, reason }: Processed, expected: string): void {
  const { contract, state } = one
  const said = state === 'left_out' ? reason : state
  if (said !== expected) fault(model, `contract ${contract.id} in change ${id}: ${said}, not ${expected}`, contract.id)
  model.bulk[expected === 'changed' ? 'changed' : 'leftOut'] += 1
}

function tagged(model: Model, processed: Processed, change: { add: string[]; remove: string[] }): () => void {
  const { one } = processed
  const { contract } = one
  const before = contract.tags
  const after = retagged(before, change)
  const result = isDeepStrictEqual(before, after) ? 'same_tags' : 'changed'
  const outcome = contract.deletion ? 'gone' : result
  judgeOutcome(model, processed, outcome)
  if (outcome !== 'changed') return NOTHING_TO_JUDGE
  one.tags = { before, after }
  contract.tags = after
  model.bulk.tagged += 1
  return NOTHING_TO_JUDGE
}

function reminded(model: Model, processed: Processed): () => void {
  const { bulk, one, reason } = processed
  const { contract, state } = one
  const { today } = momentOf({ model }, contract)
  const reminding = remindingOf(model, contract, today)
  const isLimited = reminding.reason === undefined && state === 'left_out' && reason?.endsWith('_limit') === true
  judgeOutcome(model, processed, reminding.reason ?? (isLimited ? (reason ?? '') : 'changed'))
  for (const { id } of model.rowsOf.get(contract.id) ?? []) model.touched.add(id)
  const isReminded = reminding.reason === undefined && !isLimited
  if (isReminded) {
    model.reminded.add(contract.id)
    model.bulk.reminded += 1
  }
  const others = bulk.contracts.flatMap((other) => readersOf(other.contract.customer)).length
  return () => {
    judgeReminded(model, contract, reminding, isReminded)
    if (reminding.reason === undefined)
      judgeLimited(model, contract, { ...reminding, said: isLimited ? reason : state, others })
  }
}

function undone(model: Model, { bulk: { id }, one, reason }: Processed): () => void {
  const { contract, state, decision, deletion, price, tags } = one
  const isKept = isChangedSince(one)
  model.bulk[isKept ? 'bulkKept' : 'bulkUndone'] += 1
  if ((state === 'kept') !== isKept)
    fault(model, `contract ${contract.id} in change ${id}, which is undone: ${state} ${reason}`, contract.id)
  if (isKept) return NOTHING_TO_JUDGE
  for (const { id: rowId } of model.rowsOf.get(contract.id) ?? []) model.touched.add(rowId)
  if (price) contract.nextAmount = price.before
  if (tags) contract.tags = tags.before
  if (decision) Object.assign(contract, takenBack(model, contract, decision))
  if (deletion) noteRestored(model, contract)
  return () => {
    if (decision) judgeTakenBack(model, contract, decision)
    if (deletion) judgeRestored(model, contract, deletion)
  }
}

/** What somebody has changed since is kept. */
function isChangedSince({ contract, decision, deletion, price, tags }: ModelBulkContract): boolean {
  if (deletion) return contract.deletion !== deletion || deletion.isForGood
  if (contract.deletion) return true
  if (tags) return !isDeepStrictEqual(contract.tags, tags.after)
  if (decision) return contract.decisions.at(-1) !== decision || isOvertaken(contract, decision)
  return contract.nextAmount !== price?.after
}
