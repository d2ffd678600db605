import { fault, textOf } from './fault.ts'
import { daysLater, isMuted, readersOf, type Model, type ModelContract, type ModelRenewal, type Row } from './model.ts'
import { unreachable } from './lines.ts'

/** After so many days a renewal is no news any more. */
const NEWS_DAYS = 7

/** Each renewal that is to be confirmed has one row for each contact that says so, or why not; whoever was told of a term is not told again. */
export function judgeConfirmations(model: Model): void {
  for (const { contract, isConfirmed, from } of model.renewals.splice(0)) {
    const rows = Map.groupBy(confirmationsOf(model, contract), ({ contactId }) => contactId)
    for (const [contactId, { length }] of rows)
      if (length > 1)
        fault(model, `contract ${contract.id}: ${length} confirmations of one term to ${contactId}`, contract.id)
    if (isConfirmed) judgeConfirmed(model, { contract, from }, rows)
    else for (const [row] of rows.values()) refusePlanned(model, contract, row)
  }
}

type Renewed = Omit<ModelRenewal, 'isConfirmed'>

function judgeConfirmed(model: Model, renewal: Renewed, rows: ReadonlyMap<number, Row[]>): void {
  const { contract } = renewal
  for (const { id } of readersOf(contract.customer)) {
    const [row] = rows.get(id) ?? []
    if (row) judgeNew(model, renewal, row)
    else fault(model, `contract ${contract.id}: was renewed, and has no confirmation to ${id}`, contract.id)
  }
}

/** Emails about the renewal date before or after it are turned off. */
function isMutedRenewal({ contract, from }: Renewed): boolean {
  return contract.muted === from || isMuted(contract)
}

/** Whether the contract has just been renewed and is not confirmed for that reason; also again, after the renewal was undone. */
export function isRenewedMuted(model: Model, contract: ModelContract): boolean {
  return model.renewals.some((renewal) => renewal.contract === contract && isMutedRenewal(renewal))
}

/** Of a term that is gone nobody is told any more. */
export function judgeWithdrawn(model: Model, contract: ModelContract): void {
  const planned = (model.rowsOf.get(contract.id) ?? []).filter(
    ({ kind, state, term }) => kind === 'confirmation' && state === 'planned' && term > contract.term,
  )
  for (const row of planned) fault(model, `message ${row.id} ${textOf(row)}: confirms what was undone`, contract.id)
}

export function isTooLateToConfirm({ day }: Row, today: string): boolean {
  return today > daysLater(day, NEWS_DAYS)
}

function confirmationsOf(model: Model, { id, term }: ModelContract): Row[] {
  return (model.rowsOf.get(id) ?? []).filter((row) => row.kind === 'confirmation' && row.term === term)
}

function refusePlanned(model: Model, contract: ModelContract, row: Row | undefined): void {
  if (row?.state === 'planned' && row.plannedAt === model.now)
    fault(model, `message ${row.id} ${textOf(row)}: nobody asked for a confirmation`, contract.id)
}

function judgeNew(model: Model, { contract, from }: Renewed, row: Row): void {
  // Told before, of a renewal to the same term that was undone; or that is not known.
  if (row.state !== 'planned' && row.state !== 'skipped') return
  const reason = isMutedRenewal({ contract, from }) ? 'muted' : (unreachable(contract, row) ?? null)
  if (row.reason !== reason || row.plannedAt !== model.now)
    fault(model, `message ${row.id} ${textOf(row)}: should be ${reason ?? 'planned'}`, contract.id)
}
