import type { Day } from '#shared/domain/day.ts'
import { newTermStart, type RenewableContract } from '#shared/domain/renewal.ts'
import { actsOn, asSettled, UNDECIDED } from '#shared/domain/settled-contract.ts'
import type { ImportContract } from '#shared/schemas/import-rows.ts'

type Settled = Pick<RenewableContract, 'status' | 'renewalDate'>
/** A row of a file, as far as it decides about that. */
export type Row = Pick<
  ImportContract,
  'amount' | 'startDate' | 'renewalDate' | 'renewalCycle' | 'renews' | 'status' | 'termNumber' | 'termStart'
>

/** What becomes of the contract of a row within minutes: if its renewal date has come, it may be renewed or expire. */
export function settledRow({ amount, ...row }: Row, today: Day): Settled {
  const contract = { ...UNDECIDED, ...row, amountCents: amount }
  const day = actsOn(contract)
  if (day === null || day > today) return row
  return asSettled({ ...contract, termStart: newTermStart(contract) }, today)
}
