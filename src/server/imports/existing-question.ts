import { fieldsChanged } from '#shared/domain/contract-update.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import type { BulkUpload, ExistingRows } from '#shared/schemas/imports.ts'
import type { ReaderContext } from '#server/context.ts'
import { findExisting, type ContractChange, type Existing } from './existing-contracts.ts'
import type { ContractBatch } from './sheet/batches.ts'
import { refuseMissing } from './sheet/heading-row.ts'
import { questionError } from './sheet/inspect-sheet.ts'
import type { SheetReader } from './sheet/reader.ts'
import type { ExistingMode } from './write-existing.ts'

const MOST_SHOWN = 3

/**
 * What is to become of rows with the reference of a contract that the account has. Asks if there are any, and if that is to
 * be asked. Without any, all columns of a new contract are needed. @throws IMPORT_ROWS_EXIST, IMPORT_COLUMNS_MISSING
 */
export async function existingMode(
  ctx: ReaderContext,
  sheet: SheetReader,
  { existing = 'add' }: Pick<BulkUpload, 'existing'>,
): Promise<ExistingMode> {
  if (existing !== 'ask') return existing
  const preview = new Preview()
  for await (const batch of contractBatches(sheet)) preview.add(batch, await findExisting(ctx, batch, { lock: false }))
  const rows = preview.view()
  if (rows.rows === 0) {
    refuseMissing(sheet.inspection)
    return 'add'
  }
  throw questionError('IMPORT_ROWS_EXIST', {
    parameter: 'existing',
    choices: sheet.inspection.columns.missing.length > 0 ? [UPDATE] : [UPDATE, ADD, SKIP],
    existing: rows,
  })
}

const UPDATE = { value: 'update', label: 'Update these contracts' }
const ADD = { value: 'add', label: 'Add them as new contracts' }
const SKIP = { value: 'skip', label: 'Leave these rows out' }

/** How many rows of a file have the reference of a contract that exists. */
export async function countExisting(ctx: ReaderContext, sheet: SheetReader): Promise<number> {
  let count = 0
  for await (const batch of contractBatches(sheet)) {
    count += (await findExisting(ctx, batch, { lock: false })).positions.size
  }
  return count
}

async function* contractBatches(sheet: SheetReader): AsyncGenerator<ContractBatch> {
  for await (const batch of sheet.batches()) if (batch.kind === 'contracts') yield batch
}

/** Adds up what the rows of a file would change. */
class Preview {
  private rows = 0
  private failing = 0
  private changed = 0
  private readonly sums = { before: 0n, after: 0n }
  private readonly fields = new Map<string, number>()
  private readonly first: ExistingRows['first'] = []

  add({ sources }: ContractBatch, { positions, changes, refused }: Existing): void {
    this.rows += positions.size
    this.failing += refused.length
    for (const change of changes.toSorted(byPosition)) this.addChange(change, sources.lines)
  }

  view(): ExistingRows {
    const { rows, failing, changed, sums, first } = this
    const fields = [...this.fields].map(([field, contracts]) => ({ field, contracts }))
    const amounts = { amountBefore: amountFromSum(sums.before), amount: amountFromSum(sums.after) }
    return { rows, failing, changed, ...amounts, fields, first }
  }

  private addChange({ before, after }: ContractChange, lines: readonly number[]): void {
    const changes = fieldsChanged(before, after)
    if (changes.length === 0) return
    this.changed += 1
    this.sums.before += BigInt(before.amountCents)
    this.sums.after += BigInt(after.amountCents)
    for (const { field } of changes) this.fields.set(field, (this.fields.get(field) ?? 0) + 1)
    if (this.first.length >= MOST_SHOWN) return
    const { customerName, reference, position } = before
    this.first.push({ line: lines[position - 1] ?? 0, reference: reference ?? '', customerName, changes })
  }
}

function byPosition(one: ContractChange, other: ContractChange): number {
  return one.before.position - other.before.position
}
