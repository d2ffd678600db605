import { isDeepStrictEqual } from 'node:util'
import { BulkUpload } from '#shared/schemas/imports.ts'
import { importFile, type ImportResult } from '#server/imports/import-file.ts'
import { undoImport } from '#server/imports/imports.service.ts'
import { retag } from './bulk.ts'
import { momentOf, refusalOf } from './decisions.ts'
import { fault } from './fault.ts'
import { importedBy, isSameReference, noteImport, type ImportRow } from './import-rules.ts'
import { look } from './ledger-watch.ts'
import {
  dayAt,
  daysLater,
  remember,
  stateOf,
  type Model,
  type ModelAccount,
  type ModelContract,
  type ModelImport,
  type ModelUpdate,
} from './model.ts'
import { windowKey } from './notice-rules.ts'
import type { Play } from './play.ts'
import { isSame, judgeContract, storedOf } from './stored-decisions.ts'
import { someTags } from './tags.ts'
import { reconnected, write } from './write.ts'

const MOST_ROWS = 5
const LATEST = 4
const HEADINGS = 'Reference,Customer,Amount,Renewal Cycle,Renewal Date,Status,Renews,Tags,Term Number'

/** The owner imports a file about contracts that there are, and now and then undoes that at once. */
export async function importUpdates(play: Play, account: ModelAccount): Promise<void> {
  const { model, owner, random } = play
  const known = [...model.contracts.values()].filter((one) => one.account === account && !one.deletion?.isForGood)
  const rows = Array.from({ length: random.int(1, MOST_ROWS) }, () => someRow(play, account, random.pick(known)))
  const isMuting = random.chance(0.3)
  const found = await versionsOf(
    play,
    known.map((contract) => ({ contract })),
  )
  const result = await importRows(account, rows, isMuting)
  const updates = rows.flatMap((row): Pick<ModelUpdate, 'contract' | 'before' | 'after'>[] => {
    const contract = known.find((one) => !one.deletion && isSameReference(one, row))
    const isPosted = contract !== undefined && isNoticePosted(model, contract)
    const after = contract && importedBy(row, { contract, rows, moment: momentOf(play, contract), isMuting, isPosted })
    return contract && after ? [{ contract, before: storedOf(contract), after }] : []
  })
  const changed = updates.filter(({ before, after }) => !isDeepStrictEqual(before, after))
  const expected = [0, changed.length, updates.length - changed.length, rows.length - updates.length]
  const told = [result.created, result.updated, result.unchanged, result.failed]
  if (!isDeepStrictEqual(told, expected))
    fault(model, `import ${result.importId}: created, updated, left and failed ${told.join()}, not ${expected.join()}`)
  model.imports.imported += changed.length
  model.imports.importRefused += rows.length - updates.length
  for (const { contract, after } of changed) {
    Object.assign(contract, after)
    remember(model, contract.id, `import ${result.importId}: ${stateOf(contract)}`)
  }
  await judgeChanged(play, changed)
  for (const { contract } of updates) await judgeContract(play, contract)
  const versions = await versionsOf(play, changed)
  const done: ModelImport = {
    id: result.importId,
    updates: changed.map((update) => {
      const { id } = update.contract
      return { ...update, versionBefore: found.get(id) ?? 0, version: versions.get(id) ?? 0 }
    }),
  }
  if (changed.length > 0) noteImport(account, done)
  if (changed.length > 0 && random.chance(0.4)) await undo(play, account, done)
  await look(owner, model)
}

function isNoticePosted(model: Model, contract: ModelContract): boolean {
  return typeof model.notices.recorded.get(windowKey(contract))?.postedOn === 'string'
}

/** An owner undoes one of the last imports, which keeps what was changed since; often there is something. */
export async function undoLatestImport(play: Play): Promise<void> {
  const latest = play.model.accounts.flatMap((account) =>
    account.hasAccess ? account.imports.slice(-LATEST).map((done) => ({ account, done })) : [],
  )
  if (latest.length === 0) return
  const { account, done } = play.random.pick(latest)
  if (play.random.chance(0.5)) await retag(play, play.random.pick(done.updates).contract)
  await undo(play, account, done)
}

async function undo(play: Play, account: ModelAccount, done: ModelImport): Promise<void> {
  const { model } = play
  const found = await versionsOf(play, done.updates)
  let counts: { restoredContracts: number; keptCount: number } | undefined
  const refusal = await refusalOf(write(account, async (ctx) => void (counts = await undoImport(ctx, { id: done.id }))))
  if (refusal !== undefined) return fault(model, `import ${done.id}: could not be undone, ${refusal}`)
  const left = done.updates.filter(({ contract }) => !contract.deletion)
  const restored = left.filter(({ contract, version }) => found.get(contract.id) === version)
  const kept = left.filter((update) => !restored.includes(update))
  for (const { contract, after } of restored)
    if (!isSame(after, contract)) fault(model, `contract ${contract.id}: has changed, and its version not`, contract.id)
  const told = [counts?.restoredContracts, counts?.keptCount]
  if (!isDeepStrictEqual(told, [restored.length, kept.length]))
    fault(model, `import ${done.id}: restored and kept ${told.join()}, not ${restored.length},${kept.length}`)
  model.imports.importUndone += restored.length
  model.imports.importKept += kept.length
  for (const { contract, before } of restored) {
    Object.assign(contract, before)
    remember(model, contract.id, `import ${done.id} was undone: ${stateOf(contract)}`)
  }
  done.updates = done.updates.filter((update) => !restored.includes(update))
  // One that has nothing left to undo is no longer in the list.
  if (kept.length === 0) account.imports = account.imports.filter((one) => one !== done)
  await judgeChanged(play, restored)
  await noteAsLeft(play, account, restored)
  for (const { contract } of kept) await judgeContract(play, contract)
}

/** A contract is again as the import had left it whose version the undone one had found. */
async function noteAsLeft(play: Play, account: ModelAccount, restored: ModelUpdate[]): Promise<void> {
  const versions = await versionsOf(play, restored)
  for (const { contract, versionBefore } of restored)
    for (const { updates } of account.imports)
      for (const earlier of updates)
        if (earlier.contract === contract && earlier.version === versionBefore)
          earlier.version = versions.get(contract.id) ?? 0
}

async function judgeChanged(play: Play, changed: { contract: ModelContract }[]): Promise<void> {
  const { model, owner } = play
  for (const { contract } of changed) for (const { id } of model.rowsOf.get(contract.id) ?? []) model.touched.add(id)
  await look(owner, model)
  for (const { contract } of changed) await judgeContract(play, contract)
}

/** Mostly of what the contract may become; sometimes of what a file must not do to it. */
function someRow({ model, random }: Play, account: ModelAccount, contract: ModelContract): ImportRow {
  const maybe = <T>(share: number, value: () => T) => (random.chance(share) ? value() : undefined)
  const { reference } = contract
  const today = dayAt(model.now, account.timeZone)
  return {
    reference: random.pick([reference, reference, reference.toLowerCase(), `${reference}-none`] as const),
    customer: random.pick(['', 'Customer', 'customer', 'Somebody else', '', '', ''] as const),
    amount: maybe(0.3, () => nextAmount(model)),
    cycle: maybe(0.2, () => random.pick(['monthly', 'quarterly', 'yearly'] as const)),
    renewalDate: maybe(0.5, () => random.pick([contract.renewalDate, daysLater(today, random.int(-10, 60))] as const)),
    status: maybe(0.2, () => random.pick(['active', 'pending', 'cancelled'] as const)),
    renews: maybe(0.2, () => random.pick(['automatic', 'by_agreement', 'never'] as const)),
    tags: someTags(random, 0.15),
    term: maybe(0.3, () => contract.term + random.pick([0, 0, 0, 1] as const)),
  }
}

/** No other contract's. */
function nextAmount(model: Model): number {
  model.amounts += 1
  return model.amounts
}

async function importRows(account: ModelAccount, rows: ImportRow[], isMuting: boolean): Promise<ImportResult> {
  const lines = rows.map(({ reference, customer, amount, cycle, renewalDate, status, renews, tags, term }) =>
    [reference, customer, amount, cycle, renewalDate, status, renews, tags.join(';'), term].join(),
  )
  // A part of an import must not be carried out twice.
  await reconnected(account)
  return importFile(account.request, {
    kind: 'contracts',
    fileName: 'contracts.csv',
    bytes: contentOf([HEADINGS, ...lines].join('\n')),
    answers: BulkUpload.parse({ again: true, existing: 'update', reminders: isMuting ? 'off' : 'on' }),
    signal: new AbortController().signal,
  })
}

async function* contentOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

async function versionsOf({ owner }: Play, updates: { contract: ModelContract }[]): Promise<Map<number, number>> {
  const { rows } = await owner.query<{ id: number; version: number }>(
    'select id, version from contracts where id = any($1::int[])',
    [updates.map(({ contract }) => contract.id)],
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}
