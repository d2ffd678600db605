import { isDeepStrictEqual } from 'node:util'
import { fault } from './fault.ts'
import type { DecidedState, ModelContract, Undecided } from './model.ts'
import type { Play } from './play.ts'
import { decidedOf } from './renewal-rules.ts'
import { START_DATE } from './start.ts'
import { tagKey } from './tags.ts'

const COLUMNS = `id, renewal_date::text as "renewalDate", amount_cents::float8 / 100 as amount, renewal_cycle as cycle,
  status, term_number as term, term_start::text as "termStart", coalesce(anchor_date, '${START_DATE}')::text as anchor,
  next_amount_cents::float8 / 100 as "nextAmount", ends_on::text as "endsOn", held_renewal_date::text as held,
  round(extract(epoch from reminders_since) * 1000)::float8 as since, renews, muted_renewal_date::text as muted, tags, notice_period as "noticePeriod"`

/** A contract, as the database has it. */
export type Stored = DecidedState & Undecided

/** What the database has of these contracts; of all of them if none are named. */
export async function storedDecisions({ owner }: Play, ids?: number[]): Promise<Map<number, Stored>> {
  const { rows } = await owner.query<Stored & { id: number }>(
    `select ${COLUMNS} from contracts where $1::int[] is null or id = any($1)`,
    [ids],
  )
  return new Map(rows.map(({ id, tags, ...row }) => [id, storedOf({ ...row, tags: tags.map(tagKey) })]))
}

/** Of a contract, what is compared. */
export function storedOf(contract: Stored): Stored {
  const { renews, muted, tags, noticePeriod } = contract
  return { ...decidedOf(contract), renews, muted, tags, noticePeriod }
}

export function isSame(one: Stored | undefined, other: Stored): boolean {
  return isDeepStrictEqual(one, storedOf(other))
}

/** A contract must be what its owner made of it. */
export async function judgeContract(play: Play, contract: ModelContract): Promise<void> {
  const found = (await storedDecisions(play, [contract.id])).get(contract.id)
  if (!isSame(found, contract)) tellDifference(play, contract, found)
}

export function tellDifference({ model }: Play, contract: ModelContract, found: Stored | undefined): void {
  const texts = [found, storedOf(contract)].map((state) => JSON.stringify(state))
  fault(model, `contract ${contract.id}: is ${texts.join(', not ')}`, contract.id)
  // What follows from one fault is no other.
  if (found) Object.assign(contract, found)
}
