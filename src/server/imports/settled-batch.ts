import type { Day } from '#shared/domain/day.ts'
import type { ContractBatch } from './sheet/batches.ts'
import { settledRow, type Row } from './sheet/settled-row.ts'

type Columns = ContractBatch['columns']

/** A batch with what becomes of its contracts within minutes, where their renewal dates have come. */
export function settledBatch(batch: ContractBatch, today: Day): ContractBatch {
  const { columns } = batch
  const settled = columns.renewalDate.map((_day, at) => settledRow(rowAt(columns, at), today))
  const [renewalDate, status] = [settled.map((row) => row.renewalDate), settled.map((row) => row.status)]
  return { ...batch, columns: { ...columns, renewalDate, status } }
}

function rowAt({ amount, startDate, renewalDate, renewalCycle, renews, ...others }: Columns, at: number): Row {
  const [price, start, renewal, cycle, kind] = [
    amount[at],
    startDate[at],
    renewalDate[at],
    renewalCycle[at],
    renews[at],
  ]
  const [status, termNumber, termStart] = [others.status[at], others.termNumber[at], others.termStart[at] ?? null]
  if (price === undefined || !start || !renewal || !cycle || !kind || !status || termNumber === undefined)
    throw new Error('All columns of a batch are of the same length')
  const terms = { amount: price, startDate: start, renewalDate: renewal, renewalCycle: cycle, renews: kind }
  return { ...terms, status, termNumber, termStart }
}
