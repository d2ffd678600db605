import type { FieldChange } from './activity.ts'
import { isOpen } from './contract-status.ts'
import { amountFromCents, type Cents } from './money.ts'
import type { RenewableContract } from './renewal.ts'

/** What an import can change of a contract. */
export interface UpdatableContract extends RenewableContract {
  title: string | null
  noticePeriod: string | null
  tags: readonly string[]
}

type Direct = 'startDate' | 'renewalCycle' | 'renewalDate' | 'status' | 'title' | 'renews' | 'noticePeriod' | 'tags'

/** What a row of a file says about a contract. What it does not say stays as it is. */
export type ContractUpdate = { [Field in Direct]?: UpdatableContract[Field] | undefined } & {
  amount?: Cents | undefined
  /** The number of the term that the row is about. */
  termNumber?: number | undefined
}

export type UpdateObstacle =
  /** The contract has been renewed, or that was undone. */
  | 'other_term'
  /** The contract would end, expire or be open again. */
  | 'decision'
  | 'start_of_renewed'
  | 'renewal_before_start'
  | 'term_too_short'

/** The contract as the row has it: an edit of its current term, and no renewal. */
export function updatedBy<Contract extends UpdatableContract>(contract: Contract, row: ContractUpdate): Contract {
  return {
    ...contract,
    amountCents: row.amount ?? contract.amountCents,
    startDate: row.startDate ?? contract.startDate,
    renewalCycle: row.renewalCycle ?? contract.renewalCycle,
    renewalDate: row.renewalDate ?? contract.renewalDate,
    status: row.status ?? contract.status,
    title: row.title ?? contract.title,
    renews: row.renews ?? contract.renews,
    noticePeriod: row.noticePeriod ?? contract.noticePeriod,
    tags: row.tags && row.tags.length > 0 ? row.tags : contract.tags,
  }
}

/** Why a row cannot change the contract; undefined if it can. */
export function obstacleToUpdate(contract: UpdatableContract, row: ContractUpdate): UpdateObstacle | undefined {
  const after = updatedBy(contract, row)
  if (row.termNumber !== undefined && row.termNumber !== contract.termNumber) return 'other_term'
  if (isOpen(after.status) !== isOpen(contract.status)) return 'decision'
  if (contract.termNumber > 1 && after.startDate !== contract.startDate) return 'start_of_renewed'
  if (after.renewalDate < after.startDate) return 'renewal_before_start'
  return after.termStart !== null && after.renewalDate <= after.termStart ? 'term_too_short' : undefined
}

/** What differs, as activity has it: amounts in US dollars, tags as one text. */
export function fieldsChanged(before: UpdatableContract, after: UpdatableContract): FieldChange[] {
  const [was, is] = [shown(before), shown(after)]
  return UPDATED_FIELDS.filter((field) => was[field] !== is[field]).map((field) => {
    return { field, before: was[field], after: is[field] }
  })
}

function shown({ amountCents, tags, ...contract }: UpdatableContract) {
  return { ...contract, amount: amountFromCents(amountCents), tags: tags.join(', ') || null }
}

/** The fields of a file that change a contract. */
export const UPDATED_FIELDS = [
  'amount',
  'startDate',
  'renewalCycle',
  'renewalDate',
  'status',
  'title',
  'renews',
  'noticePeriod',
  'tags',
] as const
