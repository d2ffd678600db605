import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { obstacleToUpdate, updatedBy, type UpdateObstacle } from '#shared/domain/contract-update.ts'
import { foldText } from '#shared/domain/fold-text.ts'
import { AppError, REFUSALS } from '#shared/errors.ts'
import { UPDATE_REASONS } from '#shared/schemas/import-rows.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { DECIDED, DecidedContract } from '#server/contracts/decisions.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { NOT_DELETED } from '#server/db/trash.ts'
import type { ContractBatch } from './sheet/batches.ts'
import type { RowChange } from './sheet/parse-change.ts'

const OWN = columnsOf(ContractEntity, 'k', [
  'title',
  'reference',
  'noticePeriod',
  'tags',
  'mutedRenewalDate',
  'editedAt',
])
const CUSTOMER = columnsOf(CustomerEntity, 'c', ['customerNumber', 'sourceId'])

const ExistingContract = z.object({
  ...DecidedContract.shape,
  ...OWN.fields,
  ...CUSTOMER.fields,
  customerName: z.string(),
  position: z.int(),
})
export type ExistingContract = z.output<typeof ExistingContract>

/** A contract that a row changes, as it was and as it will be. */
export interface ContractChange {
  before: ExistingContract
  after: ExistingContract
}

/** Why a row cannot change the contract with its reference. */
export interface RefusedChange {
  position: number
  field: string
  reason: string
}

/** The rows of a batch with the reference of a contract that the account has. */
export interface Existing {
  /** Their positions in the batch. */
  positions: ReadonlySet<number>
  changes: ContractChange[]
  refused: RefusedChange[]
}

/**
 * Looks up the rows of a batch by their reference, in any case, and tells what each would change. With `lock`, nobody else
 * can change these contracts until the transaction ends.
 */
export async function findExisting(
  { read, accountId }: ReaderContext,
  batch: Pick<ContractBatch, 'changes'>,
  { lock }: { lock: boolean },
): Promise<Existing> {
  const rows = batch.changes?.rows ?? []
  const references = rows.map((row) => row?.reference ?? null)
  if (references.every((reference) => reference === null)) return { positions: new Set(), changes: [], refused: [] }
  // More than one contract is one too many, however many there are. Limit and offset also keep the planner from comparing all
  // contracts and customers with all rows.
  const statement = sql`
    with found as materialized (
      select i.position::int, k.id from unnest(${references}::text[]) with ordinality as i(reference, position)
      cross join lateral (
        select id from contracts where account_id = ${accountId} and ${NOT_DELETED} and reference is not null
          and reference collate any_case = i.reference limit 2) k
    )
    select ${DECIDED}, ${OWN}, ${CUSTOMER}, c.name as "customerName", f.position
    from contracts k join found f on f.id = k.id
    cross join lateral (select * from customers where account_id = k.account_id and id = k.customer_id offset 0) c
    where k.account_id = ${accountId} and k.${NOT_DELETED} and k.id = any(array(select id from found))
    order by k.id ${lock ? sql`for no key update of k` : empty}`
  const found = Map.groupBy(await read(statement, ExistingContract, 'each time'), ({ position }) => position)
  const judged = [...found].map(([position, contracts]) => judge(position, rows[position - 1] ?? null, contracts))
  const changes = judged.flatMap((one) => ('after' in one ? [one] : []))
  const refused = judged.flatMap((one) => ('reason' in one ? [one] : []))
  // References that look different in the file may be the same in the database.
  const byContract = [...Map.groupBy(changes, ({ before }) => before.id).values()]
  const repeated = byContract.filter(({ length }) => length > 1).flat()
  return {
    positions: new Set(found.keys()),
    changes: byContract.filter(({ length }) => length === 1).flat(),
    refused: [
      ...refused,
      ...repeated.map(({ before }) => refusal(before.position, 'reference', UPDATE_REASONS.repeated)),
    ],
  }
}

function refusal(position: number, field: string, reason: string): RefusedChange {
  return { position, field, reason }
}

function judge(
  position: number,
  row: RowChange | null,
  [before, ...others]: ExistingContract[],
): ContractChange | RefusedChange {
  const refused = (field: string, reason: string) => refusal(position, field, reason)
  if (!before || !row) throw new Error('A row was found that has no reference')
  if (row.isRepeated) return refused('reference', UPDATE_REASONS.repeated)
  if (others.length > 0) return refused('reference', UPDATE_REASONS.ambiguous)
  if (!isOfCustomer(row, before)) return refused(customerField(row), UPDATE_REASONS.otherCustomer(before.customerName))
  const obstacle = obstacleToUpdate(before, row)
  if (!obstacle) return { before, after: updatedBy(before, row) }
  return refused(OBSTACLE_FIELDS[obstacle], OBSTACLE_REASONS[obstacle](before))
}

const OBSTACLE_FIELDS: Record<UpdateObstacle, string> = {
  other_term: 'termNumber',
  decision: 'status',
  start_of_renewed: 'startDate',
  renewal_before_start: 'renewalDate',
  term_too_short: 'renewalDate',
}

const OBSTACLE_REASONS: Record<UpdateObstacle, (contract: ExistingContract) => string> = {
  other_term: ({ termNumber }) => UPDATE_REASONS.other_term(termNumber),
  decision: () => UPDATE_REASONS.decision,
  start_of_renewed: () => UPDATE_REASONS.start_of_renewed,
  renewal_before_start: () => REFUSALS.RENEWAL_BEFORE_START.message,
  term_too_short: ({ termStart }) => new AppError('TERM_TOO_SHORT', { values: { date: termStart ?? '' } }).message,
}

/** Whether a row names the contract's customer, if it names one: by number, otherwise by name, otherwise by ID. */
function isOfCustomer(row: RowChange, contract: ExistingContract): boolean {
  const { customerNumber, customerName, customerId } = row
  const isSame = (one: string, other: string | null) => other !== null && foldText(one) === foldText(other)
  if (customerNumber) return isSame(customerNumber, contract.customerNumber)
  if (customerName) return isSame(customerName, contract.customerName) || isSame(customerName, contract.customerNumber)
  return !customerId || customerId === contract.customerId || customerId === contract.sourceId
}

function customerField({ customerNumber, customerName }: RowChange): string {
  if (customerNumber) return 'customerNumber'
  return customerName ? 'customerName' : 'customerId'
}
